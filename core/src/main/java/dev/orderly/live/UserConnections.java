package dev.orderly.live;

import java.util.List;
import java.util.Objects;

/**
 * A user's connections to all nodes.
 *
 * @param connections those of this node first, then by node
 * @param unreachable nodes that did not answer, by host and process: connections to these nodes may be missing
 */
public record UserConnections(List<Located> connections, List<String> unreachable) {
    /** A connection with the host and process of its node. */
    public record Located(String node, OpenConnection connection) {
        public Located {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(connection, "connection");
        }
    }

    public UserConnections {
        Objects.requireNonNull(connections, "connections");
        Objects.requireNonNull(unreachable, "unreachable");
        connections = List.copyOf(connections);
        unreachable = List.copyOf(unreachable);
    }
}
