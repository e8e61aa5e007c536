package dev.orderly.cli;

import dev.orderly.cli.terminal.Progress;
import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.operate.OperationSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Commands on queues. */
@Command(name = "queue", synopsisSubcommandLabel = "COMMAND",
        description = "Push jobs; view and operate queues.", footer = {
                "  orderly queue push emails '{\"to\":\"ada@example.org\"}'", "  orderly queue list",
                "  orderly queue dead emails"})
final class QueueCommand {
    static final String BASE = "/api/v1/queues";

    private QueueCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new QueueCommand()).addSubcommand("push", new QueuePush(terminal))
                .addSubcommand("list", new ListAll(terminal)).addSubcommand("pause", new QueuePause.Pause(terminal))
                .addSubcommand("resume", new QueuePause.Resume(terminal)).addSubcommand("dead", new Dead(terminal))
                .addSubcommand("groups", new Groups(terminal)).addSubcommand("keys", new QueueKeys(terminal))
                .addSubcommand("redrive", new Redrive(terminal))
                .addSubcommand("set", new SetOptions(terminal)).addSubcommand("forget", new Forget(terminal));
    }

    /** The API's list of queues as a table. */
    static void print(JsonNode answer, Terminal terminal) {
        TextTable columns = new TextTable("QUEUE", "WAITING", "DELAYED", "RUNNING", "DEAD", "DONE", "PER SECOND",
                "STATE");
        for (JsonNode queue : answer.path("queues")) {
            JsonNode jobs = queue.path("jobs");
            List<String> states = new ArrayList<>();
            if (queue.path("paused").asBoolean()) {
                states.add("paused");
            }
            if (!queue.path("handled").asBoolean()) {
                states.add("no handler");
            }
            if (jobs.path("leased").asLong(0) > 0) {
                states.add(jobs.path("leased").asLong() + " at workers elsewhere");
            }
            if (jobs.path("haltedGroups").asLong(0) > 0) {
                states.add(jobs.path("haltedGroups").asLong() + " groups halted");
            }
            columns.row(text(queue, "queue"), text(jobs, "waiting"), text(jobs, "delayed"), text(jobs, "running"),
                    text(jobs, "dead"), text(jobs, "done"),
                    String.format(Locale.ROOT, "%.1f", queue.path("drainedPerSecond").asDouble(0)),
                    String.join(", ", states));
        }
        columns.print(terminal.out());
    }

    private static String text(JsonNode node, String name) {
        return TextTable.text(node, name);
    }

    @Command(name = "list", description = "Show all queues.", footer = {"  orderly queue list",
            "  orderly queue list --json | jq '.queues[].jobs'"})
    static final class ListAll extends ListCommand {
        ListAll(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            QueueCommand.print(answer, to);
        }
    }

    @Command(name = "forget", footer = "  orderly queue forget emails")
    static final class Forget extends DeleteCommand {
        Forget(Terminal terminal) {
            super(terminal, OperationSpec.FORGET_QUEUE, "Queue", "forgotten");
        }
    }

    @Command(name = "dead", description = "Show the dead letters of a queue, the oldest first, or by error.",
            footer = {"  orderly queue dead emails --limit 10", "  orderly queue dead emails --by-error"})
    static final class Dead extends NamedCommand {
        @Option(names = "--limit", paramLabel = "N",
                description = "Most dead letters to show, 1 to 200; 50 if not given.")
        private int limit = 50;
        @Option(names = "--after", paramLabel = "ID", description = "Only dead letters after this job.")
        private String after = "";
        @Option(names = "--by-error", description = "Show each error once, with the number of its dead letters.")
        private boolean byError;

        Dead(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            if (byError) {
                return api.get(path + "/dead", Map.of());
            }
            Map<String, String> query = new LinkedHashMap<>(Map.of("state", "dead", "limit", Integer.toString(limit)));
            if (!after.isEmpty()) {
                query.put("after", after);
            }
            return api.get(path + "/jobs", query);
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            if (byError) {
                printErrors(answer, to);
                return;
            }
            TextTable columns = new TextTable("JOB", "GROUP", "ATTEMPT", "ENDED", "FAILURE");
            answer.path("jobs").forEach(job -> columns.row(text(job, "id"), text(job, "group"), text(job, "attempt"),
                    text(job, "endedAt"), job.path("failure").path("summary").asString(text(job, "reason"))));
            columns.print(to.out());
            String next = answer.path("next").asString("");
            if (!next.isEmpty()) {
                to.out().println("There may be more: --after " + next);
            }
        }
    }

    @Command(name = "groups", description = "Show groups of a FIFO queue: the largest, oldest, halted, retrying or"
            + " running ones, or all by name. To resume a halted group, redrive or delete its dead letter.",
            footer = {"  orderly queue groups checkout.fifo --order halted",
                    "  orderly queue groups checkout.fifo --order name --name ann"})
    static final class Groups extends NamedCommand {
        @Option(names = "--order", paramLabel = "ORDER",
                description = "largest, oldest, halted, retrying, running or name; largest if not given.")
        private String order = "largest";
        @Option(names = "--name", paramLabel = "TEXT", description = "Only groups whose name begins so.")
        private String prefix = "";
        @Option(names = "--after", paramLabel = "NAME", description = "By name: only groups after this one.")
        private String after = "";
        @Option(names = "--limit", paramLabel = "N", description = "Most groups to show, 1 to 200; 50 if not given.")
        private int limit = 50;

        Groups(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return api.get(path + "/groups",
                    Map.of("order", order, "name", prefix, "after", after, "limit", Integer.toString(limit)));
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            TextTable columns = new TextTable("GROUP", "STATE", "JOBS", "OLDEST", "WAITS FOR");
            answer.path("groups").forEach(group -> columns.row(text(group, "group"), text(group, "phase"),
                    text(group, "jobs") + (group.path("atLeast").asBoolean() ? "+" : ""), text(group, "oldest"),
                    group.path("haltedBy").asString(text(group, "until"))));
            columns.print(to.out());
            if (!answer.path("complete").asBoolean(true)) {
                to.out().println("The queue has more than 1,000 groups; these are of the oldest and newest jobs.");
            }
            String next = answer.path("next").asString("");
            if (!next.isEmpty()) {
                to.out().println("There may be more: --after " + next);
            }
        }
    }

    /** Dead letters by error as a table. */
    private static void printErrors(JsonNode answer, Terminal to) {
        TextTable columns = new TextTable("ERROR", "COUNT", "LAST DIED", "EXAMPLE", "SHAPE");
        answer.path("errors").forEach(error -> columns.row(text(error, "error"),
                text(error, "count") + (error.path("atLeast").asBoolean() ? "+" : ""),
                text(error.path("last"), "diedAt"), text(error.path("last"), "id"), text(error, "shape")));
        columns.print(to.out());
        if (!answer.path("complete").asBoolean(true)) {
            to.out().println("There are more errors than these.");
        }
    }

    @Command(name = "redrive", description = "Return dead letters to their queue, failures reset. A terminal shows"
            + " how far it has come.",
            footer = {
                    "  orderly queue redrive emails --all",
                    "  orderly queue redrive emails 01990000-0000-7000-8000-000000000000",
                    "  orderly queue redrive emails --error 9f86d081884c7d65 --dry-run"})
    static final class Redrive extends NamedCommand {
        /** Dead letters of one request; one request is one transaction of the store. */
        private static final int PART = 1_000;

        @Parameters(index = "1..*", paramLabel = "ID", description = "Ids of dead letters.")
        private List<String> ids = new ArrayList<>();
        @Option(names = "--all", description = "All dead letters of now.")
        private boolean all;
        @Option(names = "--limit", paramLabel = "N", description = "Most jobs to redrive.")
        private @Nullable Long limit;
        @Option(names = "--error", paramLabel = "FINGERPRINT",
                description = "Only dead letters with this error, as \"orderly queue dead NAME --by-error\" shows it.")
        private String error = "";
        @Option(names = "--dry-run", description = "Only count the dead letters.")
        private boolean dryRun;

        private final Terminal terminal;

        Redrive(Terminal terminal) {
            super(terminal, BASE);
            this.terminal = terminal;
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            if (Stream.of(all, !ids.isEmpty(), !error.isEmpty()).filter(named -> named).count() != 1) {
                throw new CommandFailedException(Main.WRONG,
                        "Which dead letters is not clear: use either ids, --error or --all",
                        null);
            }
            if (!error.isEmpty() || dryRun) {
                return bulk(api, path);
            }
            if (limit != null && limit < 1) {
                throw new CommandFailedException(Main.WRONG, "--limit is " + limit + ": use 1 or more, or leave it out",
                        null);
            }
            if (!ids.isEmpty()) {
                return api.post(path + "/redrive", Map.of("ids", String.join(",", ids), "limit",
                        Long.toString(limit == null ? ids.size() : Math.min(limit, ids.size()))));
            }
            JsonNode queue = api.get(path, Map.of());
            long dead = queue.path("jobs").path("dead").asLong(0);
            long redriven = inParts(api, path, limit == null ? dead : Math.min(limit, dead));
            return JsonMapper.shared().createObjectNode().put("queue", text(queue, "queue")).put("redriven", redriven);
        }

        private JsonNode bulk(ApiClient api, String path) {
            if (!ids.isEmpty() || limit != null) {
                throw new CommandFailedException(Main.WRONG,
                        "--error and --dry-run work without a limit and on no single ids: leave ids and --limit out",
                        null);
            }
            Map<String, String> conditions = new LinkedHashMap<>(
                    Map.of("queue", path.substring(path.lastIndexOf('/') + 1)));
            if (!error.isEmpty()) {
                conditions.put("error", error);
            }
            return BulkCommand.run(api, terminal, "redrive", conditions, dryRun);
        }

        /** Dead letters that come while it runs are left out, so that a failing handler does not keep it busy. */
        private long inParts(ApiClient api, String path, long total) {
            long redriven = 0;
            try (Progress progress = new Progress(terminal, "Redriving", " jobs", total)) {
                while (redriven < total) {
                    long part = api.post(path + "/redrive",
                            Map.of("all", "true", "limit", Long.toString(Math.min(PART, total - redriven))))
                            .path("redriven").asLong(0);
                    if (part == 0) {
                        return redriven;
                    }
                    redriven += part;
                    progress.step(part);
                }
                return redriven;
            } catch (CommandFailedException e) {
                throw new CommandFailedException(redriven + " of " + total + " dead letters were redriven, then: "
                        + e.getMessage(), e);
            }
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            if (!answer.has("redriven")) {
                BulkCommand.printEnd(answer, to);
                return;
            }
            to.out().println(text(answer, "redriven") + " jobs of queue " + name + " wait again.");
        }
    }

    @Command(name = "set",
            description = "Change settings of a queue on all nodes, until they are reset. Running jobs go on:"
                    + " with fewer"
                    + " handlers no job starts until enough of them have ended. The value \"default\" restores the"
                    + " configured one.",
            footer = {"  orderly queue set emails --concurrency 8", "  orderly queue set emails --timeout default",
                    "  orderly queue set emails --reset"})
    static final class SetOptions extends NamedCommand {
        private static final String DEFAULT = "default";

        @Option(names = "--concurrency", paramLabel = "N", description = "Handlers at once, on each node.")
        private @Nullable String concurrency;
        @Option(names = "--timeout", paramLabel = "TIME", description = "The longest attempt, such as 30s.")
        private @Nullable String timeout;
        @Option(names = "--max-pending", paramLabel = "N",
                description = "Waiting and delayed jobs from which on pushes are refused.")
        private @Nullable String maxPending;
        @Option(names = "--max-leased", paramLabel = "N",
                description = "Running jobs without a node from which on no further job starts.")
        private @Nullable String maxLeased;
        @Option(names = "--reset", description = "Restore all configured values.")
        private boolean reset;

        SetOptions(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            ObjectNode body = JsonMapper.shared().createObjectNode();
            if (reset) {
                body.putNull("concurrency").putNull("timeout").putNull("maxPending").putNull("maxLeased");
            }
            number(body, "concurrency", "--concurrency", concurrency);
            if (timeout != null) {
                body.put("timeout", timeout.equals(DEFAULT) ? null : timeout);
            }
            number(body, "maxPending", "--max-pending", maxPending);
            number(body, "maxLeased", "--max-leased", maxLeased);
            if (body.isEmpty()) {
                throw new CommandFailedException(Main.WRONG,
                        "No setting is named: use --concurrency, --timeout, --max-pending,"
                                + " --max-leased or --reset",
                        null);
            }
            return api.patch(path, JsonMapper.shared().writeValueAsBytes(body));
        }

        private static void number(ObjectNode body, String name, String option, @Nullable String value) {
            if (value == null || value.equals(DEFAULT)) {
                if (value != null) {
                    body.putNull(name);
                }
                return;
            }
            try {
                body.put(name, Long.parseLong(value));
            } catch (NumberFormatException e) {
                throw new CommandFailedException(Main.WRONG,
                        option + " is " + value + ": use a whole number, or " + DEFAULT, e);
            }
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            TextTable columns = new TextTable("SETTING", "IN FORCE", "CONFIGURED");
            for (String setting : List.of("concurrency", "timeout", "maxPending", "maxLeased")) {
                columns.row(setting, setting(answer.path("options"), setting),
                        setting(answer.path("configured"), setting));
            }
            columns.print(to.out());
        }

        private static String setting(JsonNode options, String name) {
            return name.equals("timeout") ? TextTable.duration(options, name) : text(options, name);
        }
    }
}
