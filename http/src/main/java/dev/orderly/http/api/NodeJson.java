package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.node.NodeLoad;
import dev.orderly.node.NodeReport;
import dev.orderly.node.NodeStatus;
import dev.orderly.operate.NodeControl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node, as it last reported itself. */
@Doc(name = "Node")
record NodeJson(@Doc("The id of the process; another one after each start.") String node,
        @Doc("The name of its machine and, unless it is 1 as in a container, the number of its process, such as"
                + " web1:4711; empty in the first moment after the start.") String host,
        @Doc("The version of the program.") String version,
        @Doc("The start of the process, by the node's clock.") Instant startedAt,
        @Doc(value = "`draining`: it claims no jobs, since an operator asked for it. `silent`: no report for 30 s; the"
                + " node was killed, is suspended, or is cut off from the store. A node that stops in order leaves the"
                + " list.", facets = "enum: ['running', 'draining', 'stopping', 'silent']") String state,
        @Doc("Jobs whose handler runs on the node.") int running,
        @Doc("Whether it is the node that answers.") boolean self,
        @Doc("The time since its last report; a node reports itself every 5 s.") Duration reportAge, boolean draining,
        @Doc("Processors of the node; null in the report of an older version.") @Nullable Integer cores,
        @Doc("Bytes of the heap in use, garbage included.") @Nullable Long heapUsed,
        @Doc("Bytes that the heap may have.") @Nullable Long heapMax,
        @Doc(value = "Share of the cores that the process used in the last seconds.",
                facets = "minimum: 0, maximum: 1") @Nullable Double cpu,
        @Doc("Users who are connected to the node.") @Nullable Integer users,
        @Doc("Open connections of the edge; null without an edge.") @Nullable Integer connections,
        @Doc(value = "Duties that one node at a time has, and that this node has now.",
                facets = "maxItems: 50") List<String> leases) {
    /** The description of a list of nodes in other answers. */
    static final String UNREACHABLE = "Nodes that did not answer within 2 s, by host and process: what only they know"
            + " is missing.";

    /** All nodes. */
    @Doc(name = "Nodes")
    record All(List<NodeJson> nodes) {}

    static NodeJson of(NodeStatus node) {
        NodeReport report = node.report();
        NodeLoad load = report.load();
        boolean known = load.cores() > 0;
        return new NodeJson(report.node().value(), report.host(), report.version(), report.startedAt(),
                NodeControl.state(node), report.running(), node.self(), Duration.ofSeconds(node.age().toSeconds()),
                report.draining(), known ? load.cores() : null, known ? load.heapUsed() : null,
                known ? load.heapMax() : null, load.cpu(), load.users(), load.connections(), load.leases());
    }
}
