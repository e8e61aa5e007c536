package dev.orderly.live;

import dev.orderly.Internal;
import dev.orderly.job.NodeId;
import dev.orderly.store.Bus;
import dev.orderly.time.Time;

/**
 * One node among the nodes that share live messages and presence.
 *
 * @param id unique among the processes that share the store, and per run
 * @param bus to the other nodes
 * @param presence shared with the other nodes
 */
@Internal(to = "dev.orderly")
public record LiveNode(NodeId id, Bus bus, OnlineUserStore presence) {
    /** A single node that shares nothing. */
    public static LiveNode alone() {
        return new LiveNode(new NodeId("alone"), Bus.ALONE, new OnlineUserTable(Time.system()));
    }
}
