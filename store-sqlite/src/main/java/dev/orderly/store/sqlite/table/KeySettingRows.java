package dev.orderly.store.sqlite.table;

import dev.orderly.job.settings.KeySettings;
import dev.orderly.store.sql.KeySettingColumns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Statements on table {@code key_setting}: what operators have set for keys and groups. */
public final class KeySettingRows {
    private final Connection connection;
    private final PreparedStatement put;
    private final PreparedStatement remove;
    private final PreparedStatement forget;

    KeySettingRows(Connection connection) throws SQLException {
        this.connection = connection;
        put = connection.prepareStatement("INSERT OR REPLACE INTO key_setting(queue, name, " + KeySettingColumns.NAMES
                + ") VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
        remove = connection.prepareStatement("DELETE FROM key_setting WHERE queue = ? AND name = ?");
        forget = connection.prepareStatement("DELETE FROM key_setting WHERE queue = ?");
    }

    /** Receives the settings of a key or group. */
    @FunctionalInterface
    public interface Sink {
        void accept(int queue, String name, KeySettings settings);
    }

    /** Writes the settings of a key or group; empty ones remove the row. */
    public void put(int queue, String name, KeySettings settings) throws SQLException {
        if (settings.isEmpty()) {
            remove.setInt(1, queue);
            remove.setString(2, name);
            remove.executeUpdate();
            return;
        }
        int column = 1;
        put.setInt(column++, queue);
        put.setString(column++, name);
        for (Object value : KeySettingColumns.values(settings)) {
            put.setObject(column++, value);
        }
        put.executeUpdate();
    }

    /** Removes the settings of all keys or groups of a queue. */
    public void forget(int queue) throws SQLException {
        forget.setInt(1, queue);
        forget.executeUpdate();
    }

    /** Reads all. */
    public void restore(Sink into) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT * FROM key_setting");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                into.accept(rows.getInt("queue"), rows.getString("name"), KeySettingColumns.read(rows));
            }
        }
    }
}
