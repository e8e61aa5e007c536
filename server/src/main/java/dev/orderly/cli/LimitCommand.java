package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Commands on limits. */
@Command(name = "limit", synopsisSubcommandLabel = "COMMAND",
        description = "View the limits of jobs over all nodes.", footer = "  orderly limit list")
final class LimitCommand {
    private static final String BASE = "/api/v1/limits";

    private LimitCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new LimitCommand()).addSubcommand("list", new ListAll(terminal));
    }

    @Command(name = "list", description = "Show all limits that queues have, with what they count now.",
            footer = {"  orderly limit list", "  orderly limit list --json | jq '.limits[].running'"})
    static final class ListAll extends ListCommand {
        ListAll(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            TextTable columns = new TextTable("LIMIT", "RUNNING", "STARTED", "WAITING", "NEXT START", "QUEUES");
            answer.path("limits").forEach(limit -> columns.row(TextTable.text(limit, "limit"),
                    of(limit, "running", "concurrency", ""),
                    of(limit, "started", "starts", " per " + TextTable.duration(limit, "period")),
                    TextTable.text(limit, "waiting"), TextTable.text(limit, "next"), limit.path("queues").valueStream()
                            .map(queue -> queue.asString("")).collect(Collectors.joining(" "))));
            columns.print(to.out());
        }
    }

    private static String of(JsonNode limit, String used, String most, String unit) {
        if (!limit.path(most).isNumber()) {
            return "-";
        }
        return limit.path("limit").asString("").startsWith("key:")
                ? TextTable.text(limit, most) + " each" + unit
                : TextTable.text(limit, used) + " of " + TextTable.text(limit, most) + unit;
    }
}
