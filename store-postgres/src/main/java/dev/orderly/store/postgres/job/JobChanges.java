package dev.orderly.store.postgres.job;

import dev.orderly.job.JobFailure;
import dev.orderly.job.Payload;
import dev.orderly.job.search.ErrorShape;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.store.postgres.sql.PostgresLeaseTable;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.StateName;
import dev.orderly.store.sql.ColumnCodecs;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of locked jobs, collected and then written with a statement for each kind. Only running jobs move; jobs of
 * any state end.
 */
final class JobChanges {
    private final long now;
    private final List<End> ends = new ArrayList<>();
    private final List<Move> moves = new ArrayList<>();

    private record End(long seq, int state, @Nullable Payload result, @Nullable String reason) {}

    private record Move(long seq, int state, long readyAt, int failed, int crashed, int alone,
            @Nullable JobFailure failure, String history, boolean keyed) {
        /** The error of a dead letter; zero in other states. */
        long error() {
            return state >= StateName.DEAD.code() && failure != null ? ErrorShape.fingerprint(failure).value() : 0;
        }
    }

    JobChanges(Instant now) {
        this.now = ColumnCodecs.millis(now);
    }

    void done(long seq, @Nullable Payload result) {
        ends.add(new End(seq, StateName.DONE.code(), result, null));
    }

    void cancelled(long seq, String reason) {
        ends.add(new End(seq, StateName.CANCELLED.code(), null, JobColumns.text(reason)));
    }

    /** The job waits again; a failure counts. */
    void again(PostgresLockedJobs.Row row, AttemptOutcome outcome) {
        long at = outcome.nextAt() == null ? 0 : ColumnCodecs.millis(outcome.nextAt());
        boolean later = at > now;
        moves.add(new Move(row.seq(), later ? StateName.DELAYED.code() : StateName.WAITING.code(), later ? at : 0,
                outcome.failure() == null ? 0 : 1, 0, 0, outcome.failure(), row.historyWith(outcome, now),
                row.keyed()));
    }

    /** The job becomes a dead letter. */
    void dead(PostgresLockedJobs.Row row, AttemptOutcome.Dead outcome, boolean halts) {
        moves.add(new Move(row.seq(), halts ? StateName.HALTING.code() : StateName.DEAD.code(), now, 1, 0, 0,
                outcome.failure(),
                row.historyWith(outcome, now), row.keyed()));
    }

    /** The job waits again after the death of its node. */
    void survived(PostgresLockedJobs.Row row, boolean mayHaveRun, boolean alone) {
        moves.add(new Move(row.seq(), StateName.WAITING.code(), 0, 0, mayHaveRun ? 1 : 0, alone ? 1 : 0, null,
                row.historyWithDeath(null, now), row.keyed()));
    }

    /** The job becomes a dead letter by the death of its node, where it ran alone. */
    void poisoned(PostgresLockedJobs.Row row, JobFailure failure, boolean halts) {
        moves.add(new Move(row.seq(), halts ? StateName.HALTING.code() : StateName.DEAD.code(), now, 0, 1, 1, failure,
                row.historyWithDeath(failure, now), row.keyed()));
    }

    void write(Connection connection) throws SQLException {
        if (!ends.isEmpty()) {
            writeEnds(connection);
        }
        if (!moves.isEmpty()) {
            writeMoves(connection);
        }
    }

    /** Writes the changes, and recomputes the lanes of the jobs that were let go. */
    void write(Connection connection, PostgresLockedJobs locked, Instant moment) throws SQLException {
        write(connection);
        PostgresLeaseTable.remove(connection, locked.leasesEnded());
        Lanes.started(connection, locked.stillHeld(true), true);
        Lanes.started(connection, locked.stillHeld(false), false);
        Lanes.recompute(connection, locked.free(), moment);
    }

