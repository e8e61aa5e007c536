package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.operate.OperationSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Commands on single jobs. */
@Command(name = "job", synopsisSubcommandLabel = "COMMAND",
        description = "Search for jobs; look at one job, cancel it, send it an event, run it now, redrive it, or"
                + " push it again.",
        footer = {"  orderly job list --queue emails --state dead",
                "  orderly job show 01990000-0000-7000-8000-000000000000",
                "  orderly job cancel 01990000-0000-7000-8000-000000000000",
                "  orderly job event 01990000-0000-7000-8000-000000000000 approval"})
final class JobCommand {
    private static final String BASE = "/api/v1/jobs/";

    private JobCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new JobCommand()).addSubcommand("list", new BulkCommand.Find(terminal))
                .addSubcommand("show", new Show(terminal)).addSubcommand("attempts", new Attempts(terminal))
                .addSubcommand("steps", new Steps(terminal)).addSubcommand("events", new Events(terminal))
                .addSubcommand("event", new Event(terminal))
                .addSubcommand("cancel", new Cancel(terminal)).addSubcommand("run-now", new RunNow(terminal))
                .addSubcommand("redrive", new Redrive(terminal))
                .addSubcommand("push-again", new PushAgain(terminal));
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

    @Command(name = "steps", description = "List the steps that a job has done, in their order; values are masked.",
            footer = "  orderly job steps 01990000-0000-7000-8000-000000000000")
    static final class Steps extends OneJob {
        Steps(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return api.get(path() + "/steps", Map.of());
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            TextTable rows = new TextTable("STEP", "ATTEMPT", "KEPT", "TYPE", "BYTES", "VALUE");
            for (JsonNode step : answer.path("steps")) {
                JsonNode value = step.path("value");
                JsonNode json = value.path("json");
                rows.row(TextTable.text(step, "name"), TextTable.text(step, "attempt"), TextTable.text(step, "keptAt"),
                        TextTable.text(value, "contentType"), TextTable.text(value, "size"),
                        json.isMissingNode() ? TextTable.text(value, "text") : json.toString());
            }
            rows.print(to.out());
        }
    }

    @Command(name = "events", description = "List the events that have come for a job, and those that it awaits; values"
            + " are masked.", footer = "  orderly job events 01990000-0000-7000-8000-000000000000")
    static final class Events extends OneJob {
        Events(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return api.get(path() + "/events", Map.of());
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            TextTable rows = new TextTable("EVENT", "AWAITED UNTIL", "CAME", "FROM", "VALUE");
            for (JsonNode event : answer.path("events")) {
                JsonNode value = event.path("value");
                JsonNode json = value.path("json");
                rows.row(TextTable.text(event, "name"),
                        event.path("timedOut").asBoolean(false) ? "timed out" : TextTable.text(event, "awaitedUntil"),
                        TextTable.text(event, "cameAt"), TextTable.text(event, "from"),
                        json.isMissingNode() ? TextTable.text(value, "text") : json.toString());
            }
            rows.print(to.out());
        }
    }

    @Command(name = "event", footer = {"  orderly job event 01990000-0000-7000-8000-000000000000 approval",
            "  orderly job event 01990000-0000-7000-8000-000000000000 approval '{\"ok\":false}' --note 'too dear'"})
    static final class Event extends OneJob {
        private final Terminal terminal;

        @Parameters(index = "1", paramLabel = "NAME", description = "The name of the event.")
        private String name = "";
        @Parameters(index = "2", arity = "0..1", paramLabel = "JSON|@FILE|-",
                description = "The value: itself, a file with it, or - for standard input; true if not given.")
        private String content = "true";
        @Option(names = "--content-type", paramLabel = "TYPE",
                description = "The type of the value; application/json if not given.")
        private String contentType = "application/json";
        @Option(names = "--note", paramLabel = "TEXT",
                description = "What you say of it, for the job and the audit log.")
        private @Nullable String note;

        Event(Terminal terminal) {
            super(terminal);
            this.terminal = terminal;
        }

        @Spec
        void help(CommandSpec command) {
            OperationCommand.help(command, OperationSpec.SEND_EVENT);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return api.post(path() + "/events/" + ApiClient.encoded(name),
                    note == null ? Map.of() : Map.of("note", note),
                    QueuePush.content(content, terminal), Map.of("Content-Type", contentType));
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            to.out().println(answer.path("result").asString("").equals("repeated")
                    ? "An event of this name has come before, and counts; nothing was changed."
                    : "The event is kept.");
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
