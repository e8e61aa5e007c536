package dev.orderly.store.sqlite.state;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.JobStore;
import dev.orderly.store.sqlite.table.QueueTable;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The dedupe keys that count: those of committed pushes, and those of the transaction under way. The writer owns it. */
public final class DedupeKeys {
    private final QueueTable table;
    /** The last number drawn before this process, or before the file was opened anew. */
    private final long lastStored;
    private final DedupeWindow committed = new DedupeWindow(JobStore.DEDUPE_WINDOW);
    /** In the order of their numbers. */
    private final Map<DedupeKey, Long> uncommitted = new LinkedHashMap<>();
    private boolean read;

    DedupeKeys(QueueTable table, long lastStored) {
        this.table = table;
        this.lastStored = lastStored;
    }

    /** The number of the push that a key stands for, zero if it is new. */
    public long find(DedupeKey key, Instant now) throws SQLException {
        if (!read) {
            readWindow(now);
        }
        Long written = uncommitted.get(key);
        return written != null ? written : committed.find(key, now);
    }

    /** Notes the key of a push that the transaction under way writes. */
    public void add(DedupeKey key, long seq) {
        uncommitted.put(key, seq);
    }

    void committed() {
        uncommitted.forEach(committed::add);
        uncommitted.clear();
    }

    void rolledBack() {
        uncommitted.clear();
    }

    /** Drops what no longer counts. */
    public void expire(Instant now) {
        committed.expire(now);
    }

    /** The first number whose key still counts. */
    public long floor(Instant now) {
        return committed.floor(now);
    }

    /** Keys of the transaction under way. */
    public int uncommitted() {
        return uncommitted.size();
    }

    /** Reads the window once, when the first key is asked for: an idle start need not wait for it. */
    private void readWindow(Instant now) throws SQLException {
        long window = JobSequence.startOf(Instant.EPOCH.plus(JobStore.DEDUPE_WINDOW));
        table.keysSince(Math.max(committed.floor(now), lastStored - window), (seq, key) -> {
            if (seq <= lastStored) {
                committed.add(key, seq);
            }
        });
        read = true;
    }
}