    private void writeEnds(Connection connection) throws SQLException {
        List<@Nullable String> types = new ArrayList<>();
        List<byte @Nullable []> results = new ArrayList<>();
        for (End end : ends) {
            types.add(end.result == null ? null : end.result.contentType());
            results.add(end.result == null ? null : end.result.bytes());
        }
        new Sql(connection, """
                WITH ending AS MATERIALIZED (
                  SELECT * FROM unnest(?, ?, ?, ?, ?) AS ending(seq, state, result_type, result, reason)),
                gone AS (
                  DELETE FROM job USING ending WHERE job.seq = ANY(ARRAY[ending.seq])
                  RETURNING job.seq, job.queue, job.state AS was, job.attempt, job.failures, job.priority, job.grp,
                    job.owner, job.params, job.progress, job.failure, job.failure_detail, job.history, job.origin,
                    CASE WHEN job.state = RUNNING THEN job.ready_at END AS started_at, job.node, job.trace,
                    job.batch, ending.state, ending.result_type, ending.result, ending.reason),
                told AS (
                  INSERT INTO batch_tally(batch, done, dead, cancelled)
                  SELECT batch, count(*) FILTER (WHERE state = DONE), -count(*) FILTER (WHERE was >= DEAD),
                    count(*) FILTER (WHERE state = CANCELLED) FROM gone WHERE batch IS NOT NULL GROUP BY batch),
                counted AS (
                  INSERT INTO tally SELECT queue, was, -count(*) FROM gone GROUP BY queue, was
                    UNION ALL SELECT queue, ENDED, count(*) FROM gone GROUP BY queue)
                INSERT INTO ended(seq, ended_at, queue, attempt, failures, state, priority, grp, owner, params,
                  result_type, result, progress, failure, failure_detail, reason, history, origin, started_at, node,
                  trace)
                SELECT seq, ?, queue, attempt, failures, state, priority, grp, owner, params, result_type, result,
                  progress, failure, failure_detail, reason, history, origin, started_at, node, trace FROM gone""")
                .longs(ends.stream().map(End::seq).toList()).ints(ends.stream().map(End::state).toList())
                .texts(types).bytes(results).texts(reasons()).with(now).update();
    }

    private List<@Nullable String> reasons() {
        List<@Nullable String> reasons = new ArrayList<>();
        ends.forEach(end -> reasons.add(end.reason));
        return reasons;
    }

    private void writeMoves(Connection connection) throws SQLException {
        List<@Nullable String> failures = new ArrayList<>();
        List<@Nullable String> details = new ArrayList<>();
        List<@Nullable String> histories = new ArrayList<>();
        for (Move move : moves) {
            failures.add(move.failure == null ? null : JobColumns.text(move.failure.summary()));
            details.add(move.failure == null ? null : JobColumns.text(move.failure.detail()));
            histories.add(move.history);
        }
        new Sql(connection, """
                WITH moved AS (
                  UPDATE job SET state = move.state, ready_at = move.ready_at, node = NULL, cancelling = false,
                    failures = job.failures + move.failed, crashes = job.crashes + move.crashed,
                    lone_crashes = job.lone_crashes + move.alone,
                    failure = coalesce(move.failure, job.failure),
                    failure_detail = CASE WHEN move.failure IS NULL THEN job.failure_detail ELSE move.detail END,
                    history = move.history, error = CASE WHEN move.state >= DEAD THEN move.error END
                  FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    AS move(seq, state, ready_at, failed, crashed, alone, failure, detail, history, error)
                  WHERE job.seq = ANY(ARRAY[move.seq]) RETURNING job.queue, job.state, job.batch),
                told AS (
                  INSERT INTO batch_tally(batch, dead) SELECT batch, count(*) FROM moved
                  WHERE batch IS NOT NULL AND state >= DEAD GROUP BY batch)
                INSERT INTO tally SELECT queue, state, count(*) FROM moved GROUP BY queue, state
                  UNION ALL SELECT queue, RUNNING, -count(*) FROM moved GROUP BY queue""")
                .longs(moves.stream().map(Move::seq).toList()).ints(moves.stream().map(Move::state).toList())
                .longs(moves.stream().map(Move::readyAt).toList()).ints(moves.stream().map(Move::failed).toList())
                .ints(moves.stream().map(Move::crashed).toList()).ints(moves.stream().map(Move::alone).toList())
                .texts(failures).texts(details)
                .texts(histories).longs(moves.stream().map(Move::error).toList()).update();
        List<Long> waiting = moves.stream().filter(move -> move.keyed && move.state == StateName.WAITING.code())
                .map(Move::seq).toList();
        if (!waiting.isEmpty()) {
            PostgresPushes.wake(connection, waiting);
        }
    }
}
