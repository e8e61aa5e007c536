package dev.orderly.store.sqlite.table;

import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import dev.orderly.job.limit.LimitTable;
import dev.orderly.job.store.StartWindow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Statements on table {@code flow_limit}, and on the limits of queues. */
public final class LimitRows {
    private final Connection connection;
    private final PreparedStatement put;
    private final PreparedStatement use;
    private final PreparedStatement useOfKeys;

    LimitRows(Connection connection) throws SQLException {
        this.connection = connection;
        put = connection.prepareStatement(
                "INSERT OR REPLACE INTO flow_limit(name, concurrency, starts, period, taken, share)"
                        + " VALUES(?, ?, ?, ?, ?, ?)");
        use = connection.prepareStatement("UPDATE queue SET flow_limit = ? WHERE id = ?");
        useOfKeys = connection.prepareStatement("UPDATE queue SET key_limit = ? WHERE id = ?");
    }

    /** Writes a limit with its tokens. */
    public void put(LimitTable.Row row) throws SQLException {
        put.setString(1, row.name().value());
        put.setInt(2, row.limit().concurrency());
        put.setInt(3, row.limit().starts());
        put.setLong(4, row.limit().period().toMillis());
        put.setString(5, row.window().column());
        put.setInt(6, row.limit().share());
        put.executeUpdate();
    }

    /** Writes the limit of a queue; null for none. */
    public void use(int queue, @Nullable LimitName limit) throws SQLException {
        use.setString(1, limit == null ? null : limit.value());
        use.setInt(2, queue);
        use.executeUpdate();
    }

    /** Writes the limit of each key of a queue; null for none. */
    public void useOfKeys(int queue, @Nullable LimitName limit) throws SQLException {
        useOfKeys.setString(1, limit == null ? null : limit.value());
        useOfKeys.setInt(2, queue);
        useOfKeys.executeUpdate();
    }

    /** Reads all into a table. */
    public void restore(LimitTable into) throws SQLException {
        try (PreparedStatement query = connection
                .prepareStatement("SELECT name, concurrency, starts, period, taken, share FROM flow_limit");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                into.restore(new LimitTable.Row(new LimitName(rows.getString(1)),
                        new Limit(rows.getInt(2), rows.getInt(3), Duration.ofMillis(rows.getLong(4)),
                                rows.getInt(6)),
                        StartWindow.ofColumn(rows.getString(5))));
            }
        }
        try (PreparedStatement query = connection
                .prepareStatement("SELECT name, flow_limit FROM queue WHERE flow_limit IS NOT NULL"
                        + " UNION ALL SELECT name, key_limit FROM queue WHERE key_limit IS NOT NULL");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                into.restore(new QueueName(rows.getString(1)), new LimitName(rows.getString(2)));
            }
        }
    }
}
