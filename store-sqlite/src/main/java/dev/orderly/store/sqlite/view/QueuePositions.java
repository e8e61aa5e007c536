package dev.orderly.store.sqlite.view;

import dev.orderly.job.Priority;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.RecentKeyedJobs;
import dev.orderly.store.sqlite.table.StoredJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Counts of the jobs before a job, from indexes up to a limit, so that the cost does not grow with the queue. */
final class QueuePositions {
    private static final String STORED = " FROM waiting WHERE queue = ? AND lane = ? AND seq < ? LIMIT ?)";
    private static final String DUE = " FROM job WHERE state = DELAYED AND queue = ? AND lane = ? AND seq < ?"
            + " AND ready_at <= ? LIMIT ?)";

    private final WriterState state;

    QueuePositions(WriterState state) {
        this.state = state;
    }

    int ahead(Connection connection, long seq, int limit) throws SQLException {
        try (PreparedStatement query = connection
                .prepareStatement("SELECT queue, lane, state, ready_at, flow_key FROM job WHERE seq = ?")) {
            query.setLong(1, seq);
            try (ResultSet rows = query.executeQuery()) {
                if (!rows.next() || rows.getInt("state") >= StoredJob.DEAD
                        || rows.getLong("ready_at") > state.latest().toEpochMilli()) {
                    return 0;
                }
                QueueIndex index = state.index(rows.getInt("queue"));
                return index instanceof FifoQueueIndex
                        ? Math.toIntExact(count(connection, "SELECT count(*) FROM (SELECT 1" + STORED,
                                index.identity().id, rows.getString("lane"), seq, limit))
                        : ClassNumber.hasKey(rows.getInt("lane"))
                                ? ofKey(connection, index, rows, seq, limit)
                                : inClasses(connection, index, Priority.of(rows.getInt("lane")), seq, limit);
            }
        }
    }

    /** The dead letter that halts the group of a waiting job, or the first unsettled job before it in the group. */
    Optional<Long> blocker(Connection connection, long seq) throws SQLException {
        try (PreparedStatement query = StoredJob.prepare(connection,
                """
                        SELECT job.queue, (SELECT seq FROM job AS dead
                            WHERE dead.state >= DEAD AND dead.queue = job.queue AND dead.state = HALTING AND dead.lane = job.lane
                            LIMIT 1) AS halting,
                          (SELECT seq FROM waiting WHERE waiting.queue = job.queue AND waiting.lane = job.lane
                            AND waiting.seq < job.seq ORDER BY seq LIMIT 1) AS first
                        FROM job WHERE job.seq = ? AND job.state = WAITING""")) {
            query.setLong(1, seq);
            try (ResultSet rows = query.executeQuery()) {
                if (!rows.next() || !(state.index(rows.getInt("queue")) instanceof FifoQueueIndex)) {
                    return Optional.empty();
                }
                long halting = rows.getLong("halting");
                long first = rows.getLong("first");
                return halting == 0 && first == 0 ? Optional.empty() : Optional.of(halting == 0 ? first : halting);
            }
        }
    }

    /** Counts the waiting jobs of the same key that come before. Running jobs are stored as waiting. */
    private int ofKey(Connection connection, QueueIndex index, ResultSet own, long seq, int limit)
            throws SQLException {
        int lane = own.getInt("lane");
        String key = own.getString("flow_key");
        long stored = state.running.all().stream().filter(locked -> locked.index == index
                && key.equals(locked.place.key()) && ((Integer) locked.place.lane() < lane
                        || ((Integer) locked.place.lane() == lane && locked.seq() < seq)))
                .count();
        return (int) Math.max(0, count(connection, "SELECT count(*) FROM (SELECT 1 FROM waiting_of_key"
                + " WHERE queue = ? AND flow_key = ? AND (lane, seq) < (?, ?) LIMIT ?)", index.identity().id, key, lane,
                seq, limit + stored) - stored);
    }

    /** Counts the waiting and delayed jobs of a key. */
    int pending(Connection connection, QueueIndex index, String key, int limit) throws SQLException {
        long running = state.running.all().stream()
                .filter(locked -> locked.index == index && key.equals(locked.place.key())).count();
        int queue = index.identity().id;
        RecentKeyedJobs.Pending recent = state.tables.jobs.keys.recent(queue, key);
        long most = limit + running;
        long[] indexed = indexed(connection, queue, key, most);
        long stored = indexed[1] + (indexed[2] == recent.merged()
                && recent.merged() == state.tables.jobs.keys.recent(queue, key).merged()
                        ? indexed[0] + recent.jobs()
                        : count(connection, "SELECT count(*) FROM (SELECT 1 FROM waiting_of_key WHERE queue = ?"
                                + " AND flow_key = ? LIMIT ?)", queue, key, most)); // a merge under way
        return Math.toIntExact(Math.clamp(stored - running, 0, limit));
    }

    /** The waiting jobs of a key that the index has, the delayed ones, and the number up to which it has them. */
    private static long[] indexed(Connection connection, int queue, String key, long most) throws SQLException {
        try (PreparedStatement query = StoredJob.prepare(connection,
                """
                        SELECT (SELECT count(*) FROM (SELECT 1 FROM job INDEXED BY keyed WHERE queue = ?1 AND flow_key = ?2
                            AND key_indexed = 1 AND state = WAITING LIMIT ?3)),
                          (SELECT count(*) FROM (SELECT 1 FROM job INDEXED BY keyed_delayed WHERE queue = ?1 AND flow_key = ?2
                            AND flow_key IS NOT NULL AND state = DELAYED LIMIT ?3)),
                          (SELECT value FROM meta WHERE name = 'merged')""")) {
            query.setInt(1, queue);
            query.setString(2, key);
            query.setLong(3, most);
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
                return new long[]{rows.getLong(1), rows.getLong(2), rows.getLong(3)};
            }
        }
    }

    private int inClasses(Connection connection, QueueIndex index, Priority own, long seq, int limit)
            throws SQLException {
        long found = 0;
        for (Priority priority : Priority.values()) {
            if (priority.compareTo(own) <= 0 && found < limit) {
                found += inClass(connection, index, priority, priority == own ? seq : Long.MAX_VALUE, limit - found);
            }
        }
        return Math.toIntExact(Math.min(found, limit));
    }

    /**
     * Counts the waiting jobs of a class. Running jobs are stored as waiting, so the limit grows by their number, which
     * is then subtracted.
     */
    private long inClass(Connection connection, QueueIndex index, Priority priority, long before, long limit)
            throws SQLException {
        int queue = index.identity().id;
        long stored = state.running.all().stream().filter(locked -> locked.index == index && locked.seq() < before
                && locked.place.lane().equals(priority.number())).count();
        long waiting = count(connection, "SELECT count(*) FROM (SELECT 1" + STORED, queue, priority.number(), before,
                limit + stored);
        long due = count(connection, "SELECT count(*) FROM (SELECT 1" + DUE, queue, priority.number(), before,
                state.latest().toEpochMilli(), limit + stored);
        return Math.max(0, waiting + due - stored);
    }

    private static long count(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement query = StoredJob.prepare(connection, sql)) {
            for (int i = 0; i < values.length; i++) {
                query.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }
}
