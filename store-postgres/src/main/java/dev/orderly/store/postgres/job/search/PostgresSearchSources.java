package dev.orderly.store.postgres.job.search;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.search.JobCandidate;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.search.SearchPage.Access;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.StateName;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.JobScan;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sources of one search, on one snapshot. Conditions and order of each are those of one index, so that the plan
 * does not depend on statistics: a condition such as {@code queue = ?} would leave push order alone to sort by, which
 * the planner also finds in the primary key, and so past all jobs of other queues. Rows are compared and sorted by all
 * columns of the index instead. Where an index has another order than the push order, its entries are read and sorted
 * if there are few, and all jobs of the store are read from the newest on if there are many.
 */
final class PostgresSearchSources {
    /** A queue, as a condition that leaves the column in the order. */
    private static final String QUEUE = "queue >= ? AND queue <= ?";

    private final DatabaseJobIds ids;
    private final Connection connection;
    private final JobSearch search;
    private final Map<Integer, QueueName> names;
    /** The columns that the search compares; others are read as NULL. */
    private final String columns;

    PostgresSearchSources(DatabaseJobIds ids, Connection connection, JobSearch search) throws SQLException {
        this.ids = ids;
        this.connection = connection;
        this.search = search;
        names = queues(connection);
        columns = "seq, queue, state, grp, owner, " + (search.params().isEmpty() ? "NULL AS params" : "params") + ", "
                + (search.text() == null ? "NULL AS failure" : "failure") + " FROM ";
    }

    /** The queues of the store by their numbers. */
    static Map<Integer, QueueName> queues(Connection connection) throws SQLException {
        Map<Integer, QueueName> names = new LinkedHashMap<>();
        new Sql(connection, "SELECT id, name FROM queue").list(row -> names.put(row.getInt("id"),
                new QueueName(row.getString("name"))));
        return names;
    }

    /** @param access the way by which the ids of the search were found; null for none */
    SearchPage<JobId> page(@Nullable JobId before, int limit, @Nullable Access access) throws SQLException {
        Access by = access != null ? access : Access.of(search);
        JobScan scan = new JobScan(search, before, limit, by);
        List<Integer> asked = names.entrySet().stream()
                .filter(each -> search.queue() == null || search.queue().equals(each.getValue()))
                .map(Map.Entry::getKey).toList();
        switch (by) {
            case ID, DEDUPE, NEWEST -> addAll(scan);
            case ERROR -> asked.forEach(queue -> scan.add(dead(queue)));
            case STATE -> addState(scan, asked);
            case QUEUE, GROUP -> {
                for (int queue : asked) {
                    addQueue(scan, queue);
                }
            }
        }
        return scan.run();
    }

    private void addAll(JobScan scan) {
        if (search.wantsLive() || search.wants(JobState.DEAD)) {
            scan.add(newest("job", "true", "seq"));
        }
        if (search.wants(JobState.DONE) || search.wants(JobState.CANCELLED)) {
            scan.add(newest("ended", "true", "seq"));
        }
    }

    private void addState(JobScan scan, List<Integer> asked) throws SQLException {
        if (search.state() == JobState.RUNNING) {
            List<Long> running = numbers("state = RUNNING", "node, seq + 0");
            if (running.size() > JobFinder.LOOKED_MAX) {
                addAll(scan);
            } else {
                scan.add(listed(running));
            }
        } else {
            asked.forEach(queue -> scan.add(dead(queue)));
        }
    }

    private void addQueue(JobScan scan, int queue) throws SQLException {
        boolean fifo = search.queue() != null && search.queue().isFifo();
        if (search.wantsLive() && !addLive(scan, queue, fifo)) {
            addAll(scan);
            return;
        }
        if (search.wants(JobState.DEAD)) {
            scan.add(dead(queue));
        }
        for (JobState state : List.of(JobState.DONE, JobState.CANCELLED)) {
            if (search.wants(state)) {
                scan.add(of("ended", "state >= 0", "queue, state, seq", queue, state == JobState.DONE ? 0 : 1));
            }
        }
    }

    /** Adds the live jobs of a queue; false, and none, if an index without push order has too many. */
    private boolean addLive(JobScan scan, int queue, boolean fifo) throws SQLException {
        if (fifo && search.group() != null) {
            scan.add(of("job", "grp IS NOT NULL AND state <= RUNNING", "queue, grp, seq + 0", queue, search.group()));
            return true;
        }
        List<Long> listed = fifo
                ? numbers(QUEUE + " AND grp IS NOT NULL AND state <= RUNNING", "queue, grp, seq + 0", queue, queue)
                : unordered(queue);
        if (listed.size() > JobFinder.LOOKED_MAX) {
            return false;
        }
        scan.add(listed(listed));
        if (!fifo && search.wants(JobState.WAITING)) {
            for (int number : ClassNumber.ALL) {
                scan.add(newest("job",
                        "queue = ? AND grp IS NULL AND state = WAITING AND priority = " + number,
                        "seq + 0", queue));
            }
        }
        return true;
    }

