package dev.orderly.store.sqlite.table;

import dev.orderly.job.JobId;
import dev.orderly.job.LimitName;
import dev.orderly.job.limit.LimitTable;
import dev.orderly.job.store.Rest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Statements on table {@code flow_rest}: the rests of limits, and of keys, which have no name of a limit. */
public final class RestRows {
    private static final String NO_LIMIT = "";

    private final PreparedStatement put;
    private final PreparedStatement ofKeys;
    private final PreparedStatement ofLimits;
    private final PreparedStatement prune;

    RestRows(Connection connection) throws SQLException {
        put = connection.prepareStatement("INSERT INTO flow_rest(flow_limit, queue, flow_key, until, job, attempt)"
                + " VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET until = excluded.until, job = excluded.job,"
                + " attempt = excluded.attempt WHERE excluded.until > until");
        ofKeys = connection.prepareStatement(
                "SELECT flow_key, until, job, attempt FROM flow_rest WHERE flow_limit = '' AND queue = ?");
        ofLimits = connection
                .prepareStatement("SELECT flow_limit, until, job, attempt FROM flow_rest WHERE flow_limit > ''");
        prune = connection.prepareStatement("DELETE FROM flow_rest WHERE until NOT BETWEEN ? AND ?");
    }

    /** Writes the rest of a key; a rest that ends later stays. */
    public void put(int queue, String key, Rest rest) throws SQLException {
        put(NO_LIMIT, queue, key, rest);
    }

    /** Writes the rest of a limit; a rest that ends later stays. */
    public void put(LimitName limit, Rest rest) throws SQLException {
        put(limit.value(), 0, "", rest);
    }

    private void put(String limit, int queue, String key, Rest rest) throws SQLException {
        put.setString(1, limit);
        put.setInt(2, queue);
        put.setString(3, key);
        put.setLong(4, rest.until().toEpochMilli());
        put.setString(5, rest.job().toString());
        put.setInt(6, rest.attempt());
        put.executeUpdate();
    }

    /** The rests of the keys of a queue. */
    public Map<String, Rest> ofKeys(int queue) throws SQLException {
        ofKeys.setInt(1, queue);
        return read(ofKeys);
    }

    /** Reads the rests of all limits into a table that knows the limits. */
    public void restore(LimitTable into) throws SQLException {
        read(ofLimits).forEach((name, rest) -> into.rest(new LimitName(name), rest));
    }

    private static Map<String, Rest> read(PreparedStatement query) throws SQLException {
        Map<String, Rest> found = new HashMap<>();
        try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                found.put(rows.getString(1), new Rest(Instant.ofEpochMilli(rows.getLong(2)),
                        JobId.parse(rows.getString(3)), rows.getInt(4)));
            }
        }
        return found;
    }

    /** Removes rests that are over. */
    public void prune(long now) throws SQLException {
        prune.setLong(1, now);
        prune.setLong(2, now + Rest.AHEAD_MAX.toMillis());
        prune.executeUpdate();
    }
}
