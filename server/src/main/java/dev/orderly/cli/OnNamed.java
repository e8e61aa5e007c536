package dev.orderly.cli;

import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** What every command on one queue or one room has: it asks the API below its name. */
abstract class OnNamed extends ApiCommand {
    private final String base;

    @Parameters(index = "0", paramLabel = "NAME", description = "Which one; its name as the list shows it.")
    private String name = "";

    /** @param base the API's path to all of them */
    OnNamed(Terminal terminal, String base) {
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
