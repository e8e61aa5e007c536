package dev.orderly.store.sqlite.state;

import dev.orderly.job.Limit;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.StartWindow;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The in-memory index of a queue, which finds its next jobs. It is updated after each commit, so it never hands out a
 * job that a crash could undo. Owned by the writer; views read its {@link Identity} and {@link #halts()}.
 */
public sealed interface QueueIndex permits StandardQueueIndex, FifoQueueIndex {
    Identity identity();

    /** Constant properties, and the values that views may read. */
    final class Identity {
        public final int id;
        final QueueName name;
        final QueueCounts counts = new QueueCounts();
        /**
         * Lower bound for the sequence number of the oldest waiting job; raised by views, reset to zero by a redrive.
         */
        public final AtomicLong oldest = new AtomicLong();
        public volatile boolean paused;
        /** Whether groups of the queue stop at a dead letter. */
        public volatile boolean halts;
        /** Whether the queue was forgotten, and is there for the rows that name it. */
        public volatile boolean forgotten;
        /** The node whose declaration that is; null if none of this process has declared it. Owned by the writer. */
        @Nullable
        public NodeId haltsDeclarer;
        /** What operators have set for keys or groups, by name. Owned by the writer. */
        public final Map<String, KeySettings> settings = new TreeMap<>();

        Identity(int id, QueueName name, boolean paused) {
            this.id = id;
            this.name = name;
            this.paused = paused;
        }

        /** What operators have set for a key or group. */
        public KeySettings settings(String key) {
            return settings.getOrDefault(key, KeySettings.NONE);
        }

        void set(String key, KeySettings value) {
            if (value.isEmpty()) {
                settings.remove(key);
            } else {
                settings.put(key, value);
            }
        }
    }

    default QueueName name() {
        return identity().name;
    }

    default QueueCounts counts() {
        return identity().counts;
    }

    /** Puts in force what operators have set for a key or group. */
    void set(String key, KeySettings settings);

    /** The tokens that a key or group has taken. */
    StartWindow window(String key);

    /** The limit of a key or group in force; null for none. */
    @Nullable
    Limit limitOf(String key);

    /** The number of groups that wait for the rate of each group. */
    default int resting() {
        return 0;
    }

    /** The keys in numbers; of groups, how many rest and how many are paused. */
    default KeyCounts keyCounts() {
        return new KeyCounts(name(), 0, resting(),
                (int) identity().settings.values().stream().filter(KeySettings::paused).count());
    }

    /** Callback that claims the jobs that an index offers. */
    interface Taker {
        /** Claims a job; null if the claim has no room for it, which ends the claim of this queue. */
        @Nullable
        LockedJob take(QueueIndex index, StoredJob row);

        /** The most jobs of one group. */
        int run();

        /** Whether this claim passes over any job. */
        boolean passesOverAny();

        /** Whether this claim passes over a job, and over all behind it in its group. */
        boolean passesOver(long seq);

        /** Notes that tokens of a key or group have changed, which have to be durable before its job starts. */
        void tookToken(QueueIndex index, String key);

        /** Whether it has refused a job. */
        boolean isFull();
    }

    /** Reads the state from the file after a restart. Called after {@link #restored} and {@link #halted(Place)}. */
    void restore() throws SQLException;

    /** Adds a new job. */
    void pushed(StoredJob row);

    /**
     * Whether a new job, not added yet, may be claimed before anything else: it is due, and no other job that could be
     * claimed is known or may be in the file.
     */
    boolean mayHandOff(StoredJob row, long now);

    /** Adds a new job that is claimed already. Follows {@link #mayHandOff}. */
    void handedOff(LockedJob locked);

    /** Offers up to {@code limit} jobs, or group runs. */
    void take(int limit, long now, Taker taker) throws SQLException;

    /**
     * The moment at which a delayed job becomes due, {@link Long#MAX_VALUE} if none is delayed. It may be early, but is
     * never before {@code now}: jobs that are due and were not claimed do not count.
     */
    long nextDue(long now) throws SQLException;

    /** Restores a locked job, of a dead process or after the file was reopened. */
    void restored(LockedJob locked);

    /** A running job is waiting or delayed again, at this place. */
    void requeued(LockedJob locked, Place place);

    /** A running job has ended or is a dead letter; {@code halts} if its group stops there. */
    void ended(LockedJob locked, boolean halts);

    /**
     * The node of a running job died; the job is waiting again or is a dead letter. Later jobs of its group run stay
     * locked.
     */
    void crashed(LockedJob locked, boolean halts);

    /** The stored row of a waiting or delayed job has changed, except for its place. */
    void reread(Place place);

    /** A delayed job, at this place, waits now. */
    void dueNow(Place from);

    /** A waiting or delayed job was removed. */
    void removed(Place place);

    /** A dead letter that halts its group was read at the start. */
    void halted(Place place);

    /** A dead letter is waiting again. */
    void redriven(Place place);

    /** A dead letter was removed. */
    void deadRemoved(Place place);

    /** Number of groups that are halted by a dead letter. */
    int halts();

    /** Number of buffered jobs; bounded. */
    int buffered();
}
