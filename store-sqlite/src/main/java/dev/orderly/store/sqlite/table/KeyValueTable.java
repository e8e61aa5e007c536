package dev.orderly.store.sqlite.table;

import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Statements on table {@code key_value}. They are rare, so each is prepared when it runs. */
public final class KeyValueTable {
    private final Connection connection;

    KeyValueTable(Connection connection) {
        this.connection = connection;
    }

    public Optional<StoredValue> read(String key, Instant now) throws SQLException {
        try (PreparedStatement query = connection
                .prepareStatement("SELECT version, text FROM key_value WHERE key = ? AND until > ?")) {
            query.setString(1, key);
            query.setLong(2, now.toEpochMilli());
            try (ResultSet rows = query.executeQuery()) {
                return rows.next()
                        ? Optional.of(new StoredValue(rows.getLong(1), rows.getString(2)))
                        : Optional.empty();
            }
        }
    }

    public OptionalLong replace(String key, long seen, String text, Instant until, Instant now) throws SQLException {
        if (read(key, now).map(StoredValue::version).orElse(KeyValueStore.ABSENT) != seen) {
            return OptionalLong.empty();
        }
        try (PreparedStatement delete = connection
                .prepareStatement("DELETE FROM key_value WHERE key = ? OR until <= ?")) {
            delete.setString(1, key);
            delete.setLong(2, now.toEpochMilli());
            delete.executeUpdate();
        }
        try (PreparedStatement insert = connection
                .prepareStatement("INSERT INTO key_value(key, text, until) VALUES(?, ?, ?) RETURNING version")) {
            insert.setString(1, key);
            insert.setString(2, text);
            insert.setLong(3, until.toEpochMilli());
            try (ResultSet rows = insert.executeQuery()) {
                rows.next();
                return OptionalLong.of(rows.getLong(1));
            }
        }
    }
}
