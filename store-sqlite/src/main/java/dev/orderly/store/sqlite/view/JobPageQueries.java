package dev.orderly.store.sqlite.view;

import dev.orderly.job.JobState;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.StandardQueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.StoredJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Pages of jobs as sequence numbers, from indexes alone. The cost of a page depends on its size only, except for
 * delayed jobs, and for waiting jobs of a FIFO queue that lie scattered among the jobs of other queues: their indexes
 * have another order, so all entries of the queue are read.
 */
final class JobPageQueries {
    private static final String HELD = "SELECT seq FROM job INDEXED BY held WHERE state = WAITING"
            + " AND ready_at IS NOT NULL AND queue = ? AND seq > ? AND ready_at > ? ORDER BY seq LIMIT ?";
    /** Jobs that follow each other in the order of all pushes, as far as a walk of bounded length finds them. */
    private static final String NEAR = "SELECT seq FROM (SELECT seq, queue, state FROM job WHERE seq >= ?"
            + " ORDER BY seq LIMIT 20000) WHERE queue = ? AND state = WAITING";

    private final WriterState state;

    JobPageQueries(WriterState state) {
        this.state = state;
    }

    /** A page, oldest first, after a sequence number. */
    List<Long> page(Connection connection, QueueIndex index, JobState jobState, long after, int limit)
            throws SQLException {
        long latest = state.latest().toEpochMilli();
        int queue = index.identity().id;
        return switch (jobState) {
            case WAITING -> index instanceof FifoQueueIndex
                    ? waitingInGroups(connection, index, after, limit)
                    : waitingInClasses(connection, queue, after, limit);
            case DELAYED -> numbers(connection, index instanceof FifoQueueIndex
                    ? HELD
                    : "SELECT seq FROM job WHERE state = DELAYED AND queue = ? AND seq > ? AND ready_at > ?"
                            + " ORDER BY seq LIMIT ?",
                    seq -> true, limit, queue, after, latest, (long) limit);
            case RUNNING -> state.running.all().stream().filter(locked -> locked.index == index).map(LockedJob::seq)
                    .filter(seq -> seq > after).sorted().limit(limit).toList();
            case DEAD -> numbers(connection,
                    "SELECT seq FROM job WHERE state >= DEAD AND queue = ? AND seq > ? ORDER BY seq LIMIT ?",
                    seq -> true, limit, queue, after, (long) limit);
            case DONE, CANCELLED -> throw new IllegalArgumentException("Ended jobs are in table ended");
        };
    }

    private List<Long> waitingInClasses(Connection connection, int queue, long after, int limit) throws SQLException {
        List<Long> found = new ArrayList<>();
        for (int number : ClassNumber.ALL) {
            found.addAll(numbers(connection,
                    "SELECT seq FROM waiting WHERE queue = ? AND lane = ? AND seq > ? ORDER BY seq",
                    this::waits, limit, queue, number, after));
            found.addAll(numbers(connection,
                    "SELECT seq FROM job WHERE state = DELAYED AND queue = ? AND lane = ? AND ready_at <= ? AND seq > ?"
                            + " ORDER BY seq",
                    this::waits, limit, queue, number, state.latest().toEpochMilli(), after));
        }
        Collections.sort(found);
        return found.subList(0, Math.min(limit, found.size()));
    }

    /** The oldest waiting job of each of these keys that has one. */
    Map<String, Long> oldestOfKeys(Connection connection, int queue, Collection<String> keys) throws SQLException {
        Map<String, Long> oldest = new HashMap<>();
        for (String key : keys) {
            for (int number : ClassNumber.KEYED) {
                numbers(connection,
                        "SELECT seq FROM job INDEXED BY keyed WHERE queue = ? AND flow_key = ?"
                                + " AND lane = ? AND key_indexed = 1 AND state = WAITING ORDER BY seq",
                        this::waits, 1, queue, key, number)
                        .forEach(seq -> oldest.merge(key, seq, Math::min));
            }
        }
        addRecent(connection, queue, keys, oldest);
        return oldest;
    }

