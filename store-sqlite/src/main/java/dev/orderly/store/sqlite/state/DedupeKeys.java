package dev.orderly.store.sqlite.state;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.JobStore;
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.table.SqliteQueueTable;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The dedupe keys within their window, of committed pushes and of the transaction under way. The writer owns it. */
public final class DedupeKeys implements AutoCloseable {
    private final SqliteQueueTable table;
    /** The last sequence number drawn before this process, or before the file was reopened. */
    private final long lastStored;
    private final DedupeWindow committed;
    /** Ordered by sequence number. */
    private final Map<DedupeKey, First> uncommitted = new LinkedHashMap<>();
    private boolean windowRead;

    private record First(long seq, @Nullable DedupeKey fingerprint) {}

    /** @param committed empty */
    DedupeKeys(SqliteQueueTable table, long lastStored, DedupeWindow committed) {
        this.table = table;
        this.lastStored = lastStored;
        this.committed = committed;
    }

    /**
     * The sequence number of the first push with this key; zero if the key is new.
     *
     * @throws StoreException.Unavailable if the scratch file of the window fails: refuse the push
     */
    public long find(DedupeKey key, Instant now) throws SQLException {
        if (!windowRead) {
            readWindow(now);
        }
        committed.makeRoom();
        First written = uncommitted.get(key);
        return written != null ? written.seq : committed.find(key, now);
    }

    /**
     * The fingerprint of the first push with a key; null for none. Read from the job's row if the push is committed:
     * the window in memory has the keys only.
     *
     * @param seq the sequence number that {@link #find} gave
     */
    public @Nullable DedupeKey fingerprint(DedupeKey key, long seq) throws SQLException {
        First written = uncommitted.get(key);
        return written != null ? written.fingerprint : table.fingerprint(seq);
    }

    /** Adds the key of a push in the transaction under way. */
    public void add(DedupeKey key, @Nullable DedupeKey fingerprint, long seq) {
        uncommitted.put(key, new First(seq, fingerprint));
    }

    void committed() {
        uncommitted.forEach((key, first) -> committed.add(key, first.seq));
        uncommitted.clear();
    }

    void rolledBack() {
        uncommitted.clear();
    }

    /** Drops expired keys. */
    public void expire(Instant now) {
        committed.expire(now);
    }

    /** The smallest sequence number whose key is within its window. */
    public long floor(Instant now) {
        return committed.floor(now);
    }

    /** Number of keys of the transaction under way. */
    public int uncommitted() {
        return uncommitted.size();
    }

    /** Reads the keys of the window once, at the first lookup, so that the start does not wait for it. */
    private void readWindow(Instant now) throws SQLException {
        long window = JobSequence.startOf(Instant.EPOCH.plus(JobStore.DEDUPE_WINDOW));
        committed.close();
        table.keysSince(Math.max(committed.floor(now), lastStored - window), (seq, key) -> {
            if (seq <= lastStored) {
                committed.makeRoom();
                committed.add(key, seq);
            }
        });
        windowRead = true;
    }

    @Override
    public void close() {
        committed.close();
    }
}
