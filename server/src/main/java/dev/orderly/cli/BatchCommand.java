package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.operate.OperationSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Commands on batches. */
@Command(name = "batch", synopsisSubcommandLabel = "COMMAND",
        description = "Batches: jobs with one callback when all of them have ended.",
        footer = {"  orderly batch open import-42 --queue reports '{\"import\":42}'",
                "  orderly queue push emails --batch import-42 '{\"to\":\"a@example.com\"}'",
                "  orderly batch close import-42"})
final class BatchCommand {
    static final String BASE = "/api/v1/batches";

    private BatchCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new BatchCommand()).addSubcommand("list", new ListAll(terminal))
                .addSubcommand("show", new Show(terminal)).addSubcommand("open", new Open(terminal))
                .addSubcommand("close", new Close(terminal)).addSubcommand("cancel", new Cancel(terminal));
    }

    private static void print(List<JsonNode> batches, Terminal to) {
        TextTable columns = new TextTable("BATCH", "STATE", "MEMBERS", "DONE", "DEAD", "CANCELLED", "LEFT", "OPENED",
                "CALLBACK");
        batches.forEach(batch -> columns.row(TextTable.text(batch, "batch"), TextTable.text(batch, "state"),
                TextTable.text(batch.path("counts"), "pushed"), TextTable.text(batch.path("counts"), "done"),
                TextTable.text(batch.path("counts"), "dead"), TextTable.text(batch.path("counts"), "cancelled"),
                TextTable.text(batch.path("counts"), "unfinished"), TextTable.text(batch, "openedAt"),
                batch.path("callback").isNull() ? "" : TextTable.text(batch, "callback")));
        columns.print(to.out());
    }

    @Command(name = "list", description = "Show the newest batches, with their members in numbers.",
            footer = {"  orderly batch list", "  orderly batch list --json | jq '.batches[].counts'"})
    static final class ListAll extends ListCommand {
        ListAll(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            BatchCommand.print(answer.path("batches").valueStream().toList(), to);
        }
    }

    @Command(name = "show", description = "Show one batch, with its members in numbers.",
            footer = "  orderly batch show import-42")
    static final class Show extends NamedCommand {
        Show(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return api.get(path, Map.of());
        }

        @Override
        void print(JsonNode batch, String name, Terminal to) {
            BatchCommand.print(List.of(batch), to);
            JsonNode counts = batch.path("counts");
            long left = counts.path("unfinished").asLong(0);
            long dead = counts.path("dead").asLong(0);
            switch (batch.path("state").asString("")) {
                case "open" -> to.out().println("Its callback waits for the close: orderly batch close " + name);
                case "closed",
                        "cancelled" ->
                    to.out().println(
                            "Its callback waits for " + left + (left == 1 ? " member that has" : " members that have")
                                    + " not ended" + (dead > 0 && batch.path("whenDead").asString("").equals("wait")
                                            ? ", and " + dead + " dead ones for a redrive or a deletion"
                                            : "")
                                    + ".");
                default -> {
                }
            }
        }
    }

    @Command(name = "open", footer = "  orderly batch open import-42 --queue reports '{\"import\":42}'")
    static final class Open extends NamedCommand {
        private final Terminal terminal;

        @Parameters(index = "1", arity = "0..1", paramLabel = "JSON|@FILE|-", defaultValue = "{}",
                description = "The payload of the callback: itself, a file with it, or - for standard input; {} if not"
                        + " given.")
        private String content = "{}";
        @Option(names = "--queue", required = true, paramLabel = "Q", description = "The queue of the callback.")
        private String queue = "";
        @Option(names = "--group", paramLabel = "G", description = "Its group; a FIFO queue needs one.")
        private @Nullable String group;
        @Option(names = "--when-dead", paramLabel = "finish|wait",
                description = "Whether a dead letter has ended, or the batch waits for its redrive; finish if not"
                        + " given.")
        private @Nullable String whenDead;

        Open(Terminal terminal) {
            super(terminal, BASE);
            this.terminal = terminal;
        }

        @Spec
        void help(CommandSpec command) {
            OperationCommand.help(command, OperationSpec.OPEN_BATCH);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            ObjectNode body = JsonMapper.shared().createObjectNode();
            body.put("batch", path.substring(BASE.length() + 1)).put("queue", queue);
            try {
                body.set("payload", JsonMapper.shared()
                        .readTree(new String(QueuePush.content(content, terminal), StandardCharsets.UTF_8)));
            } catch (JacksonException e) {
                throw new CommandFailedException(Main.WRONG, "The payload is no JSON (" + e.getOriginalMessage()
                        + "): quote it for the shell, such as '{\"import\":42}'", null);
            }
            if (group != null) {
                body.put("group", group);
            }
            if (whenDead != null) {
                body.put("whenDead", whenDead);
            }
            return api.post(BASE, Map.of(), JsonMapper.shared().writeValueAsBytes(body),
                    Map.of("Content-Type", "application/json"));
        }

        @Override
        void print(JsonNode batch, String name, Terminal to) {
            to.out().println("Batch " + name + " is open; close it after the last push: orderly batch close " + name);
        }
    }

    @Command(name = "close", footer = "  orderly batch close import-42")
    static final class Close extends OperationCommand {
        Close(Terminal terminal) {
            super(terminal, OperationSpec.CLOSE_BATCH);
        }

        @Override
        void print(JsonNode batch, String name, Terminal to) {
            printUnfinished(batch, name, to);
        }
    }

    @Command(name = "cancel", footer = "  orderly batch cancel import-42")
    static final class Cancel extends OperationCommand {
        Cancel(Terminal terminal) {
            super(terminal, OperationSpec.CANCEL_BATCH);
        }

        @Override
        void print(JsonNode batch, String name, Terminal to) {
            printUnfinished(batch, name, to);
        }
    }

    private static void printUnfinished(JsonNode batch, String name, Terminal to) {
        to.out().println("Batch " + name + " is " + TextTable.text(batch, "state") + "; members that have not ended: "
                + TextTable.text(batch.path("counts"), "unfinished"));
    }
}
