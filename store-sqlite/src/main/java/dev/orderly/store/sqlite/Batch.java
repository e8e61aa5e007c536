package dev.orderly.store.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A statement whose runs are collected and done together. */
final class Batch {
    private final PreparedStatement statement;
    private boolean filled;

    Batch(Connection connection, String sql) throws SQLException {
        statement = connection.prepareStatement(sql);
    }

    /** The statement, to be bound and added to. */
    PreparedStatement next() {
        filled = true;
        return statement;
    }

    void flush() throws SQLException {
        if (filled) {
            filled = false;
            statement.executeBatch();
        }
    }

    void forget() throws SQLException {
        filled = false;
        statement.clearBatch();
    }
}
