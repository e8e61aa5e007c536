package dev.orderly.store.postgres.sql;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A statement with its values, in the order of its parameters. The text has states by {@link StateName}. Columns of
 * values are arrays, for {@code unnest}.
 *
 * <p>A text joins such columns to a table by {@code = ANY(ARRAY[wanted.seq])}, as the functions in
 * {@code job-calls.sql} do, so that each row is looked up.
 */
public final class Sql {
    private final Connection connection;
    private final String text;
    private final List<@Nullable Object> values = new ArrayList<>();

    private record Column(String type, List<? extends @Nullable Object> values) {
        /** Arrays of their own type, which the driver sends in binary. */
        @Nullable
        Object[] array() {
            return switch (type) {
                case "bytea" -> values.toArray(new byte[0][]);
                case "text" -> values.toArray(new String[0]);
                case "int8" -> values.toArray(new Long[0]);
                case "int4" -> values.toArray(new Integer[0]);
                default -> values.toArray();
            };
        }
    }

    public Sql(Connection connection, String text) {
        this.connection = connection;
        this.text = StateName.numbered(text);
    }

    /** Adds a number, text, boolean, {@link UUID} or null. */
    public Sql with(@Nullable Object value) {
        values.add(value);
        return this;
    }

    public Sql longs(Collection<Long> column) {
        values.add(new Column("int8", List.copyOf(column)));
        return this;
    }

    public Sql ints(Collection<Integer> column) {
        values.add(new Column("int4", List.copyOf(column)));
        return this;
    }

    public Sql texts(Collection<? extends @Nullable String> column) {
        values.add(new Column("text", new ArrayList<>(column)));
        return this;
    }

    public Sql uuids(Collection<UUID> column) {
        values.add(new Column("uuid", List.copyOf(column)));
        return this;
    }

    public Sql truths(Collection<Boolean> column) {
        values.add(new Column("bool", List.copyOf(column)));
        return this;
    }

    public Sql bytes(Collection<byte @Nullable []> column) {
        values.add(new Column("bytea", new ArrayList<>(column)));
        return this;
    }

    /** Reads one row. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    public <T> List<T> list(Reader<T> reader) throws SQLException {
        List<T> found = new ArrayList<>();
        each(row -> found.add(reader.read(row)));
        return found;
    }

    /** Takes one row. */
    @FunctionalInterface
    public interface Sink {
        void take(ResultSet row) throws SQLException;
    }

    public void each(Sink sink) throws SQLException {
        try (PreparedStatement statement = prepare(); ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                sink.take(rows);
            }
        }
    }

    /** The values of an array without nulls; none for null. */
    public static <T> List<T> array(ResultSet row, String column, Class<T[]> type) throws SQLException {
        Array array = row.getArray(column);
        return array == null ? List.of() : List.of(type.cast(array.getArray()));
    }

    /** The first row; null if there is none. */
    public <T> @Nullable T first(Reader<T> reader) throws SQLException {
        List<T> found = list(reader);
        return found.isEmpty() ? null : found.getFirst();
    }

    /** The number of a query with one row and column. */
    public long number() throws SQLException {
        return list(row -> row.getLong(1)).getFirst();
    }

    /** Runs the statement; the number of changed rows. */
    public int update() throws SQLException {
        try (PreparedStatement statement = prepare()) {
            return statement.executeUpdate();
        }
    }

    private PreparedStatement prepare() throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text);
        try {
            for (int n = 0; n < values.size(); n++) {
                Object value = values.get(n);
                if (value instanceof Column column) {
                    if (column.type.equals("uuid")) {
                        statement.setObject(n + 1, new UuidArray(column.values));
                    } else {
                        statement.setArray(n + 1, connection.createArrayOf(column.type, column.array()));
                    }
                } else {
                    statement.setObject(n + 1, value);
                }
            }
            return statement;
        } catch (SQLException | RuntimeException error) {
            statement.close();
            throw error;
        }
    }
}
