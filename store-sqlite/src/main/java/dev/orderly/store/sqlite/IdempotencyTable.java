package dev.orderly.store.sqlite;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.IdempotencyKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The statements on table {@code idempotency}. {@code at} is drawn from the job sequence, so it carries the time. */
final class IdempotencyTable {
    private final Batch insert;
    private final PreparedStatement find;
    private final PreparedStatement prune;

    IdempotencyTable(Connection connection) throws SQLException {
        insert = new Batch(connection,
                "INSERT OR REPLACE INTO idempotency(at, key, fingerprint, seq) VALUES(?, ?, ?, ?)");
        find = connection.prepareStatement("SELECT fingerprint, seq FROM idempotency WHERE key = ? AND at >= ?");
        prune = connection.prepareStatement("""
                DELETE FROM idempotency WHERE at IN (SELECT at FROM idempotency WHERE at < ? ORDER BY at LIMIT ?)""");
    }

    /** The first request that used a key. */
    record First(DedupeKey fingerprint, long seq) {}

    @Nullable
    First find(DedupeKey key, long floor) throws SQLException {
        find.setBytes(1, Columns.key(key));
        find.setLong(2, floor);
        try (ResultSet rows = find.executeQuery()) {
            return rows.next() ? new First(Columns.key(rows.getBytes(1)), rows.getLong(2)) : null;
        }
    }

    void insert(long at, IdempotencyKey key, long seq) throws SQLException {
        PreparedStatement into = insert.next();
        into.setLong(1, at);
        into.setBytes(2, Columns.key(key.key()));
        into.setBytes(3, Columns.key(key.fingerprint()));
        into.setLong(4, seq);
        into.addBatch();
    }

    int prune(long before, int limit) throws SQLException {
        prune.setLong(1, before);
        prune.setInt(2, limit);
        return prune.executeUpdate();
    }

    void flush() throws SQLException {
        insert.flush();
    }

    void forget() throws SQLException {
        insert.forget();
    }
}
