package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.operate.OperationSpec;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.VisitorQuery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Commands on single jobs. */
@Command(name = "job", synopsisSubcommandLabel = "COMMAND",
        description = "Search for jobs; look at one job, cancel it, run it now, redrive it, or push it again.",
        footer = {"  orderly job list --queue emails --state dead",
                "  orderly job show 01990000-0000-7000-8000-000000000000",
                "  orderly job cancel 01990000-0000-7000-8000-000000000000"})
final class JobCommand {
    private static final String BASE = "/api/v1/jobs/";

    private JobCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new JobCommand()).addSubcommand("list", new BulkCommand.Find(terminal))
                .addSubcommand("show", new Show(terminal)).addSubcommand("attempts", new Attempts(terminal))
                .addSubcommand("cancel", new Cancel(terminal)).addSubcommand("run-now", new RunNow(terminal))
                .addSubcommand("redrive", new Redrive(terminal))
                .addSubcommand("push-again", new PushAgain(terminal));
    }

    /** The command that explains, with the subcommands for jobs and visitors. */
    static CommandLine why(Terminal terminal) {
        return new CommandLine(new Why()).addSubcommand("job", new WhyJob(terminal))
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

    /** Described here; each subcommand asks. */
    @Command(name = "why", synopsisSubcommandLabel = "COMMAND",
            description = "Say what keeps a job from running or a visitor from entering.",
            footer = {"  orderly why job 01990000-0000-7000-8000-000000000000", "  orderly why visitor -"})
    static final class Why {}

    @Command(name = "job", description = "Say what keeps a job from running, and what to do.",
            footer = "  orderly why job 01990000-0000-7000-8000-000000000000")
    static final class WhyJob extends OneJob {
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

    @Command(name = "push-again", footer = {"  orderly job push-again 01990000-0000-7000-8000-000000000000",
            "  orderly job push-again 01990000-0000-7000-8000-000000000000 @corrected.json"})
    static final class PushAgain extends OneJob {
        private final Terminal terminal;

        @Parameters(index = "1", arity = "0..1", paramLabel = "JSON|@FILE|-",
                description = "A payload in place of the dead letter's: itself, a file with it, or - for standard"
                        + " input.")
        private @Nullable String content;
        @Option(names = "--content-type", paramLabel = "TYPE",
                description = "The type of that payload; application/json if not given.")
        private String contentType = "application/json";

        PushAgain(Terminal terminal) {
            super(terminal);
            this.terminal = terminal;
        }

        @Spec
        void help(CommandSpec command) {
            OperationCommand.help(command, OperationSpec.PUSH_AGAIN);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return content == null
                    ? api.post(path() + "/push-again", Map.of())
                    : api.post(path() + "/push-again", Map.of(), QueuePush.content(content, terminal),
                            Map.of("Content-Type", contentType));
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            to.out().println(TextTable.text(answer, "id"));
            if (answer.path("duplicate").asBoolean(false)) {
                to.err().println("It was pushed again a moment ago; no job was added.");
            }
        }
    }

    @Command(name = "run-now", footer = "  orderly job run-now 01990000-0000-7000-8000-000000000000")
    static final class RunNow extends JobOperation {
        RunNow(Terminal terminal) {
            super(terminal, OperationSpec.RUN_NOW);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            to.out().println("Job " + id() + " is due now.");
        }
    }

    @Command(name = "redrive", footer = "  orderly job redrive 01990000-0000-7000-8000-000000000000")
    static final class Redrive extends JobOperation {
        Redrive(Terminal terminal) {
            super(terminal, OperationSpec.REDRIVE_JOB);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            to.out().println("Job " + id() + " waits again.");
        }
    }

    @Command(name = "attempts", description = "List the attempts of a job, oldest first, with their errors.",
            footer = "  orderly job attempts 01990000-0000-7000-8000-000000000000")
    static final class Attempts extends OneJob {
        Attempts(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return api.get(path() + "/attempts", Map.of());
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            TextTable rows = new TextTable("ATTEMPT", "OUTCOME", "STARTED", "ENDED", "NODE", "ERROR");
            for (JsonNode attempt : answer.path("attempts")) {
                rows.row(TextTable.text(attempt, "number"), TextTable.text(attempt, "outcome"),
                        TextTable.text(attempt, "startedAt"), TextTable.text(attempt, "endedAt"),
                        TextTable.text(attempt, "node"), TextTable.text(attempt.path("failure"), "summary"));
            }
            rows.print(to.out());
        }
    }

    /** A command on the job with an id. */
    abstract static class OneJob extends ApiCommand {
        @Parameters(index = "0", paramLabel = "ID", description = "The job's id, as the push printed it.")
        private String id = "";

        OneJob(Terminal terminal) {
            super(terminal);
        }

        final String path() {
            return BASE + ApiClient.encoded(id);
        }

        final String id() {
            return id;
        }
    }

    /** A command that is one operation on a job, without parameters. */
    abstract static class JobOperation extends OneJob {
        private final OperationSpec operation;

        JobOperation(Terminal terminal, OperationSpec operation) {
            super(terminal);
            this.operation = operation;
        }

        @Spec
        final void help(CommandSpec command) {
            OperationCommand.help(command, operation);
        }

        @Override
        final JsonNode ask(ApiClient api) {
            return OperationCommand.ask(api, operation, path());
        }
    }

    @Command(name = "show", description = "Show the state of a job, its failure, progress, payload and result.",
            footer = "  orderly job show 01990000-0000-7000-8000-000000000000")
    static final class Show extends OneJob {
        @Option(names = "--reveal", description = "Show the values that are masked (redact); this is in the audit log.")
        private boolean reveal;

        Show(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return reveal ? api.post(path() + "/reveal", Map.of()) : api.get(path(), Map.of());
        }

        @Override
        void print(JsonNode job, Terminal to) {
            TextTable columns = new TextTable("JOB", TextTable.text(job, "id"));
            for (String name : new String[]{"queue", "group", "user", "state", "priority", "attempt", "failures"}) {
                columns.row(name, TextTable.text(job, name));
            }
            columns.row("origin", TextTable.text(job, "origin"));
            JsonNode terms = job.path("terms");
            for (String name : new String[]{"unique", "attempts", "timeout", "debounce", "atMost", "dedupeFor",
                    "cost"}) {
                if (terms.hasNonNull(name)) {
                    columns.row(name, TextTable.text(terms, name) + " (said by the push)");
                }
            }
            if (terms.hasNonNull("expiresAt")) {
                columns.row("expires", TextTable.text(terms, "expiresAt"));
            }
            columns.row("pushed", TextTable.text(job, "pushedAt"));
            columns.row("due", TextTable.text(job, "dueAt"));
            columns.row("started", TextTable.text(job, "startedAt"));
            columns.row("ended", TextTable.text(job, "endedAt"));
            columns.row("reason", TextTable.text(job, "reason"));
            columns.row("failure", TextTable.text(job.path("failure"), "summary"));
            columns.row("progress", progress(job.path("progress")));
            columns.row("payload", content(job.path("payload")));
            columns.row("result", content(job.path("result")));
            columns.print(to.out());
            String detail = job.path("failure").path("detail").asString("");
            if (!detail.isEmpty()) {
                to.out().println();
                detail.lines().forEach(line -> to.out().println("  " + line)); // so that none forges a line of ours
            }
        }

        private static String progress(JsonNode progress) {
            return progress.isObject()
                    ? TextTable.text(progress, "done") + " of " + TextTable.text(progress, "total") + " "
                            + TextTable.text(progress, "text")
                    : "-";
        }

        private static String content(JsonNode payload) {
            if (!payload.isObject()) {
                return "-";
            }
            String value = payload.has("json")
                    ? payload.path("json").toString()
                    : payload.path("text").asString(payload.path("size").asString("") + " bytes");
            return value + " (" + TextTable.text(payload, "contentType") + ")";
        }
    }

    @Command(name = "cancel", footer = "  orderly job cancel 01990000-0000-7000-8000-000000000000")
    static final class Cancel extends JobOperation {
        Cancel(Terminal terminal) {
            super(terminal, OperationSpec.CANCEL);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            to.out().println("Job " + id() + switch (answer.path("result").asString("")) {
                case "signalled" ->
                    " has begun and was signalled; unless its handler completes it, it ends as cancelled.";
                case "requested" -> " is held by another node or a worker, which is told; unless it is completed there,"
                        + " it ends as cancelled.";
                default -> " is cancelled. It will not run.";
            });
        }
    }
}
