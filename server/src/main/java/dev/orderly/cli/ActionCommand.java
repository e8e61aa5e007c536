package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A command that posts one action without a body below the name. */
abstract class ActionCommand extends NamedCommand {
    private final String action;

    /** @param base the API's path to all items */
    ActionCommand(Terminal terminal, String base, String action) {
        super(terminal, base);
        this.action = action;
    }

    @Override
    final JsonNode ask(ApiClient api, String path) {
        return api.post(path + "/" + action, Map.of());
    }
}
