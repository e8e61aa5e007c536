package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.operate.OperationSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Pauses or resumes a queue, one of its keys, or one group of a FIFO queue. */
abstract class QueuePause extends NamedCommand {
    private final OperationSpec operation;
    private final OperationSpec ofKey;

    @Option(names = "--key", paramLabel = "KEY", description = "Only this key of a standard queue.")
    private @Nullable String key;
    @Option(names = "--group", paramLabel = "GROUP", description = "Only this group of a FIFO queue.")
    private @Nullable String group;

    private QueuePause(Terminal terminal, OperationSpec operation, OperationSpec ofKey) {
        super(terminal, QueueCommand.BASE);
        this.operation = operation;
        this.ofKey = ofKey;
    }

    @Spec
    final void help(CommandSpec command) {
        OperationCommand.help(command, operation);
    }

    @Override
    final JsonNode ask(ApiClient api, String path) {
        if (key == null && group == null) {
            return OperationCommand.ask(api, operation, path);
        }
        boolean fifo = path.endsWith(".fifo");
        if (fifo ? group == null || key != null : key == null || group != null) {
            throw new CommandFailedException(Main.WRONG, fifo
                    ? "A FIFO queue has groups: name one with --group alone"
                    : "A standard queue has keys: name one with --key alone", null);
        }
        String ending = ofKey.path().substring(ofKey.path().lastIndexOf('/'));
        return api.post(QueueKeys.path(path, key == null ? String.valueOf(group) : key) + ending, Map.of());
    }

    @Override
    final void print(JsonNode answer, String name, Terminal to) {
        String option = key == null && group == null ? "" : key == null ? " --group " + group : " --key " + key;
        String what = option.isEmpty()
                ? "Queue " + name
                : (key == null ? "Group " + group : "Key " + key) + " of queue " + name;
        to.out().println(said(what, name + option));
    }

    /** @param arguments those of this command */
    abstract String said(String what, String arguments);

    @Command(name = "pause", footer = {"  orderly queue pause emails", "  orderly queue pause exports --key acme",
            "  orderly queue pause orders.fifo --group 4711"})
    static final class Pause extends QueuePause {
        Pause(Terminal terminal) {
            super(terminal, OperationSpec.PAUSE, OperationSpec.PAUSE_KEY);
        }

        @Override
        String said(String what, String arguments) {
            return what + " is paused; resume it with: orderly queue resume " + arguments;
        }
    }

    @Command(name = "resume", footer = {"  orderly queue resume emails", "  orderly queue resume exports --key acme"})
    static final class Resume extends QueuePause {
        Resume(Terminal terminal) {
            super(terminal, OperationSpec.RESUME, OperationSpec.RESUME_KEY);
        }

        @Override
        String said(String what, String arguments) {
            return what + " runs again.";
        }
    }
}
