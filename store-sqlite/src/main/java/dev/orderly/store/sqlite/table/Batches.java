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
final class Batches {
    private final Connection connection;
    private final List<Batch> all = new ArrayList<>();

    Batches(Connection connection) {
        this.connection = connection;
    }

    Batch prepare(String sql) throws SQLException {
        Batch batch = new Batch(StoredJob.prepare(connection, sql));
        all.add(batch);
        return batch;
    }

    /** Runs the collected executions. */
    void flush() throws SQLException {
        for (Batch each : all) {
            if (each.filled) {
                each.filled = false;
                each.statement.executeBatch();
            }
        }
    }

    /** Drops the collected executions. */
    void clear() throws SQLException {
        for (Batch each : all) {
            each.filled = false;
            each.statement.clearBatch();
        }
    }

    /** A statement with its collected executions. */
    static final class Batch {
        private final PreparedStatement statement;
        private boolean filled;

        private Batch(PreparedStatement statement) {
            this.statement = statement;
        }

        /** The statement, to be bound and added to the batch. */
        PreparedStatement next() {
            filled = true;
            return statement;
        }
    }
}
