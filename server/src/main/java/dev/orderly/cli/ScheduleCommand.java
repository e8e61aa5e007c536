package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Commands on schedules. */
@Command(name = "schedule", synopsisSubcommandLabel = "COMMAND",
        description = "View schedules, and run one by hand.",
        footer = {"  orderly schedule list", "  orderly schedule run daily-report"})
final class ScheduleCommand {
    private static final String BASE = "/api/v1/schedules";

    private ScheduleCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new ScheduleCommand()).addSubcommand("list", new ListAll(terminal))
                .addSubcommand("run", new Run(terminal));
    }

    private static String text(JsonNode node, String name) {
        return TextTable.text(node, name);
    }

    @Command(name = "list", description = "Show all schedules.", footer = {"  orderly schedule list",
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
                    text(schedule, "zone"), text(schedule, "queue"), text(schedule, "next"), text(schedule, "last"),
                    text(schedule, "lastState"), text(schedule, "lastSkipped")));
            columns.print(to.out());
        }
    }

    @Command(name = "run",
            description = "Push the job of a schedule now, unless its last run has not ended. Its timing stays.",
            footer = "  orderly schedule run daily-report")
    static final class Run extends NamedCommand {
        Run(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return api.post(path + "/run", Map.of());
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("Schedule " + name + " runs: job " + text(answer, "id") + " of queue "
                    + text(answer, "queue") + ".");
        }
    }
}
