package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import java.util.Map;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Shows whether a server is ready, and the state of its queues and rooms. */
@Command(name = "status", description = "Show whether the server takes requests, and how its queues and rooms stand.",
        footer = {
                "  orderly status", "  orderly status --url http://127.0.0.1:9081 --json"})
final class StatusCommand extends ApiCommand {
    StatusCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    JsonNode ask(ApiClient api) {
        api.get("/health/ready", Map.of());
        ObjectNode all = JsonMapper.shared().createObjectNode();
        all.set("queues", api.get(QueueCommand.BASE, Map.of()).path("queues"));
        all.set("rooms", api.get(RoomCommand.BASE, Map.of()).path("rooms"));
        all.set("nodes", api.get(NodeCommand.BASE, Map.of()).path("nodes"));
        return all;
    }

    @Override
    void print(JsonNode answer, Terminal to) {
        to.out().println("The server is ready.");
        QueueCommand.print(answer, to);
        if (!answer.path("rooms").isEmpty()) {
            to.out().println();
            RoomCommand.print(answer, to);
        }
        if (answer.path("nodes").size() > 1) {
            to.out().println();
            NodeCommand.print(answer, to);
        }
    }
}
