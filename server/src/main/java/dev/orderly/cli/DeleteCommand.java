package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import tools.jackson.databind.JsonNode;

/** A command that deletes a named thing. */
abstract class DeleteCommand extends NamedCommand {
    private final String kind;
    private final String done;

    /**
     * @param base the API's path to all items
     * @param kind of the thing, as the message begins with it
     * @param done what the thing is then
     */
    DeleteCommand(Terminal terminal, String base, String kind, String done) {
        super(terminal, base);
        this.kind = kind;
        this.done = done;
    }

    @Override
    final JsonNode ask(ApiClient api, String path) {
        return api.delete(path);
    }

    @Override
    final void print(JsonNode answer, String name, Terminal to) {
        to.out().println(kind + " " + name + " is " + done + ".");
    }
}
