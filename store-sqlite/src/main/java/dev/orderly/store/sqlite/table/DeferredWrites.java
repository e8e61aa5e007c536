package dev.orderly.store.sqlite.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements whose executions are collected and run together at the end of a transaction, in the order of their
 * preparation.
 */
final class DeferredWrites {
    private final Connection connection;
    private final List<DeferredWrite> all = new ArrayList<>();

    DeferredWrites(Connection connection) {
        this.connection = connection;
    }

    DeferredWrite prepare(String sql) throws SQLException {
        DeferredWrite write = new DeferredWrite(StoredJob.prepare(connection, sql));
        all.add(write);
        return write;
    }

    /** Runs the collected executions. */
    void flush() throws SQLException {
        for (DeferredWrite each : all) {
            if (each.filled) {
                each.filled = false;
                each.statement.executeBatch();
            }
        }
    }

    /** Drops the collected executions. */
    void clear() throws SQLException {
        for (DeferredWrite each : all) {
            each.filled = false;
            each.statement.clearBatch();
        }
    }

    /** A statement with its collected executions. */
    static final class DeferredWrite {
        private final PreparedStatement statement;
        private boolean filled;

        private DeferredWrite(PreparedStatement statement) {
            this.statement = statement;
        }

        /** The statement, to be bound and added. */
        PreparedStatement next() {
            filled = true;
            return statement;
        }
    }
}
