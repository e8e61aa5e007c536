package dev.orderly.store.sqlite.view;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobSnapshot;
import dev.orderly.store.sql.AttemptColumn;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.EventRows;
import dev.orderly.store.sql.StepColumns;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.EndedJobTable;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.SqliteLeaseTable;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts rows of {@code job} and {@code ended} to views. */
final class JobViewRows {
    private static final String LIVE = """
            SELECT seq, queue, lane, state, attempt, failures, user, params, progress, failure, failure_detail,
              ready_at, content_type, payload, origin, trace
            FROM job WHERE seq = ?""";
    private static final String ENDED = """
            SELECT seq, queue, lane, state, attempt, failures, user, params, progress, failure, failure_detail,
              ended_at, result_type, reason, result, origin, trace, started_at
            FROM ended WHERE\s""";

    private final WriterState state;

    JobViewRows(WriterState state) {
        this.state = state;
    }

    /** @param locked looked up before the row is read, so that a view never shows a state older than the claim */
    @Nullable
    JobView live(Connection connection, long seq, @Nullable LockedJob locked) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(LIVE)) {
            query.setLong(1, seq);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next() ? live(rows, locked) : null;
            }
        }
    }

    @Nullable
    JobView ended(Connection connection, long seq) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(ENDED + "seq = ?")) {
            query.setLong(1, seq);
            List<JobView> found = endedAll(query);
            return found.isEmpty() ? null : found.getFirst();
        }
    }

    /** Ended jobs, newest first, before a sequence number. */
    List<JobView> ended(Connection connection, int queue, JobState jobState, long before, int limit)
            throws SQLException {
        try (PreparedStatement query = connection
                .prepareStatement(ENDED + "queue = ? AND state = ? AND seq < ? ORDER BY seq DESC LIMIT ?")) {
            query.setInt(1, queue);
            query.setInt(2, jobState == JobState.DONE ? EndedJobTable.DONE : EndedJobTable.CANCELLED);
            query.setLong(3, before);
            query.setInt(4, limit);
            return endedAll(query);
        }
    }

    private List<JobView> endedAll(PreparedStatement query) throws SQLException {
        List<JobView> views = new ArrayList<>();
        try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                views.add(ended(rows));
            }
        }
        return views;
    }

    private JobView live(ResultSet rows, @Nullable LockedJob locked) throws SQLException {
        int stored = rows.getInt("state");
        long readyAt = rows.getLong("ready_at");
        JobState jobState = state(stored, readyAt, locked);
        Instant moment = moment(readyAt);
        Common common = common(rows);
        JobProgress latestProgress = locked == null ? null : locked.progress;
        return new JobSnapshot(state.ids.of(common.seq), common.queue, common.group(), common.priority(), jobState,
                locked == null ? rows.getInt("attempt") : locked.attempt(), rows.getInt("failures"),
                jobState == JobState.DELAYED ? moment : null, jobState == JobState.DEAD ? moment : null,
                UserId.ofStored(rows.getString("user")), ColumnCodecs.params(rows.getString("params")),
                JobTable.payload(rows.getString("content_type"), rows.getBytes("payload")), failure(rows),
                latestProgress == null ? ColumnCodecs.progress(rows.getString("progress")) : latestProgress, null, null,
                leased(locked), origin(rows), locked == null ? null : run(locked),
                TraceContext.ofStored(rows.getString("trace")),
                state.clock(ColumnCodecs.terms(rows.getString("params"))));
    }

    private @Nullable Instant leased(@Nullable LockedJob locked) {
        SqliteLeaseTable.Lease lease = locked == null ? null : locked.lease;
        return lease == null ? null : Instant.ofEpochMilli(lease.until());
    }

    private JobState state(int stored, long readyAt, @Nullable LockedJob locked) {
        if (stored >= StoredJob.DEAD) {
            return JobState.DEAD;
        }
        if (locked != null) {
            return JobState.RUNNING;
        }
        return readyAt > state.latest().toEpochMilli() ? JobState.DELAYED : JobState.WAITING;
    }

    private JobView ended(ResultSet rows) throws SQLException {
        Common common = common(rows);
        byte[] result = rows.getBytes("result");
        long started = rows.getLong("started_at");
        Payload left = result == null ? null : new Payload(rows.getString("result_type"), result);
        return new JobSnapshot(state.ids.of(common.seq), common.queue, common.group(), common.priority(),
                rows.getInt("state") == EndedJobTable.DONE ? JobState.DONE : JobState.CANCELLED,
                rows.getInt("attempt"), rows.getInt("failures"), null, moment(rows.getLong("ended_at")),
                UserId.ofStored(rows.getString("user")), ColumnCodecs.params(rows.getString("params")), null,
                failure(rows), ColumnCodecs.progress(rows.getString("progress")), left, rows.getString("reason"), null,
                origin(rows), started == 0 ? null : new JobRun(null, moment(started)),
                TraceContext.ofStored(rows.getString("trace")),
                state.clock(ColumnCodecs.terms(rows.getString("params"))));
    }

    private @Nullable JobId origin(ResultSet rows) throws SQLException {
        long seq = rows.getLong("origin");
        return seq == 0 ? null : state.ids.of(seq);
    }

    private JobRun run(LockedJob locked) {
        JobRun stored = locked.run();
        return new JobRun(stored.node(),
                stored.startedAt() == null ? null : state.time.clockTime(stored.startedAt()));
    }

    /** The kept attempts of a job. */
    List<JobAttempt> attempts(Connection connection, long seq) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT history FROM job WHERE seq = ?1"
                + " UNION ALL SELECT history FROM ended WHERE seq = ?1 LIMIT 1")) {
            query.setLong(1, seq);
            try (ResultSet row = query.executeQuery()) {
                return AttemptColumn.read(row.next() ? row.getString(1) : null, state.time::clockTime);
            }
        }
    }

    /** The steps of a job that is kept. */
    List<JobStep> steps(Connection connection, long seq) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT " + StepColumns.NAMES + " FROM job_step"
                + " WHERE seq = ?1 AND (EXISTS (SELECT 1 FROM job WHERE seq = ?1)"
                + " OR EXISTS (SELECT 1 FROM ended WHERE seq = ?1)) ORDER BY number")) {
            query.setLong(1, seq);
            List<JobStep> steps = new ArrayList<>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    steps.add(StepColumns.read(rows, state.time::clockTime));
                }
            }
            return steps;
        }
    }

    /** The events of a job that is kept. */
    List<JobEvent> events(Connection connection, long seq) throws SQLException {
        return EventRows.of(connection, seq, state.time::clockTime);
    }

    private Instant moment(long stored) {
        return state.time.clockTime(Instant.ofEpochMilli(stored));
    }

    private static @Nullable JobFailure failure(ResultSet rows) throws SQLException {
        String summary = rows.getString("failure");
        return summary == null ? null : new JobFailure(summary, rows.getString("failure_detail"));
    }

    private Common common(ResultSet rows) throws SQLException {
        return new Common(rows.getLong("seq"), state.index(rows.getInt("queue")).name(), rows.getObject("lane"));
    }

    /** Columns of both tables. */
    private record Common(long seq, QueueName queue, Object lane) {
        @Nullable
        String group() {
            return queue.isFifo() ? (String) lane : null;
        }

        Priority priority() {
            return queue.isFifo() ? Priority.NORMAL : ClassNumber.priority((Integer) lane);
        }
    }
}
