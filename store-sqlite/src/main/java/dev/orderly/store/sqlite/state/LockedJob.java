package dev.orderly.store.sqlite.state;

import dev.orderly.job.store.JobProgress;
import dev.orderly.job.store.NodeId;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.table.StoredJob.Tally;
import org.jspecify.annotations.Nullable;

/** A job that is with a node. The writer changes it; views read it. */
public final class LockedJob {
    public final QueueIndex line;
    /** As stored: a claim writes nothing. */
    public final Place place;
    /** As stored, but for the attempt, which is this one. */
    public volatile Tally tally;
    final int slot;
    /** Null when its node is dead and the job has yet to be taken back. */
    @Nullable
    public NodeId node;
    /** The node that died with it, in this process. */
    @Nullable
    public NodeId diedWith;
    /** How many jobs may have run when its node died; none once the node has come back. */
    public int ran;
    /** False while jobs handed out before it in the same run are unsettled: then a crash is not its doing. */
    boolean mayHaveRun;
    public boolean cancelAsked;
    public volatile @Nullable JobProgress progress;

    LockedJob(QueueIndex line, Place place, Tally tally, int slot) {
        this.line = line;
        this.place = place;
        this.tally = tally;
        this.slot = slot;
    }

    /** Whether the death of its node counts as a crash of it. */
    public boolean crashed() {
        return mayHaveRun && ran > 0;
    }

    /** Takes back a crash that was none. */
    public void clear() {
        tally = new Tally(tally.attempt(), tally.failures(), Math.max(0, tally.crashes() - 1));
    }

    public long seq() {
        return place.seq();
    }

    public int attempt() {
        return tally.attempt();
    }
}
