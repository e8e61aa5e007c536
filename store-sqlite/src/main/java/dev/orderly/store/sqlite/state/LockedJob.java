package dev.orderly.store.sqlite.state;

import dev.orderly.job.JobProgress;
import dev.orderly.job.JobRun;
import dev.orderly.job.NodeId;
import dev.orderly.store.sqlite.table.SqliteLeaseTable;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.table.StoredJob.Tally;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A claimed job. The writer changes it; views read it. */
public final class LockedJob {
    public final QueueIndex index;
    /** The stored place: a claim writes nothing. */
    public final Place place;
    /** The stored tally, with the attempt number of this claim. */
    public volatile Tally tally;
    /** The place in the file of running jobs; below zero for none. */
    int slot;
    /** The lease; null unless the job is leased. Then no node holds it. */
    public volatile SqliteLeaseTable.@Nullable Lease lease;
    /** The node that holds the job; null if it is leased, or if the node is dead and the job is not given back yet. */
    @Nullable
    public NodeId node;
    /** The node of this process that died while it held the job. */
    @Nullable
    public NodeId diedWith;
    /** Number of jobs that may have run when the node died; zero after the node has come back. */
    public int ran;
    /**
     * False while earlier jobs of its group run are unsettled: then it has not run, and a crash does not count for it.
     */
    boolean mayHaveRun;
    /** Whether the job is to be cancelled: any outcome ends it. Stored in the table of cancellations. */
    public boolean cancelAsked;
    public volatile @Nullable JobProgress progress;
    /** Stored moment of the claim in Unix milliseconds; zero if it was made by an earlier process. */
    public long claimedAt;
    /** The node of the claim; null if it was made by an earlier process. */
    public @Nullable NodeId claimer;

    LockedJob(QueueIndex index, Place place, Tally tally, int slot) {
        this.index = index;
        this.place = place;
        this.tally = tally;
        this.slot = slot;
    }

    /** Whether the death of its node counts as a crash of the job. */
    public boolean crashed() {
        return mayHaveRun && ran > 0 && lease == null;
    }

    /** Whether that crash was one at which no other job may have run. */
    public boolean crashedAlone() {
        return crashed() && ran == 1;
    }

    /** Undoes a crash that was counted for a node that came back. */
    public void clear() {
        tally = new Tally(tally.attempt(), tally.failures(), Math.max(0, tally.crashes() - 1));
    }

    /** The claim, in stored time; without a node if the job is leased. */
    public JobRun run() {
        return new JobRun(lease == null ? claimer : null,
                claimedAt == 0 ? null : Instant.ofEpochMilli(claimedAt));
    }

    public long seq() {
        return place.seq();
    }

    public int attempt() {
        return tally.attempt();
    }
}
