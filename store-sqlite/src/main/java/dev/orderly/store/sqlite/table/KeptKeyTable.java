package dev.orderly.store.sqlite.table;

import dev.orderly.job.DedupeKey;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sqlite.table.DeferredWrites.DeferredWrite;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Statements on table {@code kept_key}: the dedupe keys that are kept for a time of their own. */
public final class KeptKeyTable {
    private final DeferredWrite insert;
    private final PreparedStatement find;
    private final PreparedStatement prune;
    /** Keys inserted by the transaction under way, visible to its later requests. */
    private final Map<DedupeKey, First> uncommitted = new HashMap<>();

    KeptKeyTable(Connection connection, DeferredWrites writes) throws SQLException {
        insert = writes.prepare("INSERT OR REPLACE INTO kept_key(key, seq, fingerprint, until) VALUES(?, ?, ?, ?)");
        find = connection.prepareStatement("SELECT seq, fingerprint, until FROM kept_key WHERE key = ? AND until > ?");
        prune = connection.prepareStatement("DELETE FROM kept_key WHERE key IN"
                + " (SELECT key FROM kept_key WHERE until <= ? ORDER BY until LIMIT ?)");
    }

    /**
     * The first push with a key.
     *
     * @param fingerprint null if the key is a hash of the job itself
     * @param until end of its window, Unix milliseconds
     */
    public record First(long seq, @Nullable DedupeKey fingerprint, long until) {}

    /** The first push with a key whose window is not over; null if the key is new. */
    @Nullable
    public First find(DedupeKey key, long now) throws SQLException {
        First written = uncommitted.get(key);
        if (written != null && written.until > now) {
            return written;
        }
        find.setBytes(1, ColumnCodecs.key(key));
        find.setLong(2, now);
        try (ResultSet row = find.executeQuery()) {
            if (!row.next()) {
                return null;
            }
            byte[] fingerprint = row.getBytes(2);
            return new First(row.getLong(1), fingerprint == null ? null : ColumnCodecs.key(fingerprint),
                    row.getLong(3));
        }
    }

    public void insert(DedupeKey key, First first) throws SQLException {
        PreparedStatement into = insert.next();
        into.setBytes(1, ColumnCodecs.key(key));
        into.setLong(2, first.seq);
        into.setBytes(3, first.fingerprint == null ? null : ColumnCodecs.key(first.fingerprint));
        into.setLong(4, first.until);
        into.addBatch();
        uncommitted.put(key, first);
    }

    void transactionEnded() {
        uncommitted.clear();
    }

    /** Deletes keys whose window is over; returns their number. */
    public int prune(long now, int limit) throws SQLException {
        prune.setLong(1, now);
        prune.setInt(2, limit);
        return prune.executeUpdate();
    }
}
