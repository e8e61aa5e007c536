package dev.orderly.store.sqlite.table;

import dev.orderly.store.sqlite.table.DeferredWrites.DeferredWrite;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Statements on table {@code cancellation}. Writes are collected in {@link DeferredWrites}. */
public final class CancellationTable {
    private final Connection connection;
    private final DeferredWrite put;
    private final DeferredWrite delete;

    CancellationTable(Connection connection, DeferredWrites writes) throws SQLException {
        this.connection = connection;
        put = writes.prepare("INSERT OR IGNORE INTO cancellation(seq) VALUES(?)");
        delete = writes.prepare("DELETE FROM cancellation WHERE seq = ?");
    }

    public void put(long seq) throws SQLException {
        put.next().setLong(1, seq);
        put.next().addBatch();
    }

    public void delete(long seq) throws SQLException {
        delete.next().setLong(1, seq);
        delete.next().addBatch();
    }

    /** The jobs that are to be cancelled, oldest first. */
    public List<Long> all() throws SQLException {
        List<Long> found = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT seq FROM cancellation ORDER BY seq");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                found.add(rows.getLong(1));
            }
        }
        return found;
    }
}
