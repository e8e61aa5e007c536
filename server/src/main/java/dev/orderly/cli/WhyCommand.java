package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.VisitorQuery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Commands that explain: what keeps a job from running, a callback from coming, or a visitor from entering. */
@Command(name = "why", synopsisSubcommandLabel = "COMMAND",
        description = "Say what keeps a job from running, the callback of a batch from coming, or a visitor from"
                + " entering.",
        footer = {"  orderly why job 01990000-0000-7000-8000-000000000000", "  orderly why batch import-42",
                "  orderly why visitor -"})
final class WhyCommand {
    private WhyCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new WhyCommand()).addSubcommand("job", new WhyJob(terminal))
                .addSubcommand("batch", new WhyBatch(terminal))
                .addSubcommand("visitor", new WhyVisitor(terminal));
    }

    /** Prints the cause in one sentence, and what to do. */
    static void printCause(JsonNode why, Terminal to) {
        to.out().println(TextTable.text(why, "sentence"));
        String remedy = why.path("remedy").asString("");
        if (!remedy.isEmpty()) {
            to.out().println(remedy);
        }
    }

    @Command(name = "job", description = "Say what keeps a job from running, and what to do.",
            footer = "  orderly why job 01990000-0000-7000-8000-000000000000")
    static final class WhyJob extends JobCommand.OneJob {
        WhyJob(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return api.get(path() + "/why", Map.of());
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            printCause(answer, to);
        }
    }

    @Command(name = "batch", description = "Say what the callback of a batch waits for, and what to do.",
            footer = "  orderly why batch import-42")
    static final class WhyBatch extends NamedCommand {
        WhyBatch(Terminal terminal) {
            super(terminal, BatchCommand.BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return api.get(path + "/why", Map.of());
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            printCause(answer, to);
        }
    }

    /** Subcommand of {@code why}. */
    @Command(name = "visitor",
            description = "Say what keeps a visitor from entering, what to do, and what is known of the visitor."
                    + " A ticket is a secret: give it by standard input on a machine with other users.",
            footer = {"  orderly why visitor - < ticket.txt",
                    "  orderly why visitor 458 --room sale",
                    "  orderly why visitor AAAAAAAAAAAAAAAAAAAAAA --room sale"})
    static final class WhyVisitor extends ApiCommand {
        private static final int TICKET_MAX = 4_096;

        private final Terminal terminal;
        @Parameters(index = "0", paramLabel = "TICKET",
                description = "The visitor's cookie, as NAME=VALUE or its value; - for standard input."
                        + " Or the ticket number that the waiting page shows, or the visitor's id.")
        private String ticket = "";
        @Option(names = "--room", paramLabel = "ROOM",
                description = "The room of a ticket number or a visitor's id; a ticket names its own.")
        private @Nullable String room;

        WhyVisitor(Terminal terminal) {
            super(terminal);
            this.terminal = terminal;
        }

        @Override
        JsonNode ask(ApiClient api) {
            String text = ticket.equals("-") ? input() : ticket;
            String value = text.strip().substring(text.strip().lastIndexOf('=') + 1);
            return switch (VisitorQuery.parse(value)) {
                case VisitorQuery.ByPlace(long place) -> ask(api, named(), RoomCommand.body().put("place", place));
                case VisitorQuery.ByTier(String tier, long number) ->
                    ask(api, named(), RoomCommand.body().put("place", number).put("tier", tier));
                case VisitorQuery.ById(VisitorId id) ->
                    ask(api, named(), RoomCommand.body().put("visitor", id.toString()));
                case VisitorQuery.ByTicket(String whole) ->
                    ask(api, room(whole), RoomCommand.body().put("ticket", whole));
            };
        }

        private static JsonNode ask(ApiClient api, String of, ObjectNode body) {
            return RoomCommand.post(api, RoomCommand.BASE + "/" + ApiClient.encoded(of) + "/why", body);
        }

        private String named() {
            if (room == null) {
                throw new CommandFailedException(Main.WRONG,
                        "A ticket number or a visitor's id names no room: add --room ROOM",
                        null);
            }
            return room;
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            printCause(answer, to);
            if (answer.path("presentUntil").isString()) {
                to.out().println("present until: " + answer.path("presentUntil").asString()
                        + (answer.path("gate").isNull() ? "" : ", seen by " + TextTable.text(answer, "gate")));
            }
            answer.path("history").properties().stream().filter(each -> !each.getValue().isNull())
                    .forEach(each -> to.out().println(each.getKey() + ": " + each.getValue().asString()));
            RoomCommand.printUnreachable(answer, to);
        }

        private String input() {
            try {
                return new String(terminal.in().readNBytes(TICKET_MAX), StandardCharsets.US_ASCII);
            } catch (IOException e) {
                throw new CommandFailedException("Standard input cannot be read (" + e + ")", e);
            }
        }

        /** The room that the ticket names; the server verifies the rest. */
        private static String room(String ticket) {
            try {
                byte[] payload = Base64.getUrlDecoder().decode(ticket.split("\\.", 3)[1]);
                String room = JsonMapper.shared().readTree(payload).path("aud").asString("");
                if (!room.isEmpty()) {
                    return room;
                }
            } catch (RuntimeException _) {
                // refused below
            }
            throw new CommandFailedException(Main.WRONG,
                    "This is no ticket: copy the whole value of the visitor's cookie"
                            + " __Host-orderly_t_ROOM",
                    null);
        }
    }
}
