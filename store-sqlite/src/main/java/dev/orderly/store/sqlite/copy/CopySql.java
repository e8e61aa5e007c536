package dev.orderly.store.sqlite.copy;

import dev.orderly.store.sqlite.table.StoredJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements of a copy. */
final class CopySql {
    private CopySql() {}

    /** Reads one row. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** All rows of a query. */
    static <T> List<T> list(Connection connection, String sql, Reader<T> reader, Object... values)
            throws SQLException {
        try (PreparedStatement query = StoredJob.prepare(connection, sql)) {
            bind(query, values);
            List<T> found = new ArrayList<>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    found.add(reader.read(rows));
                }
            }
            return found;
        }
    }

    static void update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement update = StoredJob.prepare(connection, sql)) {
            bind(update, values);
            update.executeUpdate();
        }
    }

    static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int n = 0; n < values.length; n++) {
            statement.setObject(n + 1, values[n]);
        }
    }

    /** Adds an execution to a statement. */
    static void add(PreparedStatement into, @Nullable Object... values) throws SQLException {
        bind(into, values);
        into.addBatch();
    }
}
