package dev.orderly.store.postgres.job;

import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.StepReport;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.StepColumns;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Statements on table {@code job_step}: the steps that jobs have done. Thread-safe. */
final class PostgresSteps {
    /** Steps that a round of upkeep looks at. */
    private static final int SWEPT = 1_000;
    private static final String KEPT = "EXISTS (SELECT FROM job WHERE job.seq = step.seq)"
            + " OR EXISTS (SELECT FROM ended WHERE ended.seq = step.seq)";

    /** The last job that a sweep of this node has looked at. */
    private final AtomicLong swept = new AtomicLong();

    /**
     * Keeps a step of a job whose row is locked.
     *
     * @param repeatable whether a report that repeats an earlier one is kept, too
     */
    static StepResult keep(Connection connection, long seq, StepReport report, Instant now, boolean repeatable)
            throws SQLException {
        @Nullable
        Payload value = report.value();
        boolean added = new Sql(connection,
                """
                        INSERT INTO job_step(seq, number, name, attempt, at, content_type, value)
                        SELECT ?::bigint, count(*) + 1, ?::text, ?::int, ?::bigint, ?::text, ?::bytea FROM job_step WHERE seq = ?
                        HAVING count(*) < ? AND coalesce(sum(BYTES), 0) + ? <= ?
                        ON CONFLICT DO NOTHING"""
                        .replace("BYTES", StepColumns.BYTES))
                .with(seq).with(report.name())
                .with(report.attempt().number()).with(now.toEpochMilli())
                .with(value == null ? null : value.contentType())
                .with(value == null ? null : value.bytes()).with(seq).with(JobStep.STEPS_MAX).with(report.bytes())
                .with(JobStep.BYTES_MAX).update() == 1;
        return added
                ? StepResult.KEPT
                : new Sql(connection, "SELECT " + StepColumns.NAMES + " FROM job_step WHERE seq = ? AND name = ?")
                        .with(seq).with(report.name())
                        .list(row -> StepColumns.read(row, UnaryOperator.identity())).stream().findFirst()
                        .map(kept -> repeatable ? report.against(kept) : StepResult.TAKEN).orElse(StepResult.FULL);
    }

    /** The steps of a job that is kept. */
    static List<JobStep> of(Connection connection, long seq) throws SQLException {
        return new Sql(connection, "SELECT " + StepColumns.NAMES + " FROM job_step AS step WHERE seq = ? AND (" + KEPT
                + ") ORDER BY number").with(seq).list(row -> StepColumns.read(row, UnaryOperator.identity()));
    }

    /**
     * Deletes the steps of jobs that are kept no more, among the next ones.
     *
     * @return number of deleted steps
     */
    int sweep(Connection connection) throws SQLException {
        long after = swept.get();
        List<Long> jobs = new Sql(connection, "SELECT DISTINCT seq FROM (SELECT seq FROM job_step WHERE seq > ?"
                + " ORDER BY seq LIMIT " + SWEPT + ") AS next ORDER BY seq").with(after).list(row -> row.getLong(1));
        swept.set(jobs.isEmpty() ? 0 : jobs.getLast()); // zero at the end: the next round begins again
        return jobs.isEmpty()
                ? 0
                : new Sql(connection, "DELETE FROM job_step AS step WHERE seq = ANY(?) AND NOT (" + KEPT + ")")
                        .longs(jobs).update();
    }
}
