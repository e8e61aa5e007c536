package dev.orderly.store.sqlite.table;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.PushRequest.IdempotencyKey;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sqlite.table.DeferredWrites.DeferredWrite;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Statements on table {@code idempotency}. {@code at} is drawn from the job sequence, so it contains the time. */
public final class IdempotencyTable {
    private final DeferredWrite insert;
    private final PreparedStatement find;
    private final PreparedStatement prune;
    private final PreparedStatement forgetCopied;
    /** Keys inserted by the transaction under way, visible to its later requests. */
    private final Map<DedupeKey, First> uncommitted = new HashMap<>();

    IdempotencyTable(Connection connection, DeferredWrites writes) throws SQLException {
        insert = writes.prepare("INSERT OR REPLACE INTO idempotency(at, key, fingerprint, seq) VALUES(?, ?, ?, ?)");
        find = connection.prepareStatement("SELECT fingerprint, seq FROM idempotency WHERE key = ? AND at >= ?");
        prune = connection.prepareStatement("""
                DELETE FROM idempotency WHERE at IN (SELECT at FROM idempotency WHERE at < ? ORDER BY at LIMIT ?)""");
        forgetCopied = connection.prepareStatement("DELETE FROM copied_key WHERE seq < ?");
    }

    /** The first request that used a key. */
    public record First(DedupeKey fingerprint, long seq) {}

    @Nullable
    public First find(DedupeKey key, long floor) throws SQLException {
        First written = uncommitted.get(key);
        if (written != null) {
            return written;
        }
        find.setBytes(1, ColumnCodecs.key(key));
        find.setLong(2, floor);
        try (ResultSet rows = find.executeQuery()) {
            return rows.next() ? new First(ColumnCodecs.key(rows.getBytes(1)), rows.getLong(2)) : null;
        }
    }

    public void insert(long at, IdempotencyKey key, long seq) throws SQLException {
        PreparedStatement into = insert.next();
        into.setLong(1, at);
        into.setBytes(2, ColumnCodecs.key(key.key()));
        into.setBytes(3, ColumnCodecs.key(key.fingerprint()));
        into.setLong(4, seq);
        into.addBatch();
        uncommitted.put(key.key(), new First(key.fingerprint(), seq));
    }

    void transactionEnded() {
        uncommitted.clear();
    }

    public int prune(long before, int limit) throws SQLException {
        forgetCopied.setLong(1, before);
        forgetCopied.executeUpdate();
        prune.setLong(1, before);
        prune.setInt(2, limit);
        return prune.executeUpdate();
    }
}
