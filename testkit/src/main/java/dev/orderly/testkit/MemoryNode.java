package dev.orderly.testkit;

import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** One life of a node: from its first beat until it is declared dead. */
final class MemoryNode {
    final NodeId id;
    final TreeSet<MemoryJob> running = new TreeSet<>(Comparator.<MemoryJob, JobId>comparing(job -> job.id));
    /** Jobs for which the node's death was counted as a crash. */
    private final List<MemoryJob> suspects = new ArrayList<>();
    /** The queues that it works on, as its last heartbeat said. */
    Set<QueueName> works = Set.of();
    boolean dead;
    /** Number of jobs that may have run when it died; 0 once it has come back, since then nothing crashed. */
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
        boolean alone = ranOne();
        ran = 0;
        suspects.forEach(job -> job.clear(alone));
        suspects.clear();
    }

    /** Whether the node's death counts as a crash of a job it held. Records the job if so. */
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
