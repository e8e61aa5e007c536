package dev.orderly.store.sqlite.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Statements whose runs are collected and done together at the end of a transaction, in the order of their making. */
final class Batches {
    private final Connection connection;
    private final List<Batch> all = new ArrayList<>();

    Batches(Connection connection) {
        this.connection = connection;
    }

    Batch prepare(String sql) throws SQLException {
        Batch batch = new Batch(connection.prepareStatement(sql));
        all.add(batch);
        return batch;
    }

    /** Does the collected runs. */
    void flush() throws SQLException {
        for (Batch each : all) {
            if (each.filled) {
                each.filled = false;
                each.statement.executeBatch();
            }
        }
    }

    /** Drops the collected runs. */
    void clear() throws SQLException {
        for (Batch each : all) {
            each.filled = false;
            each.statement.clearBatch();
        }
    }

    /** One of the statements. */
    static final class Batch {
        private final PreparedStatement statement;
        private boolean filled;

        private Batch(PreparedStatement statement) {
            this.statement = statement;
        }

        /** The statement, to be bound and added to. */
        PreparedStatement next() {
            filled = true;
            return statement;
        }
    }
}
