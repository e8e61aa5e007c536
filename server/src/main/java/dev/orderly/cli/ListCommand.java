package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A command that lists: it asks the API for all items. */
abstract class ListCommand extends ApiCommand {
    private final String base;

    /** @param base the API's path to all items */
    ListCommand(Terminal terminal, String base) {
        super(terminal);
        this.base = base;
    }

    @Override
    final JsonNode ask(ApiClient api) {
        return api.get(base, Map.of());
    }
}
