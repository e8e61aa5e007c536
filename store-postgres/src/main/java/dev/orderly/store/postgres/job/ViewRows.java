package dev.orderly.store.postgres.job;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobSnapshot;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.StateName;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows of {@code job} and {@code ended} as views. */
public final class ViewRows {
    private static final String COMMON = ".seq, queue.name AS queue, t.grp, t.priority, t.state, t.attempt, t.failures,"
            + " t.owner, t.params, t.progress, t.failure, t.failure_detail, ";
    private static final String LIVE = "SELECT t" + COMMON
            + "t.ready_at, t.content_type, t.payload,"
            + " CASE WHEN t.state = RUNNING AND t.node IS NULL"
            + " THEN (SELECT until FROM lease WHERE lease.seq = t.seq) END AS leased, t.origin, t.trace,"
            + " (SELECT name FROM node WHERE node.id = t.node) AS node"
            + " FROM job AS t JOIN queue ON queue.id = t.queue WHERE ";
    private static final String ENDED = "SELECT t" + COMMON
            + "t.ended_at, t.result_type, t.result, t.reason, t.started_at, t.origin, t.trace,"
            + " (SELECT name FROM node WHERE node.id = t.node) AS node"
            + " FROM ended AS t JOIN queue ON queue.id = t.queue WHERE ";

    /** The most jobs that are read in another order and sorted for a page. */
    private static final int SORTED = 20_000;

    private final DatabaseJobIds ids;

    public ViewRows(DatabaseJobIds ids) {
        this.ids = ids;
    }

    /** Reads live jobs first: a job moves from there to the ended ones and never back. */
    @Nullable
    JobView find(Connection connection, long seq) throws SQLException {
        JobView live = new Sql(connection, LIVE + "t.seq = ?").with(seq).first(this::live);
        return live != null ? live : new Sql(connection, ENDED + "t.seq = ?").with(seq).first(this::ended);
    }

    /** The jobs with these ids that are kept, in the order of the ids. */
    public List<JobView> findAll(Connection connection, List<JobId> wanted) throws SQLException {
        List<Long> seqs = wanted.stream().map(JobId::sequence).toList();
        Map<JobId, JobView> found = new HashMap<>();
        if (!seqs.isEmpty()) {
            new Sql(connection, LIVE + "t.seq = ANY(?)").longs(seqs).list(this::live)
                    .forEach(view -> found.put(view.id(), view));
            new Sql(connection, ENDED + "t.seq = ANY(?)").longs(seqs).list(this::ended)
                    .forEach(view -> found.putIfAbsent(view.id(), view));
        }
        return wanted.stream().map(found::get).filter(Objects::nonNull).toList();
    }

    /**
     * A page in push order; of ended jobs the newest first. The cost depends on the size of the page, except for
     * delayed jobs and waiting jobs of a FIFO queue beyond {@value #SORTED}: no index has them in push order, so the
     * page is looked for among all jobs that were pushed after its first one. The first page of so many groups begins
     * at the oldest job of some of them.
     */
    List<JobView> list(Connection connection, QueueName queue, JobState state, @Nullable JobId after, int limit)
            throws SQLException {
        Integer id = new Sql(connection, "SELECT id FROM queue WHERE name = ?").with(queue.value())
                .first(row -> row.getInt(1));
        if (id == null) {
            return List.of();
        }
        long from = after == null ? 0 : after.sequence();
        List<Long> page = switch (state) {
            case WAITING -> queue.isFifo()
                    ? grouped(connection, id, "state = WAITING", from, limit)
                    : classes(connection, id, from, limit);
            case DELAYED -> queue.isFifo()
                    ? grouped(connection, id, "state = DELAYED", from, limit)
                    : scattered(connection, id, "grp IS NULL AND state = DELAYED", "queue, ready_at, seq", "true", from,
                            limit);
            case RUNNING -> sorted(new Sql(connection,
                    "SELECT seq FROM job WHERE state = RUNNING AND queue = ? AND seq > ? ORDER BY node, seq + 0")
                    .with(id)
                    .with(from), limit);
            case DEAD -> new Sql(connection, "SELECT seq FROM job WHERE state >= DEAD AND (queue, seq + 0) > (?, ?)"
                    + " AND queue <= ? ORDER BY queue, seq + 0 LIMIT ?").with(id).with(from).with(id).with(limit)
                    .list(row -> row.getLong(1));
            case DONE, CANCELLED -> new Sql(connection, "SELECT seq FROM ended WHERE state >= 0 AND (queue, state, seq)"
                    + " > (?, ?, -1)"
                    + " AND (queue, state, seq) < (?, ?, ?) ORDER BY queue DESC, state DESC, seq DESC LIMIT ?")
                    .with(id).with(ended(state)).with(id).with(ended(state))
                    .with(after == null ? Long.MAX_VALUE : from).with(limit).list(row -> row.getLong(1));
        };
        return findAll(connection, page.stream().map(ids::of).toList());
    }

    private static int ended(JobState state) {
        return state == JobState.DONE ? StateName.DONE.code() : StateName.CANCELLED.code();
    }

    private static List<Long> classes(Connection connection, int queue, long after, int limit) throws SQLException {
        return sorted(new Sql(connection, """
                SELECT first.seq FROM generate_series(1, 8) AS class(number) CROSS JOIN LATERAL (
                  SELECT seq FROM job WHERE job.queue = ? AND job.priority = class.number AND job.state = WAITING
                    AND job.grp IS NULL AND job.seq + 0 > ? ORDER BY job.seq + 0 LIMIT ?) AS first""").with(queue)
                .with(after).with(limit), limit);
    }

