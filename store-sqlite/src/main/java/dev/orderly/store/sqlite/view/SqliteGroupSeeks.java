package dev.orderly.store.sqlite.view;

import dev.orderly.job.search.GroupPage.Phase;
import dev.orderly.job.store.JobStore;
import dev.orderly.store.sql.GroupScan;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.StoredJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a FIFO queue: by seeks in the index of waiting jobs, and among the jobs that it does not have yet,
 * whose number is bounded.
 */
final class SqliteGroupSeeks implements GroupScan.Index {
    /** The order of names in the file. */
    private static final Comparator<String> BY_CODE_POINTS = (one, other) -> Arrays
            .compare(one.codePoints().toArray(), other.codePoints().toArray());
    private static final String ENTRIES = " FROM lane_index AS entry WHERE queue = ? AND lane = ?"
            + " AND seq NOT IN (SELECT seq FROM tombstone)";

    private final WriterState state;
    private final Connection connection;
    private final QueueIndex queue;
    private final int number;
    /** The jobs of each group that the index does not have yet. */
    private final NavigableMap<String, Recent> recent = new TreeMap<>(BY_CODE_POINTS);
    private final Set<String> running = new HashSet<>();

    private record Recent(long first, long jobs) {}

    SqliteGroupSeeks(WriterState state, Connection connection, QueueIndex queue) throws SQLException {
        this.state = state;
        this.connection = connection;
        this.queue = queue;
        this.number = queue.identity().id;
        state.running.all().stream().filter(locked -> locked.index == queue).map(locked -> (String) locked.place.lane())
                .forEach(running::add);
        rows("SELECT lane, min(seq), count(*) FROM job NOT INDEXED WHERE state = WAITING AND queue = ?"
                + " AND seq > (SELECT value FROM meta WHERE name = 'merged') GROUP BY lane",
                row -> recent.put(row.getString(1), new Recent(row.getLong(2), row.getLong(3))), number);
    }

    /** Reads a row. */
    @FunctionalInterface
    private interface Reader {
        void read(ResultSet row) throws SQLException;
    }

    private void rows(String sql, Reader reader, Object... values) throws SQLException {
        try (PreparedStatement query = StoredJob.prepare(connection, sql)) {
            for (int i = 0; i < values.length; i++) {
                query.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        }
    }

    private List<String> names(String sql, Object... values) throws SQLException {
        List<String> found = new ArrayList<>();
        rows(sql, row -> found.add(row.getString(1)), values);
        return found;
    }

    private long number(String sql, Object... values) throws SQLException {
        long[] found = {0};
        rows(sql, row -> found[0] = row.getLong(1), values);
        return found[0];
    }

    @Override
    public List<String> names(String from, boolean inclusive, int most) throws SQLException {
        String after = inclusive ? ">= ?2" : "> ?2";
        TreeSet<String> found = new TreeSet<>(BY_CODE_POINTS);
        found.addAll(names("WITH RECURSIVE step(lane) AS ("
                + " SELECT min(lane) FROM lane_index WHERE queue = ?1 AND lane " + after
                + " UNION ALL SELECT (SELECT min(lane) FROM lane_index WHERE queue = ?1 AND lane > step.lane)"
                + " FROM step WHERE step.lane IS NOT NULL) SELECT lane FROM step WHERE lane IS NOT NULL LIMIT ?3",
                number, from, most));
        found.addAll(
                names("SELECT lane FROM job INDEXED BY halting WHERE state = HALTING AND queue = ?1 AND lane " + after
                        + " ORDER BY lane LIMIT ?3", number, from, most));
        recent.tailMap(from, inclusive).keySet().stream().limit(most).forEach(found::add);
        return found.stream().limit(most).toList();
    }

    @Override
    public List<String> in(Phase phase, int most) throws SQLException {
        return switch (phase) {
            case HALTED -> names("SELECT DISTINCT lane FROM job INDEXED BY halting WHERE state = HALTING AND queue = ?"
                    + " LIMIT ?", number, most);
            case RETRYING -> names("SELECT DISTINCT lane FROM job INDEXED BY held WHERE state = WAITING"
                    + " AND ready_at IS NOT NULL AND queue = ? AND ready_at > ? LIMIT ?", number,
                    state.latest().toEpochMilli(), most);
            case RUNNING, READY -> running.stream().limit(most).toList();
        };
    }

    @Override
    public List<String> sample(boolean oldest, int jobs) throws SQLException {
        return names("SELECT lane FROM (SELECT seq, queue, lane, state FROM job NOT INDEXED ORDER BY seq"
                + (oldest ? "" : " DESC") + " LIMIT ?) WHERE queue = ? AND state = WAITING", jobs, number);
    }

    @Override
    public long count(String group, long most) throws SQLException {
        Recent more = recent.get(group);
        long indexed = number("SELECT count(*) FROM (SELECT 1" + ENTRIES + " LIMIT ?)", number, group, most);
        return Math.min(most, indexed + (more == null ? 0 : more.jobs));
    }

    /** Counts the waiting and delayed jobs of a group. */
    int pending(String group, int most) throws SQLException {
        long own = !running.contains(group)
                ? 0
                : state.running.all().stream().filter(locked -> locked.index == queue
                        && group.equals(locked.place.lane())).count();
        return Math.toIntExact(Math.clamp(count(group, most + own) - own, 0, most));
    }

    /** The oldest job of a group that waits; zero for none. */
    long oldestWaiting(String group) throws SQLException {
        long[] found = {0};
        Reader first = row -> found[0] = found[0] == 0 && !state.running.has(row.getLong(1))
                ? row.getLong(1)
                : found[0];
        rows("SELECT seq" + ENTRIES + " ORDER BY seq LIMIT ?", first, number, group, JobStore.GROUP_RUN + 1);
        if (found[0] == 0 && recent.containsKey(group)) {
            rows("SELECT seq FROM job NOT INDEXED WHERE state = WAITING AND queue = ? AND lane = ?"
                    + " AND seq > (SELECT value FROM meta WHERE name = 'merged') ORDER BY seq LIMIT ?", first, number,
                    group, JobStore.GROUP_RUN + 1);
        }
        return found[0];
    }

    @Override
    public GroupScan.@Nullable Head head(String group) throws SQLException {
        Recent more = recent.get(group);
        long indexed = number("SELECT seq" + ENTRIES + " ORDER BY seq LIMIT 1", number, group);
        long oldest = indexed != 0 || more == null ? indexed : more.first;
        long haltedBy = queue.halts() == 0
                ? 0
                : number("SELECT min(seq) FROM job INDEXED BY halting WHERE state = HALTING AND queue = ? AND lane = ?",
                        number, group);
        if (oldest == 0 && haltedBy == 0) {
            return null;
        }
        long ready = number("SELECT ready_at FROM job WHERE seq = ? AND state = WAITING", oldest);
        return new GroupScan.Head(oldest, haltedBy, running.contains(group), ready > state.latest().toEpochMilli()
                ? state.time.clockTime(Instant.ofEpochMilli(ready))
                : null);
    }
}
