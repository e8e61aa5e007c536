package dev.orderly.store.sqlite.state;

import dev.orderly.job.store.NodeId;
import dev.orderly.store.sqlite.file.LockedJobsFile;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Tally;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The claimed jobs, in memory and in the {@link LockedJobsFile}. The writer changes it; views look in. */
public final class LockedJobs {
    private final LockedJobsFile file;
    private final ConcurrentMap<Long, LockedJob> claims = new ConcurrentHashMap<>();
    /** By the transaction under way. */
    private final Set<Long> settled = new HashSet<>();

    LockedJobs(LockedJobsFile file) {
        this.file = file;
    }

    public LockedJob enter(QueueIndex line, StoredJob row, NodeId node) {
        Tally tally = new Tally(row.tally().attempt() + 1, row.tally().failures(), row.tally().crashes());
        LockedJob claim = new LockedJob(line, row.place(), tally, slot(row.seq(), tally.attempt(), node));
        claim.node = node;
        claims.put(row.seq(), claim);
        return claim;
    }

    /** Holds a job that ran when an earlier process died. */
    void restore(LockedJob claim) {
        claims.put(claim.seq(), claim);
    }

    /** The same claim, in the same slot, of a line that was read again. */
    LockedJob again(QueueIndex line, StoredJob.Place place, Tally tally, LockedJob before) {
        LockedJob claim = new LockedJob(line, place, tally, before.slot);
        claim.node = before.node;
        claim.diedWith = before.diedWith;
        claim.ran = before.ran;
        claim.cancelAsked = before.cancelAsked;
        claim.progress = before.progress;
        claims.put(before.seq(), claim);
        return claim;
    }

    public void leave(LockedJob claim) {
        claims.remove(claim.seq());
        file.clear(claim.slot);
    }

    /** Notes that the transaction under way settles a claim; false if it has settled it before. */
    public boolean settle(LockedJob claim) {
        return settled.add(claim.seq());
    }

    void transactionEnded() {
        settled.clear();
    }

    public boolean has(long seq) {
        return claims.containsKey(seq);
    }

    @Nullable
    public LockedJob find(long seq) {
        return claims.get(seq);
    }

    public Collection<LockedJob> all() {
        return claims.values();
    }

    /** Keeps the moments up to which jobs and rooms have come, for the next process. */
    void note(Instant jobsLatest, Instant roomsLatest) {
        file.note(jobsLatest, roomsLatest);
    }

    /** The jobs of a node that is dead have none from now on. */
    public void orphan(NodeId node) {
        List<LockedJob> held = claims.values().stream().filter(claim -> node.equals(claim.node)).toList();
        held.forEach(claim -> {
            claim.node = null;
            claim.diedWith = node;
        });
        diedTogether(held);
    }

    /** Notes how many of these may have run when their node died. */
    static void diedTogether(Collection<LockedJob> held) {
        int ran = (int) held.stream().filter(claim -> claim.mayHaveRun).count();
        held.forEach(claim -> claim.ran = ran);
    }

    /** A node that was declared dead has come back: what it held did not crash. */
    public void cameBack(NodeId node) {
        for (LockedJob claim : claims.values()) {
            if (claim.node == null && node.equals(claim.diedWith)) {
                claim.ran = 0;
            }
        }
    }

    /** Jobs of dead nodes, the oldest first. */
    public List<LockedJob> orphans(int limit) {
        return claims.values().stream().filter(claim -> claim.node == null)
                .sorted(Comparator.comparingLong(LockedJob::seq)).limit(limit).toList();
    }

    private int slot(long seq, int attempt, NodeId node) {
        try {
            return file.enter(seq, attempt, node.value().hashCode());
        } catch (IOException e) {
            throw new RunningFileFull(e);
        }
    }

    /** The list of running jobs could not grow. Nothing was claimed. */
    static final class RunningFileFull extends RuntimeException {
        RunningFileFull(IOException cause) {
            super("Cannot note one more running job: free disk space", cause);
        }
    }
}
