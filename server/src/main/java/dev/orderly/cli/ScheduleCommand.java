package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.operate.OperationSpec;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Commands on schedules. */
@Command(name = "schedule", synopsisSubcommandLabel = "COMMAND",
        description = "View schedules; make, pause, resume, run or forget one.",
        footer = {"  orderly schedule list", "  orderly schedule show daily-report",
                "  orderly schedule run daily-report"})
final class ScheduleCommand {
    private static final String BASE = "/api/v1/schedules";

    private ScheduleCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new ScheduleCommand()).addSubcommand("list", new ListAll(terminal))
                .addSubcommand("show", new Show(terminal)).addSubcommand("run", new Run(terminal))
                .addSubcommand("pause", new Pause(terminal)).addSubcommand("resume", new Resume(terminal))
                .addSubcommand("set", new SetSchedule(terminal)).addSubcommand("forget", new Forget(terminal));
    }

    private static String text(JsonNode node, String name) {
        return TextTable.text(node, name);
    }

    @Command(name = "list",
            description = "Show all schedules; an undeclared one is known to the store, and no live node fires it.",
            footer = {"  orderly schedule list",
                    "  orderly schedule list --json | jq '.schedules[].next'"})
    static final class ListAll extends ListCommand {
        ListAll(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            TextTable columns = new TextTable("SCHEDULE", "WHEN", "ZONE", "QUEUE", "NEXT", "LAST", "LAST JOB",
                    "SKIPPED");
            answer.path("schedules").forEach(schedule -> columns.row(text(schedule, "schedule"), text(schedule, "cron"),
                    text(schedule, "zone"), text(schedule, "queue"), next(schedule), text(schedule, "last"),
                    text(schedule, "lastState"), text(schedule, "lastSkipped")));
            answer.path("undeclared").forEach(schedule -> columns.row(text(schedule, "schedule"),
                    text(schedule, "timing"), "", "", "undeclared", text(schedule, "last"), "", ""));
            columns.print(to.out());
        }
    }

    private static String next(JsonNode schedule) {
        return schedule.path("paused").isObject()
                ? "paused"
                : schedule.path("awaitsEnd").asBoolean(false) ? "after the run" : text(schedule, "next");
    }

    @Command(name = "show", description = "Show the next instants of a schedule, and its last runs.",
            footer = "  orderly schedule show daily-report")
    static final class Show extends NamedCommand {
        Show(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return api.get(path, Map.of());
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            JsonNode paused = answer.path("paused");
            to.out().println("Schedule " + name + ": " + text(answer, "cron") + " (" + text(answer, "zone")
                    + ") into queue " + text(answer, "queue") + (answer.hasNonNull("jitter")
                            ? ", up to " + TextTable.duration(answer, "jitter") + " after each instant"
                            : ""));
            if (answer.path("made").isObject()) {
                to.out().println("Made by " + text(answer.path("made"), "by") + " at " + text(answer.path("made"), "at")
                        + "; remove it with: orderly schedule forget " + name);
            }
            to.out().println(paused.isObject()
                    ? "Paused by " + text(paused, "by") + " at " + text(paused, "at")
                            + "; resume it with: orderly schedule resume " + name
                    : answer.path("awaitsEnd").asBoolean(false)
                            ? "Next: after the end of the run under way"
                            : "Next: " + answer.path("upcoming").valueStream().map(JsonNode::asString)
                                    .collect(Collectors.joining(", ")));
            TextTable columns = new TextTable("INSTANT", "PUSHED", "OUTCOME", "ENDED", "JOB");
            answer.path("runs").forEach(run -> columns.row(
                    run.path("instant").isNull() ? "by hand" : text(run, "instant"), text(run, "at"),
                    text(run, "outcome")
                            + (run.path("skips").asInt(0) > 1 ? " x " + run.path("skips").asInt(0) : ""),
                    text(run, "endedAt"), text(run, "job")));
            columns.print(to.out());
        }
    }

    @Command(name = "pause", footer = "  orderly schedule pause daily-report")
    static final class Pause extends OperationCommand {
        Pause(Terminal terminal) {
            super(terminal, OperationSpec.PAUSE_SCHEDULE);
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("Schedule " + name + " is paused; resume it with: orderly schedule resume " + name);
        }
    }

    @Command(name = "resume", footer = "  orderly schedule resume daily-report")
    static final class Resume extends OperationCommand {
        Resume(Terminal terminal) {
            super(terminal, OperationSpec.RESUME_SCHEDULE);
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("Schedule " + name + " fires again, next " + (answer.path("awaitsEnd").asBoolean(false)
                    ? "after the end of the run under way"
                    : "at " + text(answer, "next")) + ".");
        }
    }

    @Command(name = "set",
            description = "Make or change a schedule, which the store keeps: every node that has its queue fires it."
                    + " Those of the configuration are changed there.",
            footer = {"  orderly schedule set tenant-7 --cron \"daily at 07:30\" --zone Europe/Berlin --queue reports",
                    "  orderly schedule set tenant-7 --cron hourly --jitter 10m --queue reports --payload @a.json"})
    static final class SetSchedule extends NamedCommand {
        private final Terminal terminal;

        @Option(names = "--cron", required = true, paramLabel = "TIMING",
                description = "Cron fields, or words such as \"every 15 minutes\".")
        private String cron = "";
        @Option(names = "--zone", paramLabel = "ZONE", description = "The time zone of the timing; UTC if not given.")
        private @Nullable String zone;
        @Option(names = "--jitter", paramLabel = "TIME",
                description = "The longest time by which a run begins after its instant, such as 10m.")
        private @Nullable String jitter;
        @Option(names = "--queue", required = true, paramLabel = "QUEUE", description = "The queue of its jobs.")
        private String queue = "";
        @Option(names = "--group", paramLabel = "G", description = "The group of its jobs; a FIFO queue needs one.")
        private @Nullable String group;
        @Option(names = "--payload", paramLabel = "JSON|@FILE|-", defaultValue = "{}",
                description = "The payload, a file with it, or - for standard input; {} if not given.")
        private String payload = "{}";

        SetSchedule(Terminal terminal) {
            super(terminal, BASE);
            this.terminal = terminal;
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            ObjectNode body = JsonMapper.shared().createObjectNode().put("cron", cron).put("zone", zone)
                    .put("jitter", jitter).put("queue", queue).put("group", group);
            try {
                body.set("payload", JsonMapper.shared().readTree(QueuePush.content(payload, terminal)));
            } catch (JacksonException e) {
                throw new CommandFailedException(Main.WRONG,
                        "The payload is not JSON (" + e.getOriginalMessage() + "): correct it", e);
            }
            return api.put(path, JsonMapper.shared().writeValueAsBytes(body));
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("Schedule " + name + " fires on all nodes within seconds, next "
                    + (answer.path("awaitsEnd").asBoolean(false)
                            ? "after the end of the run under way"
                            : "at " + text(answer, "next"))
                    + ".");
        }
    }

    @Command(name = "forget", footer = "  orderly schedule forget daily-report")
    static final class Forget extends DeleteCommand {
        Forget(Terminal terminal) {
            super(terminal, OperationSpec.FORGET_SCHEDULE, "Schedule", "forgotten");
        }
    }

    @Command(name = "run", footer = "  orderly schedule run daily-report")
    static final class Run extends OperationCommand {
        Run(Terminal terminal) {
            super(terminal, OperationSpec.RUN_SCHEDULE);
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("Schedule " + name + " runs: job " + text(answer, "id") + " of queue "
                    + text(answer, "queue") + ".");
        }
    }
}
