package dev.orderly.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Whether a server is there, and how its queues stand. */
@Command(name = "status", description = "Show whether the server takes requests, and how its queues and rooms stand.",
        footer = {
                "  orderly status", "  orderly status --url http://127.0.0.1:9081 --json"})
final class StatusCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private Server server = new Server();

    StatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (ApiClient api = server.client(terminal.environment())) {
            api.get("/health/ready", Map.of());
            JsonNode queues = api.get(QueueCommand.BASE, Map.of());
            JsonNode rooms = api.get(RoomCommand.BASE, Map.of());
            ObjectNode both = JsonMapper.shared().createObjectNode();
            both.set("queues", queues.path("queues"));
            both.set("rooms", rooms.path("rooms"));
            server.show(both, terminal, () -> {
                terminal.out().println("The server is ready.");
                QueueCommand.print(queues, terminal);
                if (!rooms.path("rooms").isEmpty()) {
                    terminal.out().println();
                    RoomCommand.print(rooms, terminal);
                }
            });
        }
        return Main.OK;
    }
}
