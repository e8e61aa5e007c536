package dev.orderly.store.postgres.job;

import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.ColumnCodecs;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The rows of lanes. The lock of a lane gives exclusive access to the jobs of its group until the commit. Several lanes
 * are locked in the order of their keys. A lane keeps no counters: the state of its group is derived from its jobs.
 */
final class Lanes {
    private static final String WANTED = "unnest(?, ?) AS wanted(queue, name)";
    private static final String SAME = "lane.queue = ANY(ARRAY[wanted.queue]) AND lane.name = ANY(ARRAY[wanted.name])";

    private Lanes() {}

    /**
     * Locks lanes, and creates missing ones as ready. The condition, which is never true, makes the statement lock
     * existing rows without writing them.
     *
     * @param patience not {@link LockPatience#NONE}
     * @return the created lanes
     */
    static Set<Lane> open(Connection connection, Collection<Lane> lanes, LockPatience patience) throws SQLException {
        return lanes.isEmpty()
                ? Set.of()
                : new HashSet<>(wanted(connection,
                        """
                                INSERT INTO lane(queue, name, turn, ready_at, state)
                                SELECT queue, name, nextval('lane_turn'), 0, 0 FROM (
                                  SELECT queue, name FROM\s"""
                                + LockPatience.SET + "CROSS JOIN " + WANTED + """
                                         ORDER BY queue, name COLLATE "C") AS sorted
                                        ON CONFLICT (queue, name) DO UPDATE SET state = lane.state WHERE lane.queue < 0
                                        RETURNING queue, name""",
                        lanes, patience.millis()).list(row -> new Lane(row.getInt(1), row.getString(2))));
    }

    /**
     * Locks existing lanes.
     *
     * @return the lanes that are locked now, each with whether its first held job may have run
     */
    static Map<Lane, Boolean> lock(Connection connection, Collection<Lane> lanes, LockPatience patience)
            throws SQLException {
        Map<Lane, Boolean> locked = new HashMap<>();
        if (!lanes.isEmpty()) {
            wanted(connection, "SELECT lane.queue, lane.name, lane.started FROM " + LockPatience.SET + "CROSS JOIN "
                    + WANTED + " JOIN lane ON " + SAME
                    + " ORDER BY wanted.queue, wanted.name COLLATE \"C\" FOR UPDATE OF lane"
                    + patience.lock(), lanes, patience.millis())
                    .list(row -> locked.put(new Lane(row.getInt(1), row.getString(2)), row.getBoolean(3)));
        }
        return locked;
    }

    /** The lanes that exist, locked or not. */
    static Set<Lane> existing(Connection connection, Collection<Lane> lanes) throws SQLException {
        return lanes.isEmpty()
                ? Set.of()
                : new HashSet<>(wanted(connection,
                        "SELECT lane.queue, lane.name FROM " + WANTED + " JOIN lane ON " + SAME, lanes)
                        .list(row -> new Lane(row.getInt(1), row.getString(2))));
    }

    /** Deletes lanes without a job. The caller has locked them. */
    static void remove(Connection connection, Collection<Lane> lanes) throws SQLException {
        if (!lanes.isEmpty()) {
            wanted(connection, "DELETE FROM lane USING " + WANTED + " WHERE " + SAME, lanes).update();
        }
    }

    /** Writes whether the first held job of lanes may have run. The caller has locked them. */
    static void started(Connection connection, Collection<Lane> lanes, boolean started) throws SQLException {
        if (!lanes.isEmpty()) {
            wanted(connection, "UPDATE lane SET started = " + started + " FROM " + WANTED + " WHERE " + SAME
                    + " AND lane.started <> " + started, lanes).update();
        }
    }

    /** Marks lanes whose first job is handed off. The caller has locked them. */
    static void handOff(Connection connection, Collection<Lane> lanes) throws SQLException {
        if (!lanes.isEmpty()) {
            wanted(connection, "UPDATE lane SET state = LANE_HELD, started = true FROM " + WANTED + " WHERE " + SAME,
                    lanes)
                    .update();
        }
    }

    /**
     * Recomputes lanes from their jobs, and deletes lanes without a job. A lane that becomes ready queues up behind the
     * ready ones; a lane that stays ready keeps its turn. The caller has locked them.
     */
    static void recompute(Connection connection, Collection<Lane> lanes, Instant now) throws SQLException {
        if (!lanes.isEmpty()) {
            new Sql(connection, "SELECT job_lanes(?, ?, ?)").ints(lanes.stream().map(Lane::queue).toList())
                    .texts(lanes.stream().map(Lane::name).toList()).with(ColumnCodecs.millis(now)).list(_ -> true);
        }
    }

    private static Sql wanted(Connection connection, String text, Collection<Lane> lanes, Object... before) {
        Sql sql = new Sql(connection, text);
        for (Object value : before) {
            sql.with(value);
        }
        return sql.ints(lanes.stream().map(Lane::queue).toList()).texts(lanes.stream().map(Lane::name).toList());
    }
}
