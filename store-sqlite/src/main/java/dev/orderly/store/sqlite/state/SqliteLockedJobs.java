package dev.orderly.store.sqlite.state;

import dev.orderly.job.NodeId;
import dev.orderly.store.sqlite.file.LockedJobsFile;
import dev.orderly.store.sqlite.table.SqliteLeaseTable;
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

/** The claimed jobs, in memory and in the {@link LockedJobsFile}. The writer changes it; views read it. */
public final class SqliteLockedJobs {
    /** The slot of a job that is not in the file. */
    static final int NO_SLOT = -1;

    private final LockedJobsFile file;
    private final ConcurrentMap<Long, LockedJob> jobs = new ConcurrentHashMap<>();
    /** Jobs settled by the transaction under way. */
    private final Set<Long> settled = new HashSet<>();
    /** Jobs leased by the transaction under way. */
    private final Set<Long> leased = new HashSet<>();

    SqliteLockedJobs(LockedJobsFile file) {
        this.file = file;
    }

    public LockedJob enter(QueueIndex index, StoredJob row, NodeId node, long now) {
        Tally tally = new Tally(row.tally().attempt() + 1, row.tally().failures(), row.tally().crashes());
        LockedJob locked = new LockedJob(index, row.place(), tally, slot(row.seq(), tally.attempt(), node));
        locked.node = node;
        locked.claimer = node;
        locked.claimedAt = now;
        jobs.put(row.seq(), locked);
        return locked;
    }

    /** As {@link #enter}; null if the file of running jobs cannot grow. */
    public @Nullable LockedJob enterIfRoom(QueueIndex index, StoredJob row, NodeId node, long now) {
        try {
            return enter(index, row, node, now);
        } catch (RunningFileFullException e) {
            return null;
        }
    }

    /** Adds a job that ran when an earlier process died. */
    void restore(LockedJob locked) {
        jobs.put(locked.seq(), locked);
    }

    /** The same claim, in the same slot, for a rebuilt index. */
    LockedJob rebuilt(QueueIndex index, StoredJob.Place place, Tally tally, LockedJob before) {
        LockedJob locked = new LockedJob(index, place, tally, before.slot);
        locked.node = before.node;
        locked.diedWith = before.diedWith;
        locked.ran = before.ran;
        locked.cancelAsked = before.cancelAsked;
        locked.lease = before.lease;
        locked.progress = before.progress;
        locked.claimer = before.claimer;
        locked.claimedAt = before.claimedAt;
        jobs.put(before.seq(), locked);
        return locked;
    }

    public void leave(LockedJob locked) {
        jobs.remove(locked.seq());
        clearSlot(locked);
    }

    /** Makes a job independent of nodes. Its lease is stored, so it leaves the file of running jobs. */
    public void lease(LockedJob locked, SqliteLeaseTable.Lease lease) {
        locked.lease = lease;
        locked.node = null;
        locked.diedWith = null;
        clearSlot(locked);
    }

    private void clearSlot(LockedJob locked) {
        if (locked.slot >= 0) {
            file.clear(locked.slot);
            locked.slot = NO_SLOT;
        }
    }

    /** Leased jobs whose lease is over, oldest first. */
    public List<LockedJob> over(long moment, int limit) {
        return jobs.values().stream().filter(locked -> locked.lease != null && locked.lease.until() <= moment)
                .sorted(Comparator.comparingLong(LockedJob::seq)).limit(limit).toList();
    }

    /** Records that the transaction under way settles a job; false if it has settled it already. */
    public boolean settle(LockedJob locked) {
        return settled.add(locked.seq());
    }

    /** Whether the transaction under way has settled a job. */
    public boolean isSettled(LockedJob locked) {
        return settled.contains(locked.seq());
    }

    /** Records that the transaction under way leases a job; false if it has settled it already. */
    public boolean leases(LockedJob locked) {
        if (isSettled(locked)) {
            return false;
        }
        leased.add(locked.seq());
        return true;
    }

    /** Whether a job has a lease, or gets one by the transaction under way. */
    public boolean isLeased(LockedJob locked) {
        return locked.lease != null || leased.contains(locked.seq());
    }

    void transactionEnded() {
        settled.clear();
        leased.clear();
    }

    public boolean has(long seq) {
        return jobs.containsKey(seq);
    }

    @Nullable
    public LockedJob find(long seq) {
        return jobs.get(seq);
    }

    public Collection<LockedJob> all() {
        return jobs.values();
    }

    /** The bytes of the file of running jobs, for a backup. */
    public byte[] fileContent() {
        return file.content();
    }

    /** Forgets to which database the file of running jobs belongs, before the salt of the database changes. */
    public void forgetDatabase() {
        file.forgetDatabase();
    }

    /** Records the new salt of the database. */
    public void rememberDatabase(long salt) {
        file.rememberDatabase(salt);
    }

    /** Records the latest moments of jobs and rooms for the next process. */
    void note(Instant jobsLatest, Instant roomsLatest) {
        file.note(jobsLatest, roomsLatest);
    }

    /** Detaches the jobs of a dead node. */
    public void orphan(NodeId node) {
        List<LockedJob> held = jobs.values().stream().filter(locked -> node.equals(locked.node)).toList();
        held.forEach(locked -> {
            locked.node = null;
            locked.diedWith = node;
        });
        diedTogether(held);
    }

    /** Records how many of the jobs of a dead node may have run. */
    static void diedTogether(Collection<LockedJob> held) {
        int ran = (int) held.stream().filter(locked -> locked.mayHaveRun).count();
        held.forEach(locked -> locked.ran = ran);
    }

    /** Records that a node that was declared dead has come back: its jobs did not crash. */
    public void cameBack(NodeId node) {
        for (LockedJob locked : jobs.values()) {
            if (locked.node == null && node.equals(locked.diedWith)) {
                locked.ran = 0;
            }
        }
    }

    /** Jobs of dead nodes, oldest first. */
    public List<LockedJob> orphans(int limit) {
        return jobs.values().stream().filter(locked -> locked.node == null && locked.lease == null)
                .sorted(Comparator.comparingLong(LockedJob::seq)).limit(limit).toList();
    }

    private int slot(long seq, int attempt, NodeId node) {
        try {
            return file.enter(seq, attempt, node.value().hashCode());
        } catch (IOException e) {
            throw new RunningFileFullException(e);
        }
    }

    /** Failure to enlarge the file of running jobs. Nothing was claimed. */
    static final class RunningFileFullException extends RuntimeException {
        RunningFileFullException(IOException cause) {
            super("The file of running jobs cannot grow: free disk space", cause);
        }
    }
}
