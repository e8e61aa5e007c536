package dev.orderly.cli;

import static dev.orderly.cli.terminal.TextTable.text;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The keys of a queue. */
@Command(name = "keys", description = "Show the keys of a queue: the one that waits for longest first.",
        footer = "  orderly queue keys exports")
final class QueueKeys extends NamedCommand {
    @Option(names = "--limit", paramLabel = "N", description = "Most keys to show, 1 to 200; 50 if not given.")
    private int limit = 50;

    QueueKeys(Terminal terminal) {
        super(terminal, QueueCommand.BASE);
    }

    @Override
    JsonNode ask(ApiClient api, String path) {
        return api.get(path + "/keys", Map.of("limit", Integer.toString(limit)));
    }

    @Override
    void print(JsonNode answer, String name, Terminal to) {
        TextTable columns = new TextTable("KEY", "RUNNING", "STARTED", "OLDEST WAITING", "NEXT START");
        answer.path("keys").forEach(key -> columns.row(text(key, "key"), text(key, "running"), text(key, "started"),
                text(key, "oldest"), text(key, "next")));
        columns.print(to.out());
    }
}
