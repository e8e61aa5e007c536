package dev.orderly.cli;

import static dev.orderly.cli.terminal.TextTable.text;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The keys of a queue. */
@Command(name = "keys",
        description = "Show the keys of a queue, the one that waits for longest first; of a FIFO queue the"
                + " groups that an operator has paused.",
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
        print(answer.path("keys").valueStream().toList(), to);
    }

    /**
     * The API's path to a key.
     *
     * @param queue the path to the queue
     */
    static String path(String queue, String key) {
        return queue + "/keys/" + ApiClient.encoded(key);
    }

    /** Keys of the API as a table. */
    static void print(List<JsonNode> keys, Terminal to) {
        TextTable columns = new TextTable("KEY", "RUNNING", "STARTED", "OLDEST WAITING", "NEXT START", "STATE");
        keys.forEach(key -> columns.row(text(key, "key"), of(key, "running", "concurrency", ""),
                of(key, "started", "starts", " per " + TextTable.duration(key, "period")), text(key, "oldest"),
                text(key, "next"), state(key)));
        columns.print(to.out());
    }

    private static String of(JsonNode key, String used, String most, String unit) {
        return text(key, used) + (key.hasNonNull(most) ? " of " + text(key, most) + unit : "");
    }

    private static String state(JsonNode key) {
        JsonNode set = key.path("override");
        boolean bounded = set.hasNonNull("concurrency") || set.hasNonNull("starts");
        return key.path("paused").asBoolean()
                ? bounded ? "paused, bounds set by an operator" : "paused"
                : bounded ? "bounds set by an operator" : "";
    }
}
