package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Commands on nodes. */
@Command(name = "node", synopsisSubcommandLabel = "COMMAND", description = "View the nodes that share the store.",
        footer = "  orderly node list")
final class NodeCommand {
    static final String BASE = "/api/v1/nodes";

    private NodeCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new NodeCommand()).addSubcommand("list", new ListAll(terminal));
    }

    /** The API's list of nodes as a table. */
    static void print(JsonNode answer, Terminal to) {
        TextTable columns = new TextTable("NODE", "HOST", "VERSION", "STATE", "RUNNING", "STARTED", "LAST REPORT");
        answer.path("nodes").forEach(node -> columns.row(
                TextTable.text(node, "node") + (node.path("self").asBoolean(false) ? " *" : ""),
                TextTable.text(node, "host"), TextTable.text(node, "version"),
                TextTable.text(node, "state"), TextTable.text(node, "running"),
                TextTable.text(node, "startedAt"), TextTable.text(node, "reportAge")));
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
}
