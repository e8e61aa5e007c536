package dev.orderly.store.sqlite.table;

import dev.orderly.store.sqlite.table.DeferredWrites.DeferredWrite;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Statements on table {@code lease}. Writes are collected in {@link DeferredWrites}. */
public final class SqliteLeaseTable {
    private final Connection connection;
    private final DeferredWrite put;
    private final DeferredWrite delete;

    SqliteLeaseTable(Connection connection, DeferredWrites writes) throws SQLException {
        this.connection = connection;
        put = writes.prepare("INSERT OR REPLACE INTO lease(seq, attempt, until, cancelling) VALUES(?, ?, ?, 0)");
        delete = writes.prepare("DELETE FROM lease WHERE seq = ?");
    }

    /**
     * A lease.
     *
     * @param until its end in Unix milliseconds, by the store's clock
     */
    public record Lease(long until) {}

    /** A stored lease. */
    public record Row(long seq, int attempt, Lease lease) {}

    public void put(Row row) throws SQLException {
        PreparedStatement into = put.next();
        into.setLong(1, row.seq);
        into.setInt(2, row.attempt);
        into.setLong(3, row.lease.until);
        into.addBatch();
    }

    public void delete(long seq) throws SQLException {
        delete.next().setLong(1, seq);
        delete.next().addBatch();
    }

    /** All leases, oldest job first. */
    public List<Row> all() throws SQLException {
        List<Row> found = new ArrayList<>();
        try (PreparedStatement query = connection
                .prepareStatement("SELECT seq, attempt, until FROM lease ORDER BY seq");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                found.add(new Row(rows.getLong(1), rows.getInt(2), new Lease(rows.getLong(3))));
            }
        }
        return found;
    }
}
