package dev.orderly.dashboard.node;

import dev.orderly.dashboard.page.Page;
import dev.orderly.node.NodeStatus;
import dev.orderly.operate.NodeControl;
import java.util.List;

/** All nodes. */
public record NodeListPage(List<NodeStatus> nodes) implements Page {
    @Override
    public String title() {
        return "Nodes";
    }

    @Override
    public String template() {
        return "node/nodes.jte";
    }

    /** The state of the badge. */
    public static String badge(NodeStatus node) {
        return switch (NodeControl.state(node)) {
            case "running" -> "good";
            case "silent" -> "bad";
            default -> "warn";
        };
    }
}
