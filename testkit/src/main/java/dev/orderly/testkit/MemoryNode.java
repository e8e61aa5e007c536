package dev.orderly.testkit;

import dev.orderly.job.JobId;
import dev.orderly.job.store.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** One life of a node: from its first beat until it is declared dead. */
final class MemoryNode {
    final NodeId id;
    final TreeSet<MemoryJob> running = new TreeSet<>(Comparator.<MemoryJob, JobId>comparing(job -> job.id));
    /** Jobs for which its death was counted as a crash. */
    private final List<MemoryJob> suspects = new ArrayList<>();
    boolean dead;
    /** How many jobs may have run when it died; zero once it has come back, for then nothing crashed. */
    private long ran;

    MemoryNode(NodeId id) {
        this.id = id;
    }

    void die() {
        dead = true;
        ran = running.stream().filter(job -> job.mayHaveRun).count();
    }

    /** A node that beats after its death has not crashed. */
    void comeBack() {
        ran = 0;
        suspects.forEach(MemoryJob::clear);
        suspects.clear();
    }

    /** Whether the node's death counts as a crash of a job it held; noted if so. */
    boolean crashed(MemoryJob job) {
        boolean counts = job.mayHaveRun && ran > 0;
        if (counts) {
            suspects.add(job);
        }
        return counts;
    }

    /** Whether only one job may have run when the node died. */
    boolean ranOne() {
        return ran == 1;
    }
}
