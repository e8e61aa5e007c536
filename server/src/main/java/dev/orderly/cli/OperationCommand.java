package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.operate.OperationSpec;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** A command that is one operation on a named thing: its request and its help are those of the table of operations. */
abstract class OperationCommand extends NamedCommand {
    private final OperationSpec operation;

    OperationCommand(Terminal terminal, OperationSpec operation) {
        super(terminal, ApiClient.BASE + operation.path().substring(0, operation.path().indexOf("/{")));
        this.operation = operation;
    }

    @Spec
    final void help(CommandSpec command) {
        help(command, operation);
    }

    /** Describes a command by the sentences of an operation; lists of commands show the first. */
    static void help(CommandSpec command, OperationSpec operation) {
        String sentence = operation.sentence() + ".";
        command.usageMessage().description(
                operation.details().isEmpty()
                        ? new String[]{sentence}
                        : new String[]{sentence, operation.details()});
    }

    @Override
    final JsonNode ask(ApiClient api, String path) {
        return ask(api, operation, path);
    }

    /** @param path of the thing */
    static JsonNode ask(ApiClient api, OperationSpec operation, String path) {
        String whole = path + operation.path().substring(operation.path().indexOf('}') + 1);
        return operation.method().equals("DELETE") ? api.delete(whole) : api.post(whole, Map.of());
    }
}
