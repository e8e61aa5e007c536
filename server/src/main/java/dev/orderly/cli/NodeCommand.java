package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.operate.OperationSpec;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Commands on nodes. */
@Command(name = "node", synopsisSubcommandLabel = "COMMAND",
        description = "View the nodes that share the store; drain one.",
        footer = {"  orderly node list", "  orderly node drain 4711-5ac0ffee00c0ffee"})
final class NodeCommand {
    static final String BASE = "/api/v1/nodes";

    private NodeCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new NodeCommand()).addSubcommand("list", new ListAll(terminal))
                .addSubcommand("drain", new Drain(terminal)).addSubcommand("resume", new Resume(terminal));
    }

    /** The API's list of nodes as a table. */
    static void print(JsonNode answer, Terminal to) {
        TextTable columns = new TextTable("NODE", "HOST", "VERSION", "STATE", "RUNNING", "CPU", "HEAP", "STARTED",
                "LAST REPORT");
        answer.path("nodes").forEach(node -> columns.row(
                TextTable.text(node, "node") + (node.path("self").asBoolean(false) ? " *" : ""),
                TextTable.text(node, "host"), TextTable.text(node, "version"),
                TextTable.text(node, "state"), TextTable.text(node, "running"), share(node.path("cpu")),
                share(node.path("heapUsed"), node.path("heapMax")), TextTable.text(node, "startedAt"),
                TextTable.duration(node, "reportAge")));
        columns.print(to.out());
    }

    @Command(name = "list", description = "Show all nodes; * marks the node that answers.",
            footer = {"  orderly node list", "  orderly node list --json | jq '.nodes[].state'"})
    static final class ListAll extends ListCommand {
        ListAll(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            NodeCommand.print(answer, to);
        }
    }

    private static String share(JsonNode part) {
        return part.isNumber() ? Math.round(part.doubleValue() * 100) + "%" : "-";
    }

    private static String share(JsonNode part, JsonNode whole) {
        return part.isNumber() && whole.asLong(0) > 0
                ? Math.round(100.0 * part.asLong(0) / whole.asLong(0)) + "%"
                : "-";
    }

    @Command(name = "drain", footer = "  orderly node drain 4711-5ac0ffee00c0ffee")
    static final class Drain extends OperationCommand {
        Drain(Terminal terminal) {
            super(terminal, OperationSpec.DRAIN_NODE);
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println(answer.path("draining").asBoolean(false)
                    ? "Node " + name + " claims no more jobs; " + TextTable.text(answer, "running")
                            + " still run. Resume it with: orderly node resume " + name
                    : "Node " + name + " was asked to drain, and has not answered yet: orderly node list");
        }
    }

    @Command(name = "resume", footer = "  orderly node resume 4711-5ac0ffee00c0ffee")
    static final class Resume extends OperationCommand {
        Resume(Terminal terminal) {
            super(terminal, OperationSpec.RESUME_NODE);
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println(answer.path("draining").asBoolean(false)
                    ? "Node " + name + " was asked to resume, and has not answered yet: orderly node list"
                    : "Node " + name + " claims jobs again.");
        }
    }
}