    private static List<Long> grouped(Connection connection, int queue, String wanted, long after, int limit)
            throws SQLException {
        return scattered(connection, queue, "grp IS NOT NULL AND state <= RUNNING", "queue, grp, seq + 0", wanted,
                after,
                limit);
    }

    /**
     * A page of jobs that no index has in push order.
     *
     * @param condition the jobs of an index
     * @param order the columns of the index
     * @param wanted the jobs of the index that are asked for
     */
    private static List<Long> scattered(Connection connection, int queue, String condition, String order,
            String wanted, long after, int limit) throws SQLException {
        String asked = condition + " AND " + wanted + " AND seq > ?";
        long indexed = new Sql(connection, "SELECT count(*) FROM (SELECT 1 FROM job WHERE queue >= ? AND queue <= ?"
                + " AND " + condition + " ORDER BY " + order + " LIMIT ?) AS counted").with(queue).with(queue)
                .with(SORTED + 1).number();
        if (indexed <= SORTED) {
            return sorted(new Sql(connection, "SELECT seq FROM job WHERE queue >= ? AND queue <= ? AND " + asked
                    + " ORDER BY " + order).with(queue).with(queue).with(after), limit);
        }
        long start = after > 0
                ? after
                : new Sql(connection, "SELECT coalesce((" + JobCounts.OLDEST_IN_GROUPS + "), 1) - 1 FROM queue"
                        + " CROSS JOIN (VALUES(0)) AS ready(turn) WHERE id = ?").with(queue).number();
        List<Long> near = new Sql(connection, "SELECT seq FROM (SELECT seq, queue, state, grp FROM job WHERE seq > ?"
                + " ORDER BY seq LIMIT " + SORTED + ") AS near WHERE queue = ? AND " + condition + " AND " + wanted
                + " ORDER BY seq LIMIT ?").with(start).with(queue).with(limit).list(row -> row.getLong(1));
        return near.size() == limit
                ? near
                : new Sql(connection, "SELECT seq FROM job WHERE queue = ? AND " + asked + " ORDER BY seq LIMIT ?")
                        .with(queue).with(after).with(limit).list(row -> row.getLong(1));
    }

    private static List<Long> sorted(Sql numbers, int limit) throws SQLException {
        return numbers.list(row -> row.getLong(1)).stream().sorted().limit(limit).toList();
    }

    private JobView live(ResultSet row) throws SQLException {
        JobState state = JobColumns.live(row.getInt("state"));
        Instant moment = Instant.ofEpochMilli(row.getLong("ready_at"));
        Payload payload = new Payload(row.getString("content_type"), row.getBytes("payload"));
        long leased = row.getLong("leased");
        return new JobSnapshot(ids.of(row.getLong("seq")), new QueueName(row.getString("queue")), row.getString("grp"),
                ClassNumber.priority(row.getInt("priority")), state, row.getInt("attempt"), row.getInt("failures"),
                state == JobState.DELAYED ? moment : null, state == JobState.DEAD ? moment : null,
                UserId.ofStored(row.getString("owner")),
                ColumnCodecs.params(row.getString("params")), payload, failure(row),
                ColumnCodecs.progress(row.getString("progress")),
                null, null, leased == 0 ? null : Instant.ofEpochMilli(leased), origin(row.getLong("origin")),
                state == JobState.RUNNING ? run(row, row.getLong("ready_at"), row.getString("node")) : null,
                TraceContext.ofStored(row.getString("trace")), ColumnCodecs.terms(row.getString("params")));
    }

    private JobView ended(ResultSet row) throws SQLException {
        byte[] result = row.getBytes("result");
        long started = row.getLong("started_at");
        boolean ran = !row.wasNull();
        Payload left = result == null
                ? null
                : new Payload(Objects.requireNonNull(row.getString("result_type")), result);
        return new JobSnapshot(ids.of(row.getLong("seq")), new QueueName(row.getString("queue")), row.getString("grp"),
                ClassNumber.priority(row.getInt("priority")),
                row.getInt("state") == StateName.DONE.code() ? JobState.DONE : JobState.CANCELLED,
                row.getInt("attempt"), row.getInt("failures"), null, Instant.ofEpochMilli(row.getLong("ended_at")),
                UserId.ofStored(row.getString("owner")),
                ColumnCodecs.params(row.getString("params")), null, failure(row),
                ColumnCodecs.progress(row.getString("progress")),
                left, row.getString("reason"), null, origin(row.getLong("origin")),
                ran ? run(row, started, row.getString("node")) : null,
                TraceContext.ofStored(row.getString("trace")), ColumnCodecs.terms(row.getString("params")));
    }

    private @Nullable JobId origin(long seq) {
        return seq == 0 ? null : ids.of(seq);
    }

    private static JobRun run(ResultSet row, long claimed, @Nullable String node) throws SQLException {
        return new JobRun(node == null ? null : new NodeId(node),
                JobColumns.claimedAt(row.getLong("seq"), row.getInt("attempt"), claimed));
    }

    private static @Nullable JobFailure failure(ResultSet row) throws SQLException {
        String summary = row.getString("failure");
        return summary == null
                ? null
                : new JobFailure(summary, Objects.requireNonNullElse(row.getString("failure_detail"), ""));
    }
}
