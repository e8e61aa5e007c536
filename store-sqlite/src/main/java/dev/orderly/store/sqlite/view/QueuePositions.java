package dev.orderly.store.sqlite.view;

import dev.orderly.job.Priority;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.StoredJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** How many jobs stand before one, counted in indexes up to a limit: however long a line is, a count costs the same. */
final class QueuePositions {
    private static final String STORED = " FROM job WHERE state = 0 AND queue = ? AND lane = ? AND seq < ? LIMIT ?)";
    private static final String DUE = " FROM job WHERE state = 1 AND queue = ? AND lane = ? AND seq < ?"
            + " AND ready_at <= ? LIMIT ?)";

    private final WriterState desk;

    QueuePositions(WriterState desk) {
        this.desk = desk;
    }

    int ahead(Connection connection, long seq, int limit) throws SQLException {
        try (PreparedStatement query = connection
                .prepareStatement("SELECT queue, lane, state, ready_at FROM job WHERE seq = ?")) {
            query.setLong(1, seq);
            try (ResultSet rows = query.executeQuery()) {
                if (!rows.next() || rows.getInt(3) >= StoredJob.DEAD
                        || rows.getLong(4) > desk.latest().toEpochMilli()) {
                    return 0;
                }
                QueueIndex line = desk.line(rows.getInt(1));
                return line instanceof FifoQueueIndex
                        ? Math.toIntExact(count(connection, "SELECT count(*) FROM (SELECT 1" + STORED,
                                line.identity().id, rows.getString(2), seq, limit))
                        : inClasses(connection, line, Priority.of(rows.getInt(2)), seq, limit);
            }
        }
    }

    private int inClasses(Connection connection, QueueIndex line, Priority own, long seq, int limit)
            throws SQLException {
        long found = 0;
        for (Priority priority : Priority.values()) {
            if (priority.compareTo(own) <= 0 && found < limit) {
                found += inClass(connection, line, priority, priority == own ? seq : Long.MAX_VALUE, limit - found);
            }
        }
        return Math.toIntExact(Math.min(found, limit));
    }

    /** What runs is stored as waiting, so as many more are counted and then taken off. */
    private long inClass(Connection connection, QueueIndex line, Priority priority, long before, long limit)
            throws SQLException {
        int queue = line.identity().id;
        long stored = desk.running.all().stream().filter(claim -> claim.line == line && claim.seq() < before
                && claim.place.lane().equals(priority.number())).count();
        long waiting = count(connection, "SELECT count(*) FROM (SELECT 1" + STORED, queue, priority.number(), before,
                limit + stored);
        long due = count(connection, "SELECT count(*) FROM (SELECT 1" + DUE, queue, priority.number(), before,
                desk.latest().toEpochMilli(), limit + stored);
        return Math.max(0, waiting + due - stored);
    }

    private static long count(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                query.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }
}
