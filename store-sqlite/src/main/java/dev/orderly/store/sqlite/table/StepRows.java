package dev.orderly.store.sqlite.table;

import dev.orderly.job.JobStep;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.StepReport;
import dev.orderly.store.sql.StepColumns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.function.UnaryOperator;

/** Statements on table {@code job_step}: the steps that jobs have done. */
public final class StepRows {
    /** Steps that a round of upkeep looks at. */
    private static final int SWEPT = 1_000;

    private final PreparedStatement find;
    private final PreparedStatement used;
    private final PreparedStatement insert;
    private final PreparedStatement seen;
    private final PreparedStatement orphans;
    /** The last job that a sweep has looked at. */
    private long swept;

    StepRows(Connection connection) throws SQLException {
        find = connection.prepareStatement("SELECT " + StepColumns.NAMES + " FROM job_step WHERE seq = ? AND name = ?");
        used = connection.prepareStatement("SELECT count(*), coalesce(sum(" + StepColumns.BYTES
                + "), 0) FROM job_step WHERE seq = ?");
        insert = connection.prepareStatement(StepColumns.INSERT);
        seen = connection.prepareStatement("SELECT max(seq) FROM (SELECT seq FROM job_step WHERE seq > ? ORDER BY seq"
                + " LIMIT " + SWEPT + ")");
        orphans = connection.prepareStatement("DELETE FROM job_step WHERE seq > ? AND seq <= ?"
                + " AND NOT EXISTS (SELECT 1 FROM job WHERE job.seq = job_step.seq)"
                + " AND NOT EXISTS (SELECT 1 FROM ended WHERE ended.seq = job_step.seq)");
    }

    /** Keeps a step of a job that is there. */
    public StepResult keep(long seq, StepReport report, Instant now) throws SQLException {
        find.setLong(1, seq);
        find.setString(2, report.name());
        try (ResultSet row = find.executeQuery()) {
            if (row.next()) {
                return report.against(StepColumns.read(row, UnaryOperator.identity()));
            }
        }
        int steps;
        used.setLong(1, seq);
        try (ResultSet row = used.executeQuery()) {
            row.next();
            steps = row.getInt(1);
            if (steps >= JobStep.STEPS_MAX || row.getLong(2) + report.bytes() > JobStep.BYTES_MAX) {
                return StepResult.FULL;
            }
        }
        StepColumns.bind(insert, seq, steps + 1,
                new JobStep(report.name(), report.attempt().number(), now, report.value()));
        insert.executeUpdate();
        return StepResult.KEPT;
    }

    /**
     * Deletes the steps of jobs that are kept no more, among the next ones.
     *
     * @return number of deleted steps
     */
    public int sweep() throws SQLException {
        seen.setLong(1, swept);
        long last;
        try (ResultSet row = seen.executeQuery()) {
            last = row.next() ? row.getLong(1) : 0;
        }
        long after = swept;
        swept = last; // zero at the end: the next round begins again
        if (last == 0) {
            return 0;
        }
        orphans.setLong(1, after);
        orphans.setLong(2, last);
        return orphans.executeUpdate();
    }
}
