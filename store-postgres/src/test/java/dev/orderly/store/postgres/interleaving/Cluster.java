package dev.orderly.store.postgres.interleaving;

import dev.orderly.Store;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.JobStore;
import dev.orderly.testkit.ManualTime;
import java.time.Instant;
import java.util.List;

/**
 * Nodes of one database, with one clock.
 *
 * @param stores of each node its own
 */
record Cluster(List<? extends Store> stores, ManualTime time) {
    Cluster {
        stores = List.copyOf(stores);
    }

    static NodeId id(int node) {
        return new NodeId("node-" + node);
    }

    JobStore jobs(int node) {
        return stores.get(node).jobs();
    }

    Instant now() {
        return time.now();
    }
}
