package dev.orderly.cli;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Commands on single jobs. */
@Command(name = "job", synopsisSubcommandLabel = "COMMAND", description = "Look at one job, or cancel it.",
        footer = {"  orderly job show 01990000-0000-7000-8000-000000000000",
                "  orderly job cancel 01990000-0000-7000-8000-000000000000"})
final class JobCommand {
    private static final String BASE = "/api/v1/jobs/";

    private JobCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new JobCommand()).addSubcommand("show", new Show(terminal))
                .addSubcommand("cancel", new Cancel(terminal));
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

    @Command(name = "show", description = "Show the state of a job, its failure, progress, payload and result.",
            footer = "  orderly job show 01990000-0000-7000-8000-000000000000")
    static final class Show extends OneJob {
        Show(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return api.get(path(), Map.of());
        }

        @Override
        void print(JsonNode job, Terminal to) {
            TextTable columns = new TextTable("JOB", QueueCommand.text(job, "id"));
            for (String name : new String[]{"queue", "group", "user", "state", "priority", "attempt", "failures"}) {
                columns.row(name, QueueCommand.text(job, name));
            }
            columns.row("pushed", QueueCommand.text(job, "pushedAt"));
            columns.row("due", QueueCommand.text(job, "dueAt"));
            columns.row("ended", QueueCommand.text(job, "endedAt"));
            columns.row("reason", QueueCommand.text(job, "reason"));
            columns.row("failure", QueueCommand.text(job.path("failure"), "summary"));
            columns.row("progress", progress(job.path("progress")));
            columns.row("payload", content(job.path("payload")));
            columns.row("result", content(job.path("result")));
            columns.print(to.out());
            String detail = job.path("failure").path("detail").asString("");
            if (!detail.isEmpty()) {
                to.out().println();
                to.out().println(detail);
            }
        }

        private static String progress(JsonNode progress) {
            return progress.isObject()
                    ? QueueCommand.text(progress, "done") + " of " + QueueCommand.text(progress, "total") + " "
                            + QueueCommand.text(progress, "text")
                    : "-";
        }

        private static String content(JsonNode payload) {
            if (!payload.isObject()) {
                return "-";
            }
            String value = payload.has("json")
                    ? payload.path("json").toString()
                    : payload.path("text").asString(payload.path("size").asString("") + " bytes");
            return value + " (" + QueueCommand.text(payload, "contentType") + ")";
        }
    }

    @Command(name = "cancel",
            description = "Cancel a job: one that waits never runs, one that runs gets its cancellation signal.",
            footer = "  orderly job cancel 01990000-0000-7000-8000-000000000000")
    static final class Cancel extends OneJob {
        Cancel(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return api.delete(path());
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            to.out().println(answer.path("result").asString("").equals("signalled")
                    ? "Job " + id() + " runs; its cancellation was signalled, and the outcome of its handler counts."
                    : "Job " + id() + " is cancelled.");
        }
    }
}
