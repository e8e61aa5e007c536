package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import java.util.List;
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
        JsonNode ready = api.get("/health/ready", Map.of());
        ObjectNode all = JsonMapper.shared().createObjectNode();
        all.set("warnings", ready.path("warnings").isMissingNode()
                ? JsonMapper.shared().createArrayNode()
                : ready.path("warnings"));
        all.set("queues", api.get(QueueCommand.BASE, Map.of()).path("queues"));
        all.set("rooms", api.get(RoomCommand.BASE, Map.of()).path("rooms"));
        all.set("nodes", api.get(NodeCommand.BASE, Map.of()).path("nodes"));
        return all;
    }

    @Override
    void print(JsonNode answer, Terminal to) {
        to.out().println("The server is ready.");
        answer.path("warnings").forEach(warning -> to.out().println("Warning: " + warning.asString("")));
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

    @Command(name = "about",
            description = "Show version, store, listeners, certificates and health checks of a server.",
            footer = "  orderly about")
    static final class About extends ApiCommand {
        About(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return api.get("/api/v1/about", Map.of());
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            TextTable columns = new TextTable("FACT", "VALUE");
            for (String fact : List.of("version", "startedAt", "javaVersion", "system", "store")) {
                columns.row(fact, TextTable.text(answer, fact));
            }
            answer.path("storeFacts").properties()
                    .forEach(fact -> columns.row("store: " + fact.getKey(), fact.getValue().asString("")));
            for (JsonNode listener : answer.path("listeners")) {
                columns.row("listener " + TextTable.text(listener, "name"), TextTable.text(listener, "address") + ":"
                        + TextTable.text(listener, "port"));
                listener.path("certificates").forEach(certificate -> columns.row("certificate of "
                        + TextTable.text(listener, "name"), "ends " + TextTable.text(certificate, "ends")));
            }
            answer.path("health").properties().forEach(check -> columns.row("check " + check.getKey(),
                    check.getValue().asString("").isEmpty() ? "ok" : check.getValue().asString("")));
            answer.path("warnings").forEach(warning -> columns.row("warning", warning.asString("")));
            columns.print(to.out());
        }
    }
}
