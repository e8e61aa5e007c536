package dev.orderly.store.postgres.job;

import dev.orderly.job.store.JobStore;
import dev.orderly.store.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * Correction of moments that were stored while the server's clock was ahead. Once it is right again, keys and ended
 * jobs with such a moment would be kept too long, by as much as it was ahead. The moment becomes now, so that their
 * retention begins anew and is never longer than its full time. Locked rows are left out.
 *
 * <p>Due times of jobs stay as they are, since the intended delay is not known.
 */
final class AheadTimes {
    /** Tolerance, larger than the difference between the clocks of nodes. */
    private static final Duration TOLERANCE = Duration.ofSeconds(10);

    private AheadTimes() {}

    /** Corrects at most {@code limit} rows of each kind; returns whether there may be more. */
    static boolean mend(Connection connection, Instant now, int limit) throws SQLException {
        int most = 0;
        most = Math.max(most, keys(connection, RecentKeys.DEDUPE, now.plus(JobStore.DEDUPE_WINDOW), limit));
        most = Math.max(most, keys(connection, RecentKeys.IDEMPOTENCY, now.plus(JobStore.IDEMPOTENCY_WINDOW), limit));
        most = Math.max(most, new Sql(connection, """
                WITH ahead AS MATERIALIZED (
                  SELECT seq FROM ended WHERE ended_at > ? ORDER BY ended_at, seq LIMIT ? FOR UPDATE SKIP LOCKED)
                UPDATE ended SET ended_at = ? FROM ahead WHERE ended.seq = ahead.seq""")
                .with(beyondTolerance(now)).with(limit).with(now.toEpochMilli()).update());
        most = Math.max(most, new Sql(connection, """
                WITH ahead AS MATERIALIZED (
                  SELECT seq FROM job WHERE state = DEAD AND ready_at > ? ORDER BY ready_at, seq LIMIT ?
                    FOR UPDATE SKIP LOCKED)
                UPDATE job SET ready_at = ? FROM ahead WHERE job.seq = ahead.seq""")
                .with(beyondTolerance(now)).with(limit).with(now.toEpochMilli()).update());
        return most == limit;
    }

    private static int keys(Connection connection, int kind, Instant until, int limit) throws SQLException {
        return new Sql(connection, """
                WITH ahead AS MATERIALIZED (
                  SELECT kind, key FROM recent WHERE kind = ? AND until > ? ORDER BY until LIMIT ?
                    FOR UPDATE SKIP LOCKED)
                UPDATE recent SET until = ? FROM ahead WHERE recent.kind = ahead.kind AND recent.key = ahead.key""")
                .with(kind).with(beyondTolerance(until)).with(limit).with(until.toEpochMilli()).update();
    }

    private static long beyondTolerance(Instant moment) {
        return moment.plus(TOLERANCE).toEpochMilli();
    }
}
