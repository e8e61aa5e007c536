package dev.orderly.store.sqlite.state;

import dev.orderly.job.QueueName;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One queue in memory: who is next. Hears of every change after its commit, so it never hands out what a crash could
 * take back. Owned by the writer; views read its {@link Identity} and {@link #halts()}.
 */
public sealed interface QueueIndex permits StandardQueueIndex, FifoQueueIndex {
    Identity identity();

    /** What stays the same, and what views may read. */
    final class Identity {
        public final int id;
        final QueueName name;
        final QueueCounts counts = new QueueCounts();
        /** No waiting job is older; found by views, set back to zero when a dead letter waits again. */
        public final AtomicLong oldest = new AtomicLong();
        public volatile boolean paused;
        /** Whether its groups stop at a dead letter. */
        public volatile boolean halts;

        Identity(int id, QueueName name, boolean paused) {
            this.id = id;
            this.name = name;
            this.paused = paused;
        }
    }

    default QueueName name() {
        return identity().name;
    }

    default QueueCounts counts() {
        return identity().counts;
    }

    /** Makes claims of the rows that a line hands out. */
    interface Taker {
        /** Null if there is no room for it, nor for any other. */
        @Nullable
        LockedJob take(QueueIndex line, StoredJob row);

        /** Whether it refused a row. */
        boolean isFull();
    }

    /** Reads what is needed to go on after a restart. {@link #held} and {@link #halted(Place)} came before. */
    void restore() throws SQLException;

    /** A new job. */
    void pushed(StoredJob row);

    /** Hands out up to {@code lines} jobs, or runs of groups. */
    void take(int lines, long now, Taker taker) throws SQLException;

    /**
     * When a delayed job becomes due, {@link Long#MAX_VALUE} if none is delayed; may be early, but is never before {@code
     * now}: that jobs are due and were not taken is told by the answer being full.
     */
    long nextDue(long now) throws SQLException;

    /** A job of a dead process that is held until it is taken back. */
    void held(LockedJob claim);

    /** A running job waits again, at this place. */
    void again(LockedJob claim, Place place);

    /** A running job ended for good, or died; {@code halts} if its group stops there. */
    void over(LockedJob claim, boolean halts);

    /** A running job's node died; it waits again or is a dead letter. Says nothing about the jobs behind it. */
    void crashed(LockedJob claim, boolean halts);

    /** What is stored of a waiting or delayed job has changed, but for its place. */
    void reread(Place place);

    /** A waiting or delayed job is gone. */
    void removed(Place place);

    /** A dead letter that halts its group was found at the start. */
    void halted(Place place);

    /** A dead letter waits again. */
    void redriven(Place place);

    /** A dead letter is gone. */
    void buried(Place place);

    /** Groups that stopped at a dead letter. */
    int halts();

    /** Jobs that are kept in memory so as not to be read again; bounded. */
    int buffered();
}
