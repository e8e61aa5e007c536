package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** A command on one queue, room or schedule: it calls the API below the name. */
abstract class NamedCommand extends ApiCommand {
    private final String base;

    @Parameters(index = "0", paramLabel = "NAME", description = "Its name, as the list shows it.")
    private String name = "";

    /** @param base the API's path to all items */
    NamedCommand(Terminal terminal, String base) {
        super(terminal);
        this.base = base;
    }

    @Override
    final JsonNode ask(ApiClient api) {
        return ask(api, base + "/" + ApiClient.encoded(name));
    }

    @Override
    final void print(JsonNode answer, Terminal to) {
        print(answer, name, to);
    }

    abstract JsonNode ask(ApiClient api, String path);

    abstract void print(JsonNode answer, String called, Terminal to);
}
