package dev.orderly.store.sqlite;

import dev.orderly.job.NodeId;
import dev.orderly.job.Progress;
import dev.orderly.store.sqlite.JobRow.Place;
import dev.orderly.store.sqlite.JobRow.Tally;
import org.jspecify.annotations.Nullable;

/** A job that is with a node. The writer changes it; views read it. */
final class Claim {
    final Line line;
    /** As stored: a claim writes nothing. */
    final Place place;
    /** As stored, but for the attempt, which is this one. */
    volatile Tally tally;
    final int slot;
    /** Null when its node is dead and the job has yet to be taken back. */
    @Nullable
    NodeId node;
    /** The node that died with it, in this process. */
    @Nullable
    NodeId diedWith;
    /** How many jobs may have run when its node died; none once the node has come back. */
    int ran;
    /** False while jobs handed out before it in the same run are unsettled: then a crash is not its doing. */
    boolean mayHaveRun;
    boolean cancelAsked;
    volatile @Nullable Progress progress;

    Claim(Line line, Place place, Tally tally, int slot) {
        this.line = line;
        this.place = place;
        this.tally = tally;
        this.slot = slot;
    }

    /** Whether the death of its node counts as a crash of it. */
    boolean crashed() {
        return mayHaveRun && ran > 0;
    }

    /** Takes back a crash that was none. */
    void clear() {
        tally = new Tally(tally.attempt(), tally.failures(), Math.max(0, tally.crashes() - 1));
    }

    long seq() {
        return place.seq();
    }

    int attempt() {
        return tally.attempt();
    }
}
