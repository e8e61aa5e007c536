package dev.orderly.store.sqlite.view;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Priority;
import dev.orderly.job.search.JobCandidate;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.search.SearchPage.Access;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.JobScan;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.EndedJobTable;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sources of one search, on one snapshot. A queue is read by its indexes, which have push order within a lane;
 * where an index has another order, its entries are read and sorted if there are few, and all jobs of the store are
 * read from the newest on if there are many.
 */
final class SqliteSearchSources {
    private static final String BELOW = " AND job.seq < ? ORDER BY job.seq DESC LIMIT ?";

    private final WriterState state;
    private final Connection connection;
    private final JobSearch search;
    /** The columns that the search compares; others are read as NULL. */
    private final String columns;

    SqliteSearchSources(WriterState state, Connection connection, JobSearch search) {
        this.state = state;
        this.connection = connection;
        this.search = search;
        columns = ".seq, %1$s.queue, %1$s.lane, %1$s.state, %1$s.ready_at, %1$s.user, "
                + (search.params().isEmpty() ? "NULL AS params, " : "%1$s.params, ")
                + (search.text() == null ? "NULL AS failure" : "%1$s.failure") + " FROM ";
    }

    /** @param access the way by which the ids of the search were found; null for none */
    SearchPage<JobId> page(@Nullable JobId before, int limit, @Nullable Access access) throws SQLException {
        QueueIndex index = search.queue() == null ? null : state.queues.find(search.queue());
        boolean unknown = search.queue() != null && index == null;
        Access by = access != null ? access : Access.of(search);
        JobScan scan = new JobScan(search, before, limit, by);
        if (unknown) {
            return scan.run();
        }
        switch (by) {
            case ID, DEDUPE, NEWEST -> addAll(scan);
            case ERROR -> queues(index).forEach(each -> scan.add(deadBy(each.identity().id)));
            case STATE -> addState(scan);
            case QUEUE, GROUP -> {
                if (index != null) {
                    addQueue(scan, index);
                }
            }
        }
        return scan.run();
    }

    private Collection<QueueIndex> queues(@Nullable QueueIndex only) {
        return only == null ? state.queues.all() : List.of(only);
    }

    private void addAll(JobScan scan) {
        if (search.wantsLive() || search.wants(JobState.DEAD)) {
            scan.add(live("job NOT INDEXED WHERE true" + BELOW));
        }
        addEnded(scan);
    }

    private void addEnded(JobScan scan) {
        if (search.wants(JobState.DONE) || search.wants(JobState.CANCELLED)) {
            scan.add(this::ended);
        }
    }

    private void addState(JobScan scan) {
        if (search.state() == JobState.RUNNING) {
            scan.add(listed(running(null)));
        } else {
            queues(null).forEach(each -> scan.add(dead(each.identity().id)));
        }
    }

    private void addQueue(JobScan scan, QueueIndex index) throws SQLException {
        boolean fifo = index instanceof FifoQueueIndex;
        int queue = index.identity().id;
        List<Long> listed = search.wantsLive() ? listed(index, queue, fifo) : List.of();
        if (listed.size() > JobFinder.LOOKED_MAX) {
            addAll(scan);
            return;
        }
        scan.add(listed(listed));
        if (search.wants(JobState.WAITING)) {
            addWaiting(scan, queue, fifo);
        }
        if (search.wants(JobState.DEAD)) {
            scan.add(dead(queue));
        }
        addEnded(scan);
    }

    /** The live jobs of a queue whose index has no push order; over the bound, too many. */
    private List<Long> listed(QueueIndex index, int queue, boolean fifo) throws SQLException {
        if (search.state() == JobState.RUNNING) {
            return running(index);
        }
        if (!fifo) {
            return numbers("SELECT seq FROM job WHERE state = DELAYED AND queue = ? LIMIT ?", queue,
                    JobFinder.LOOKED_MAX + 1);
        }
        if (search.state() == JobState.DELAYED) {
            return numbers("SELECT seq FROM job INDEXED BY held WHERE state = WAITING AND ready_at IS NOT NULL"
                    + " AND queue = ? LIMIT ?", queue, JobFinder.LOOKED_MAX + 1);
        }
        return search.group() != null
                ? List.of()
                : numbers("SELECT job.seq FROM lane_index AS entry CROSS JOIN job ON job.seq = entry.seq"
                        + " WHERE entry.queue = ? AND job.state = WAITING LIMIT ?", queue, JobFinder.LOOKED_MAX + 1);
    }

