package dev.orderly.dashboard.node;

import dev.orderly.dashboard.page.Page;
import dev.orderly.node.NodeReport;
import dev.orderly.node.NodeStatus;
import java.util.List;
import java.util.Locale;

/** All nodes. */
public record NodesPage(List<NodeStatus> nodes) implements Page {
    @Override
    public String title() {
        return "Nodes";
    }

    @Override
    public String template() {
        return "node/nodes.jte";
    }

    /** The state in words, which a form shows and {@code checkSeen} compares. */
    public static String state(NodeStatus node) {
        NodeReport report = node.report();
        if (node.silent()) {
            return "silent";
        }
        return report.draining() && report.phase() == NodeReport.Phase.RUNNING
                ? "draining"
                : report.phase().name().toLowerCase(Locale.ROOT);
    }

    /** The state of the badge. */
    public static String badge(NodeStatus node) {
        return switch (state(node)) {
            case "running" -> "good";
            case "silent" -> "bad";
            default -> "warn";
        };
    }
}