    /** Running and delayed jobs of a standard queue. */
    private List<Long> unordered(int queue) throws SQLException {
        List<Long> delayed = search.wants(JobState.DELAYED)
                ? numbers(QUEUE + " AND grp IS NULL AND state = DELAYED", "queue, ready_at, seq", queue, queue)
                : List.of();
        List<Long> running = search.wants(JobState.RUNNING)
                ? numbers("state = RUNNING AND queue = ?", "node, seq + 0", queue)
                : List.of();
        return Stream.concat(delayed.stream(), running.stream()).toList();
    }

    /** Dead letters of a queue; those of the error, if the search names one. */
    private JobScan.Source dead(int queue) {
        return search.error() == null
                ? of("job", "state >= DEAD", "queue, seq + 0", queue)
                : of("job", "state - DEAD >= 0", "queue, error, seq + 0", queue, search.error().value());
    }

    /** @param order all columns of one index; those before the last have these values */
    private JobScan.Source of(String table, String condition, String order, Object... values) {
        String key = "(" + order + ")";
        String given = "?, ".repeat(values.length);
        String sql = "SELECT " + columns + table + " WHERE " + condition
                + " AND " + key + " > (" + given + "-1) AND " + key + " < (" + given + "?)"
                + " ORDER BY " + order.replace(",", " DESC,") + " DESC LIMIT ?";
        return (below, most) -> with(with(new Sql(connection, sql), values), values).with(below).with(most)
                .list(row -> candidate(table, row));
    }

    /** @param order push order, as the index has it */
    private JobScan.Source newest(String table, String condition, String order, Object... values) {
        String sql = "SELECT " + columns + table + " WHERE " + condition + " AND " + order + " < ? ORDER BY " + order
                + " DESC LIMIT ?";
        return (below, most) -> with(new Sql(connection, sql), values).with(below).with(most)
                .list(row -> candidate(table, row));
    }

    private static Sql with(Sql sql, Object... values) throws SQLException {
        for (Object value : values) {
            sql.with(value);
        }
        return sql;
    }

    /** Jobs by their numbers. */
    private JobScan.Source listed(List<Long> numbers) {
        List<Long> newest = numbers.stream().sorted(Comparator.reverseOrder()).toList();
        return (below, most) -> {
            List<Long> chunk = newest.stream().filter(seq -> seq < below).limit(most).toList();
            return chunk.isEmpty()
                    ? List.of()
                    : new Sql(connection, "SELECT " + columns + "job WHERE seq = ANY(?) ORDER BY seq DESC")
                            .longs(chunk).list(row -> candidate("job", row));
        };
    }

    /** @param order all columns of one index */
    private List<Long> numbers(String condition, String order, Object... values) throws SQLException {
        return with(new Sql(connection, "SELECT seq FROM job WHERE " + condition + " ORDER BY " + order + " LIMIT ?"),
                values).with(JobFinder.LOOKED_MAX + 1).list(row -> row.getLong(1));
    }

    private JobCandidate candidate(String table, ResultSet row) throws SQLException {
        return table.equals("job") ? live(row) : ended(row);
    }

    private JobCandidate live(ResultSet row) throws SQLException {
        return candidate(row, switch (StateName.live(row.getInt("state"))) {
            case WAITING -> JobState.WAITING;
            case DELAYED -> JobState.DELAYED;
            case RUNNING -> JobState.RUNNING;
            default -> JobState.DEAD;
        });
    }

    private JobCandidate ended(ResultSet row) throws SQLException {
        return candidate(row, row.getInt("state") == StateName.DONE.code() ? JobState.DONE : JobState.CANCELLED);
    }

    /** A job that was found by its error has the error that the search names. */
    private JobCandidate candidate(ResultSet row, JobState state) throws SQLException {
        QueueName queue = Objects.requireNonNull(names.get(row.getInt("queue")), "A queue came after the snapshot");
        return new JobCandidate(ids.of(row.getLong("seq")), queue, state, row.getString("grp"),
                UserId.ofStored(row.getString("owner")), ColumnCodecs.params(row.getString("params")),
                row.getString("failure"),
                state == JobState.DEAD ? search.error() : null);
    }
}
