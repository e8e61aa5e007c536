package dev.orderly.cli;

import dev.orderly.cli.terminal.Progress;
import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Search over jobs, and bulk operations on what it finds. */
@Command(name = "bulk", synopsisSubcommandLabel = "COMMAND",
        description = "Redrive or cancel all jobs that a search finds, in parts that leave room for other work.",
        footer = {"  orderly bulk redrive --queue emails --text mailbox --dry-run",
                "  orderly bulk cancel --queue emails --state dead", "  orderly bulk list"})
final class BulkCommand {
    private static final String BASE = "/api/v1/bulk";
    private static final Duration POLL = Duration.ofMillis(500);

    private BulkCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new BulkCommand()).addSubcommand("redrive", new Redrive(terminal))
                .addSubcommand("cancel", new Cancel(terminal)).addSubcommand("list", new ListAll(terminal))
                .addSubcommand("stop", new Stop(terminal));
    }

    /** The conditions of a search; all must hold. */
    static final class Conditions {
        @Option(names = "--queue", paramLabel = "NAME", description = "Jobs of this queue.")
        private String queue = "";
        @Option(names = "--state", paramLabel = "STATE",
                description = "Jobs in this state: waiting, delayed, running, done, dead or cancelled.")
        private String state = "";
        @Option(names = "--group", paramLabel = "NAME", description = "Jobs of this group of a FIFO queue.")
        private String group = "";
        @Option(names = "--user", paramLabel = "ID", description = "Jobs of this user.")
        private String user = "";
        @Option(names = "--param", paramLabel = "NAME=VALUE", description = "Jobs pushed with this param.")
        private String param = "";
        @Option(names = "--dedupe", paramLabel = "ID",
                description = "The job that has this dedupe id; needs --queue, and --group on a FIFO queue.")
        private String dedupe = "";
        @Option(names = "--error", paramLabel = "FINGERPRINT",
                description = "Dead letters with this error, as \"orderly queue dead NAME --by-error\" shows it.")
        private String error = "";
        @Option(names = "--text", paramLabel = "TEXT",
                description = "Jobs whose failure has this text, whose user or group it is, or whose id begins so.")
        private String text = "";
        @Option(names = "--from", paramLabel = "MOMENT", description = "Jobs pushed at or after this moment.")
        private String from = "";
        @Option(names = "--to", paramLabel = "MOMENT", description = "Jobs pushed before this moment.")
        private String to = "";

        /** The conditions that are set, by the names of the API. */
        Map<String, String> query() {
            Map<String, String> query = new LinkedHashMap<>();
            put(query, "queue", queue);
            put(query, "state", state);
            put(query, "group", group);
            put(query, "user", user);
            put(query, "param", param);
            put(query, "dedupe", dedupe);
            put(query, "error", error);
            put(query, "q", text);
            put(query, "from", from);
            put(query, "to", to);
            return query;
        }

        private static void put(Map<String, String> query, String name, String value) {
            if (!value.isEmpty()) {
                query.put(name, value);
            }
        }
    }

    @Command(name = "list", description = "Search for jobs, the newest first.",
            footer = {"  orderly job list --queue emails --state dead --text mailbox",
                    "  orderly job list --user ada --from 2026-03-01T00:00:00Z"})
    static final class Find extends ApiCommand {
        @Mixin
        private Conditions conditions = new Conditions();
        @Option(names = "--limit", paramLabel = "N", description = "Most jobs to show, 1 to 200; 50 if not given.")
        private int limit = 50;
        @Option(names = "--before", paramLabel = "ID", description = "Go on from here, as the page before says.")
        private String before = "";

        Find(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            Map<String, String> query = conditions.query();
            query.put("limit", Integer.toString(limit));
            if (!before.isEmpty()) {
                query.put("before", before);
            }
            return api.get("/api/v1/jobs", query);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            TextTable columns = new TextTable("JOB", "QUEUE", "STATE", "GROUP", "USER", "ATTEMPT", "FAILURE");
            answer.path("jobs").forEach(job -> columns.row(text(job, "id"), text(job, "queue"), text(job, "state"),
                    text(job, "group"), text(job, "user"), text(job, "attempt"),
                    job.path("failure").path("summary").asString(text(job, "reason"))));
            columns.print(to.out());
            String next = text(answer, "next");
            if (text(answer, "extent").equals("bound")) {
                to.out().println("The newest " + text(answer, "looked")
                        + " jobs were searched; search older ones with --before " + next);
            } else if (!next.equals("-")) {
                to.out().println("There may be more: --before " + next);
            }
        }
    }

    private static String text(JsonNode node, String name) {
        return TextTable.text(node, name);
    }

    /** Counts, or starts an operation and shows its progress until it ends. */
    static JsonNode run(ApiClient api, Terminal terminal, String action, Map<String, String> conditions,
            boolean dryRun) {
        ObjectNode request = JsonMapper.shared().createObjectNode().put("action", action);
        conditions.forEach(request::put);
        byte[] body = JsonMapper.shared().writeValueAsBytes(request);
        Map<String, String> headers = Map.of("Content-Type", "application/json");
        if (dryRun) {
            return api.post(BASE + "/count", Map.of(), body, headers);
        }
        JsonNode status = api.post(BASE, Map.of(), body, headers);
        String path = BASE + "/" + text(status, "id");
        Time time = Time.system();
        try (Progress progress = new Progress(terminal, action, " jobs", status.path("expected").asLong(0))) {
            long looked = 0;
            while (text(status, "phase").equals("running")) {
                time.park(time.deadline(POLL));
                status = api.get(path, Map.of());
                progress.step(status.path("looked").asLong(0) - looked);
                looked = status.path("looked").asLong(0);
            }
        }
        if (text(status, "phase").equals("failed")) {
            throw new CommandFailedException(
                    "It failed after " + text(status, "changed") + " jobs: " + text(status, "failure"),
                    null);
        }
        return status;
    }

    /** Prints a count, or the end of an operation. */
    static void printEnd(JsonNode answer, Terminal to) {
        if (answer.has("jobs")) {
            to.out().println((answer.path("atLeast").asBoolean() ? "At least " : "") + text(answer, "jobs")
                    + " jobs would be changed; nothing was.");
        } else {
            to.out().println(text(answer, "changed") + " of " + text(answer, "looked") + " jobs were "
                    + (text(answer, "action").equals("redrive") ? "redriven" : "cancelled")
                    + (text(answer, "phase").equals("stopped") ? "; then it was stopped." : "."));
        }
    }

    /** An operation on what a search finds. */
    abstract static class Operation extends ApiCommand {
        private final String action;
        private final Terminal terminal;
        @Mixin
        private Conditions conditions = new Conditions();
        @Option(names = "--dry-run", description = "Only count the jobs.")
        private boolean dryRun;

        Operation(Terminal terminal, String action) {
            super(terminal);
            this.terminal = terminal;
            this.action = action;
        }

        @Override
        JsonNode ask(ApiClient api) {
            return run(api, terminal, action, conditions.query(), dryRun);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            printEnd(answer, to);
        }
    }

    @Command(name = "redrive", description = "Let the dead letters that a search finds wait again.",
            footer = "  orderly bulk redrive --queue emails --text mailbox --dry-run")
    static final class Redrive extends Operation {
        Redrive(Terminal terminal) {
            super(terminal, "redrive");
        }
    }

    @Command(name = "cancel", description = "Cancel the jobs that a search finds, and delete its dead letters.",
            footer = "  orderly bulk cancel --queue emails --state dead --dry-run")
    static final class Cancel extends Operation {
        Cancel(Terminal terminal) {
            super(terminal, "cancel");
        }
    }

    @Command(name = "list", description = "Show the bulk operations of the node that answers.",
            footer = "  orderly bulk list")
    static final class ListAll extends ListCommand {
        ListAll(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            TextTable columns = new TextTable("OPERATION", "ACTION", "SELECTION", "PHASE", "LOOKED", "CHANGED",
                    "STARTED");
            answer.path("operations").forEach(each -> columns.row(text(each, "id"), text(each, "action"),
                    text(each, "selection"), text(each, "phase"), text(each, "looked"), text(each, "changed"),
                    text(each, "startedAt")));
            columns.print(to.out());
        }
    }

    @Command(name = "stop", description = "Stop a bulk operation after its part under way.",
            footer = "  orderly bulk stop 3f1f2c1e-0000-4000-8000-000000000000")
    static final class Stop extends ApiCommand {
        @Parameters(index = "0", paramLabel = "ID", description = "Its id, as the list shows it.")
        private String id = "";

        Stop(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return api.delete(BASE + "/" + ApiClient.encoded(id));
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            to.out().println("Operation " + id + " stops; " + text(answer, "changed") + " jobs were changed so far.");
        }
    }
}
