package dev.orderly.store.sqlite.table;

import dev.orderly.job.DedupeKey;
import dev.orderly.store.sql.ColumnCodecs;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements on table {@code queue}, and the queries that run once at the start. */
public final class SqliteQueueTable {
    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement pause;
    private final PreparedStatement halt;
    private final PreparedStatement forget;
    private final PreparedStatement know;
    private final PreparedStatement keys;

    SqliteQueueTable(Connection connection) throws SQLException {
        this.connection = connection;
        insert = connection.prepareStatement("INSERT INTO queue(id, name) VALUES(?, ?)");
        pause = connection.prepareStatement("UPDATE queue SET paused = ? WHERE id = ?");
        halt = connection.prepareStatement("UPDATE queue SET halts = ? WHERE id = ?");
        forget = connection.prepareStatement("UPDATE queue SET forgotten = 1, paused = 0, halts = 0,"
                + " flow_limit = NULL, key_limit = NULL WHERE id = ?");
        know = connection.prepareStatement("UPDATE queue SET forgotten = 0 WHERE id = ?");
        keys = connection.prepareStatement("""
                SELECT dedupe FROM job WHERE seq = ?1 AND dedupe IS NOT NULL
                UNION ALL SELECT dedupe FROM ended WHERE seq = ?1 AND dedupe IS NOT NULL
                UNION ALL SELECT dedupe FROM copied_key WHERE seq = ?1""");
    }

    /** A queue as stored. */
    public record Row(int id, String name, boolean paused, boolean halts, boolean forgotten) {}

    public List<Row> all() throws SQLException {
        List<Row> found = new ArrayList<>();
        try (PreparedStatement query = connection
                .prepareStatement("SELECT id, name, paused, halts, forgotten FROM queue ORDER BY id");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                found.add(new Row(rows.getInt("id"), rows.getString("name"), rows.getBoolean("paused"),
                        rows.getBoolean("halts"), rows.getBoolean("forgotten")));
            }
        }
        return found;
    }

    public void insert(int id, String name) throws SQLException {
        insert.setInt(1, id);
        insert.setString(2, name);
        insert.executeUpdate();
    }

    public void pause(int id, boolean paused) throws SQLException {
        pause.setBoolean(1, paused);
        pause.setInt(2, id);
        pause.executeUpdate();
    }

    public void halt(int id, boolean halts) throws SQLException {
        halt.setBoolean(1, halts);
        halt.setInt(2, id);
        halt.executeUpdate();
    }

    /** Marks a queue as forgotten, and ends its pause and its policy for dead letters. */
    public void forget(int id) throws SQLException {
        forget.setInt(1, id);
        forget.executeUpdate();
    }

    /** Ends the mark of a forgotten queue. */
    public void know(int id) throws SQLException {
        know.setInt(1, id);
        know.executeUpdate();
    }

    /** The groups that have or had waiting jobs, at the cost of one index seek per group. */
    public List<String> groups(int queue) throws SQLException {
        List<String> found = new ArrayList<>();
        try (PreparedStatement query = StoredJob.prepare(connection, """
                WITH RECURSIVE step(lane) AS (
                  SELECT min(lane) FROM lane_index WHERE queue = ?1
                  UNION ALL
                  SELECT (SELECT min(lane) FROM lane_index WHERE queue = ?1 AND lane > step.lane)
                  FROM step WHERE step.lane IS NOT NULL)
                SELECT lane FROM step WHERE lane IS NOT NULL
                UNION
                SELECT lane FROM job WHERE queue = ?1 AND state = WAITING
                  AND seq > (SELECT value FROM meta WHERE name = 'merged')""")) {
            query.setInt(1, queue);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
        }
        return found;
    }

    /** The dead letters that halt their groups. */
    public List<JobTable.Found> halting() throws SQLException {
        List<JobTable.Found> found = new ArrayList<>();
        try (PreparedStatement query = StoredJob.prepare(connection,
                "SELECT seq, lane, queue, batch FROM job WHERE state >= DEAD AND state = HALTING");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                StoredJob.Place place = new StoredJob.Place(rows.getLong("seq"), rows.getObject("lane"),
                        StoredJob.HALTING, 0, null, rows.getLong("batch"));
                found.add(new JobTable.Found(place, StoredJob.Tally.NONE, rows.getInt("queue")));
            }
        }
        return found;
    }

    /** The largest known sequence number; zero if none. */
    public long lastSequence() throws SQLException {
        return lastSequence(connection);
    }

    /** As {@link #lastSequence()}, on any connection. */
    public static long lastSequence(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                SELECT max(coalesce((SELECT max(seq) FROM job), 0), coalesce((SELECT max(seq) FROM ended), 0),
                  coalesce((SELECT max(at) FROM idempotency), 0),
                  (SELECT value FROM meta WHERE name = 'merged'))""");
                ResultSet rows = query.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** The dedupe keys of the jobs from a sequence number on, in push order. */
    public void keysSince(long seq, KeySink sink) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                SELECT seq, dedupe FROM job WHERE seq >= ?1 AND dedupe IS NOT NULL
                UNION ALL
                SELECT seq, dedupe FROM ended WHERE seq >= ?1 AND dedupe IS NOT NULL
                UNION ALL
                SELECT seq, dedupe FROM copied_key WHERE seq >= ?1
                ORDER BY seq""")) {
            query.setLong(1, seq);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    sink.accept(rows.getLong(1), ColumnCodecs.key(rows.getBytes(2)));
                }
            }
        }
    }

    /** The fingerprint of the dedupe id of a committed job; null for none. */
    public @Nullable DedupeKey fingerprint(long seq) throws SQLException {
        keys.setLong(1, seq);
        try (ResultSet rows = keys.executeQuery()) {
            byte[] column = rows.next() ? rows.getBytes(1) : null;
            return column == null ? null : ColumnCodecs.fingerprint(column);
        }
    }

    /** Callback for a stored key. */
    @FunctionalInterface
    public interface KeySink {
        void accept(long seq, DedupeKey key);
    }
}
