package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.operate.OperationSpec;
import tools.jackson.databind.JsonNode;

/** A command that deletes a named thing. */
abstract class DeleteCommand extends OperationCommand {
    private final String kind;
    private final String done;

    /**
     * @param kind of the thing, as the message begins with it
     * @param done what the thing is then
     */
    DeleteCommand(Terminal terminal, OperationSpec operation, String kind, String done) {
        super(terminal, operation);
        this.kind = kind;
        this.done = done;
    }

    @Override
    final void print(JsonNode answer, String name, Terminal to) {
        to.out().println(kind + " " + name + " is " + done + ".");
    }
}