    /** Jobs of lanes in push order. Jobs that the index does not have yet are read by id; their number is bounded. */
    private void addWaiting(JobScan scan, int queue, boolean fifo) throws SQLException {
        List<Object> lanes = fifo
                ? Stream.<Object>ofNullable(search.group()).toList()
                : List.copyOf(ClassNumber.ALL);
        for (Object lane : lanes) {
            scan.add(live("lane_index AS entry CROSS JOIN job ON job.seq = entry.seq"
                    + " WHERE entry.queue = ? AND entry.lane = ? AND job.state = WAITING"
                    + " AND entry.seq < ? ORDER BY entry.seq DESC LIMIT ?", queue, lane));
        }
        long merged = numbers("SELECT value FROM meta WHERE name = ? LIMIT ?", "merged", 1).getFirst();
        scan.add(live("job NOT INDEXED WHERE job.seq > ? AND job.queue = ? AND job.state = WAITING"
                + (fifo && search.group() != null ? " AND job.lane = ?" : "") + BELOW,
                fifo && search.group() != null
                        ? new Object[]{merged, queue, search.group()}
                        : new Object[]{merged, queue}));
    }

    private JobScan.Source dead(int queue) {
        return live("job INDEXED BY dead WHERE job.state >= DEAD AND job.queue = ?" + BELOW, queue);
    }

    private JobScan.Source deadBy(int queue) {
        long error = search.error() == null ? 0 : search.error().value();
        return live("job INDEXED BY dead_error WHERE job.state >= DEAD AND job.queue = ? AND job.error = ?" + BELOW,
                queue, error);
    }

    private List<Long> running(@Nullable QueueIndex index) {
        return state.running.all().stream().filter(locked -> index == null || locked.index == index)
                .map(LockedJob::seq).toList();
    }

    /** Jobs of the table {@code job} by a condition whose last parameters are the end and the limit. */
    private JobScan.Source live(String from, Object... values) {
        return (below, most) -> {
            List<JobCandidate> found = new ArrayList<>();
            try (PreparedStatement query = StoredJob.prepare(connection, select("job") + from)) {
                bind(query, values);
                query.setLong(values.length + 1, below);
                query.setInt(values.length + 2, most);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        found.add(live(rows));
                    }
                }
            }
            return found;
        };
    }

    /** Jobs by their numbers. */
    private JobScan.Source listed(List<Long> numbers) {
        List<Long> newest = numbers.stream().sorted(Comparator.reverseOrder()).toList();
        return (below, most) -> {
            List<JobCandidate> found = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement(select("job") + "job WHERE seq = ?")) {
                for (long seq : newest) {
                    if (found.size() == most) {
                        return found;
                    }
                    if (seq < below) {
                        query.setLong(1, seq);
                        try (ResultSet rows = query.executeQuery()) {
                            if (rows.next()) {
                                found.add(live(rows));
                            }
                        }
                    }
                }
            }
            return found;
        };
    }

    private List<JobCandidate> ended(long below, int most) throws SQLException {
        List<JobCandidate> found = new ArrayList<>();
        String sql = select("ended").replace("ended.ready_at", "0 AS ready_at")
                + "ended WHERE ended.seq < ? ORDER BY ended.seq DESC LIMIT ?";
        try (PreparedStatement query = StoredJob.prepare(connection, sql)) {
            query.setLong(1, below);
            query.setInt(2, most);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    found.add(candidate(rows, rows.getInt("state") == EndedJobTable.DONE
                            ? JobState.DONE
                            : JobState.CANCELLED));
                }
            }
        }
        return found;
    }

    private String select(String table) {
        return "SELECT " + table + columns.formatted(table);
    }

    private JobCandidate live(ResultSet rows) throws SQLException {
        int stored = rows.getInt("state");
        if (stored >= StoredJob.DEAD) {
            return candidate(rows, JobState.DEAD);
        }
        if (state.running.has(rows.getLong("seq"))) {
            return candidate(rows, JobState.RUNNING);
        }
        return candidate(rows,
                rows.getLong("ready_at") > state.latest().toEpochMilli() ? JobState.DELAYED : JobState.WAITING);
    }

    /** A job that was found by its error has the error that the search names. */
    private JobCandidate candidate(ResultSet rows, JobState jobState) throws SQLException {
        QueueIndex index = state.index(rows.getInt("queue"));
        return new JobCandidate(state.ids.of(rows.getLong("seq")), index.name(), jobState,
                index instanceof FifoQueueIndex ? rows.getString("lane") : null,
                UserId.ofStored(rows.getString("user")),
                ColumnCodecs.params(rows.getString("params")), rows.getString("failure"),
                jobState == JobState.DEAD ? search.error() : null);
    }

    private List<Long> numbers(String sql, Object value, int most) throws SQLException {
        List<Long> found = new ArrayList<>();
        try (PreparedStatement query = StoredJob.prepare(connection, sql)) {
            query.setObject(1, value);
            query.setInt(2, most);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getLong(1));
                }
            }
        }
        return found;
    }

    private static void bind(PreparedStatement query, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            query.setObject(i + 1, values[i]);
        }
    }
}