    /** Reads the jobs that the index does not have yet once, for all keys. */
    private void addRecent(Connection connection, int queue, Collection<String> keys, Map<String, Long> oldest)
            throws SQLException {
        Set<String> wanted = new HashSet<>(keys);
        wanted.removeAll(oldest.keySet()); // those of the index are older
        if (wanted.isEmpty()) {
            return;
        }
        try (PreparedStatement query = StoredJob.prepare(connection,
                "SELECT seq, flow_key FROM job WHERE seq > (SELECT value FROM meta WHERE name = 'merged')"
                        + " AND queue = ? AND flow_key IS NOT NULL AND state = WAITING ORDER BY seq")) {
            query.setInt(1, queue);
            try (ResultSet rows = query.executeQuery()) {
                while (!wanted.isEmpty() && rows.next()) {
                    long seq = rows.getLong("seq");
                    String key = rows.getString("flow_key");
                    if (wanted.contains(key) && waits(seq)) {
                        wanted.remove(key);
                        oldest.put(key, seq);
                    }
                }
            }
        }
    }

    private List<Long> waitingInGroups(Connection connection, QueueIndex index, long after, int limit)
            throws SQLException {
        Set<Long> held = new HashSet<>(numbers(connection, HELD, seq -> true, Integer.MAX_VALUE, index.identity().id,
                after, state.latest().toEpochMilli(), Long.MAX_VALUE));
        LongPredicate waits = seq -> waits(seq) && !held.contains(seq);
        List<Long> near = numbers(connection, NEAR, waits, limit, Math.max(after + 1, index.identity().oldest.get()),
                index.identity().id);
        if (near.size() == limit) {
            return near;
        }
        long passed = held.size() + Math.max(0, index.counts().running.get());
        return numbers(connection,
                "SELECT seq FROM waiting WHERE queue = ? AND seq > ? ORDER BY seq LIMIT ?",
                waits, limit, index.identity().id, after, limit + passed);
    }

    private boolean waits(long seq) {
        return !state.running.has(seq);
    }

    /** Number of due jobs among the delayed jobs. */
    long due(Connection connection, QueueIndex index) throws SQLException {
        long due = 0;
        for (int number : ClassNumber.ALL) {
            due += numbers(connection,
                    "SELECT count(*) FROM job WHERE state = DELAYED AND queue = ? AND lane = ? AND ready_at <= ?",
                    seq -> true,
                    1, index.identity().id, number, state.latest().toEpochMilli()).getFirst();
        }
        return due;
    }

    /** Number of groups whose first job waits for its due moment. */
    long held(Connection connection, QueueIndex index) throws SQLException {
        return numbers(connection, "SELECT count(*) FROM (" + HELD + ")", seq -> true, 1, index.identity().id, 0L,
                state.latest().toEpochMilli(), Long.MAX_VALUE).getFirst();
    }

    /** The oldest waiting job; zero if none. Starts from the last result. */
    long oldest(Connection connection, QueueIndex index) throws SQLException {
        if (index instanceof StandardQueueIndex) {
            List<Long> first = waitingInClasses(connection, index.identity().id, 0, 1);
            return first.isEmpty() ? 0 : first.getFirst();
        }
        long from = index.identity().oldest.get();
        List<Long> near = numbers(connection, NEAR, seq -> true, 1, from, index.identity().id);
        if (near.isEmpty()) {
            near = numbers(connection, "SELECT seq FROM waiting WHERE queue = ? ORDER BY seq LIMIT 1",
                    seq -> true, 1, index.identity().id);
        }
        if (near.isEmpty()) {
            return 0;
        }
        index.identity().oldest.compareAndSet(from, near.getFirst());
        if (waits(near.getFirst())) {
            return near.getFirst();
        }
        List<Long> first = waitingInGroups(connection, index, 0, 1);
        return first.isEmpty() ? 0 : first.getFirst();
    }

    private static List<Long> numbers(Connection connection, String sql, LongPredicate wanted, int limit,
            Object... values) throws SQLException {
        List<Long> found = new ArrayList<>();
        try (PreparedStatement query = StoredJob.prepare(connection, sql)) {
            for (int i = 0; i < values.length; i++) {
                query.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = query.executeQuery()) {
                while (found.size() < limit && rows.next()) {
                    long number = rows.getLong(1);
                    if (wanted.test(number)) {
                        found.add(number);
                    }
                }
            }
        }
        return found;
    }
}
