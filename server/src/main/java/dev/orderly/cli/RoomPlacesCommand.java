package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Who took the places of a room lately. */
@Command(name = "places",
        description = "Show which addresses, networks (IPv4 /24, IPv6 /48) and users took the most places in this hour"
                + " and the one before, over all nodes. Addresses are personal data.",
        footer = {"  orderly room places sale", "  orderly room places sale --limit 50"})
final class RoomPlacesCommand extends NamedCommand {
    @Option(names = "--limit", paramLabel = "N",
            description = "The most takers in each list, 1 to 100; 10 if not given.")
    private int limit = 10;

    RoomPlacesCommand(Terminal terminal) {
        super(terminal, RoomCommand.BASE);
    }

    @Override
    JsonNode ask(ApiClient api, String path) {
        return api.get(path + "/places", Map.of("limit", Integer.toString(limit)));
    }

    @Override
    void print(JsonNode answer, String name, Terminal to) {
        long all = answer.path("places").asLong();
        to.out().println(all == 0
                ? "Nobody has taken a place of room " + name + " in this hour or the one before."
                : all + " places since " + TextTable.text(answer, "since"));
        print(answer.path("networks"), "NETWORK", all, to);
        print(answer.path("addresses"), "ADDRESS", all, to);
        print(answer.path("signIns"), "USER", all, to);
        RoomCommand.printUnreachable(answer, to);
    }

    private static void print(JsonNode takers, String kind, long all, Terminal to) {
        if (takers.path("rows").isEmpty()) {
            return;
        }
        to.out().println();
        TextTable columns = new TextTable(kind, "PLACES", "SHARE");
        takers.path("rows").forEach(row -> columns.row(TextTable.text(row, "taker"), TextTable.text(row, "places"),
                Math.round(100.0 * row.path("places").asLong() / Math.max(1, all)) + " %"));
        columns.print(to.out());
        long error = takers.path("error").asLong();
        if (error > 0) {
            to.out().println("Each number may be up to " + error + " too low.");
        }
    }
}
