package dev.orderly.live;

import dev.orderly.job.NodeId;
import dev.orderly.store.Bus;
import dev.orderly.time.Time;

/**
 * One node among those whose users hear of each other.
 *
 * @param id unique among the processes that share the store, and per run
 * @param bus to the other nodes
 * @param presence shared with them
 */
public record LiveNode(NodeId id, Bus bus, PresenceStore presence) {
    /** A node that is the only one. */
    public static LiveNode alone() {
        return new LiveNode(new NodeId("alone"), Bus.ALONE, new PresenceBook(Time.system()));
    }
}
