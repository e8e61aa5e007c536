package dev.orderly.testkit;

import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import java.time.Instant;
import java.util.Comparator;
import java.util.TreeSet;

/** One life of a node: from its first beat until it is declared dead. */
final class MemoryNode {
    final NodeId id;
    final TreeSet<MemoryJob> running = new TreeSet<>(Comparator.<MemoryJob, JobId>comparing(job -> job.id));
    Instant lastBeat;
    boolean dead;

    MemoryNode(NodeId id, Instant now) {
        this.id = id;
        lastBeat = now;
    }
}
