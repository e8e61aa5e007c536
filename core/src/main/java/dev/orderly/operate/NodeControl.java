package dev.orderly.operate;

import dev.orderly.job.NodeId;
import dev.orderly.node.NodeReport;
import dev.orderly.node.NodeStatus;
import java.util.Locale;

/** The operations on nodes. */
public final class NodeControl {
    private NodeControl() {}

    /** Stops the claims of a node, or lets them go on; waits a moment for the node's report. */
    public static Operation<NodeStatus> drain(String node, boolean on) {
        return new Operation<>(on ? OperationSpec.DRAIN_NODE : OperationSpec.RESUME_NODE, (targets, _) -> {
            NodeStatus status = targets.node(node);
            NodeId id = status.report().node();
            return new PreparedChange<>("node " + id, state(status),
                    () -> targets.orderly().drain(id, on).orElseThrow(() -> Targets.unknownNode(node)),
                    NodeControl::state);
        });
    }

    /** The state of a node in words. */
    public static String state(NodeStatus node) {
        NodeReport report = node.report();
        if (node.silent()) {
            return "silent";
        }
        return report.draining() && report.phase() == NodeReport.Phase.RUNNING
                ? "draining"
                : report.phase().name().toLowerCase(Locale.ROOT);
    }
}
