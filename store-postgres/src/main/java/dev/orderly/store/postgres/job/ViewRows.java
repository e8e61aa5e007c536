package dev.orderly.store.postgres.job;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobFailure;
import dev.orderly.job.store.JobRun;
import dev.orderly.job.store.JobView;
import dev.orderly.job.store.NodeId;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.JobIds;
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
    private static final String COMMON = ".seq, queue.name, t.grp, t.priority, t.state, t.attempt, t.failures,"
            + " t.owner, t.params, t.progress, t.failure, t.failure_detail, ";
    private static final String LIVE = "SELECT t" + COMMON
            + "t.ready_at, t.content_type, t.payload,"
            + " CASE WHEN t.state = 2 AND t.node IS NULL THEN (SELECT until FROM lease WHERE lease.seq = t.seq) END"
            + ", t.origin, t.trace, (SELECT name FROM node WHERE node.id = t.node)"
            + " FROM job AS t JOIN queue ON queue.id = t.queue WHERE ";
    private static final String ENDED = "SELECT t" + COMMON
            + "t.ended_at, t.result_type, t.result, t.reason, t.started_at, t.origin, t.trace,"
            + " (SELECT name FROM node WHERE node.id = t.node) FROM ended AS t JOIN queue ON queue.id = t.queue WHERE ";

    private final JobIds ids;

    public ViewRows(JobIds ids) {
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

    List<JobView> list(Connection connection, QueueName queue, JobState state, @Nullable JobId after, int limit)
            throws SQLException {
        return switch (state) {
            case WAITING -> live(connection, queue, "t.state = 0", after, limit);
            case DELAYED -> live(connection, queue, "t.state = 1", after, limit);
            case RUNNING -> live(connection, queue, "t.state = 2", after, limit);
            case DEAD -> live(connection, queue, "t.state >= 3", after, limit);
            case DONE -> ended(connection, queue, "t.state = 0", after, limit);
            case CANCELLED -> ended(connection, queue, "t.state = 1", after, limit);
        };
    }

    private List<JobView> live(Connection connection, QueueName queue, String states, @Nullable JobId after, int limit)
            throws SQLException {
        return new Sql(connection, LIVE + "queue.name = ? AND " + states + " AND t.seq > ? ORDER BY t.seq LIMIT ?")
                .with(queue.value()).with(after == null ? 0L : after.sequence()).with(limit).list(this::live);
    }

    private List<JobView> ended(Connection connection, QueueName queue, String states, @Nullable JobId after,
            int limit) throws SQLException {
        return new Sql(connection,
                ENDED + "queue.name = ? AND " + states + " AND t.seq < ? ORDER BY t.seq DESC LIMIT ?")
                .with(queue.value()).with(after == null ? Long.MAX_VALUE : after.sequence()).with(limit)
                .list(this::ended);
    }

    private JobView live(ResultSet row) throws SQLException {
        JobState state = switch (row.getInt(5)) {
            case JobColumns.WAITING -> JobState.WAITING;
            case JobColumns.DELAYED -> JobState.DELAYED;
            case JobColumns.RUNNING -> JobState.RUNNING;
            default -> JobState.DEAD;
        };
        Instant moment = Instant.ofEpochMilli(row.getLong(13));
        Payload payload = new Payload(row.getString(14), row.getBytes(15));
        long leased = row.getLong(16);
        return new JobView(ids.of(row.getLong(1)), new QueueName(row.getString(2)), row.getString(3),
                Priority.of(row.getInt(4)), state, row.getInt(6), row.getInt(7),
                state == JobState.DELAYED ? moment : null, state == JobState.DEAD ? moment : null,
                UserId.ofStored(row.getString(8)),
                ColumnCodecs.params(row.getString(9)), payload, failure(row), ColumnCodecs.progress(row.getString(10)),
                null, null, leased == 0 ? null : Instant.ofEpochMilli(leased), origin(row.getLong(17)),
                state == JobState.RUNNING ? run(row, row.getLong(13), row.getString(19)) : null,
                TraceContext.ofStored(row.getString(18)));
    }

    private JobView ended(ResultSet row) throws SQLException {
        byte[] result = row.getBytes(15);
        long started = row.getLong(17);
        boolean ran = !row.wasNull();
        Payload left = result == null ? null : new Payload(Objects.requireNonNull(row.getString(14)), result);
        return new JobView(ids.of(row.getLong(1)), new QueueName(row.getString(2)), row.getString(3),
                Priority.of(row.getInt(4)), row.getInt(5) == JobColumns.DONE ? JobState.DONE : JobState.CANCELLED,
                row.getInt(6), row.getInt(7), null, Instant.ofEpochMilli(row.getLong(13)),
                UserId.ofStored(row.getString(8)),
                ColumnCodecs.params(row.getString(9)), null, failure(row), ColumnCodecs.progress(row.getString(10)),
                left, row.getString(16), null, origin(row.getLong(18)),
                ran ? run(row, started, row.getString(20)) : null,
                TraceContext.ofStored(row.getString(19)));
    }

    private @Nullable JobId origin(long seq) {
        return seq == 0 ? null : ids.of(seq);
    }

    private static JobRun run(ResultSet row, long claimed, @Nullable String node) throws SQLException {
        return new JobRun(node == null ? null : new NodeId(node),
                JobColumns.claimedAt(row.getLong(1), row.getInt(6), claimed));
    }

    private static @Nullable JobFailure failure(ResultSet row) throws SQLException {
        String summary = row.getString(11);
        return summary == null ? null : new JobFailure(summary, Objects.requireNonNullElse(row.getString(12), ""));
    }
}
