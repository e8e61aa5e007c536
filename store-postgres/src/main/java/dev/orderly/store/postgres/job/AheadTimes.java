package dev.orderly.store.postgres.job;

import dev.orderly.job.store.JobStore;
import dev.orderly.store.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * Moments that were stored while the server's clock was ahead. Once it is right again they would keep what is kept for a
 * time for as long as the clock was ahead, and that time. They become now: what a key or an ended job has left of its time
 * begins anew, and is never more than its time. It waits for no row.
 *
 * <p>Left as they are: moments at which something is due. Nothing says how long it was to wait.
 */
final class AheadTimes {
    /** More than the clocks of nodes differ by. */
    private static final Duration ASTRAY = Duration.ofSeconds(10);

    private AheadTimes() {}

    /** Returns whether there may be more than {@code limit} of a kind. */
    static boolean mend(Connection connection, Instant now, int limit) throws SQLException {
        int most = 0;
        most = Math.max(most, keys(connection, RecentKeys.DEDUPE, now.plus(JobStore.DEDUPE_WINDOW), limit));
        most = Math.max(most, keys(connection, RecentKeys.IDEMPOTENCY, now.plus(JobStore.IDEMPOTENCY_WINDOW), limit));
        most = Math.max(most, new Sql(connection, """
                WITH ahead AS MATERIALIZED (
                  SELECT seq FROM ended WHERE ended_at > ? ORDER BY ended_at, seq LIMIT ? FOR UPDATE SKIP LOCKED)
                UPDATE ended SET ended_at = ? FROM ahead WHERE ended.seq = ahead.seq""")
                .with(astray(now)).with(limit).with(now.toEpochMilli()).update());
        most = Math.max(most, new Sql(connection, """
                WITH ahead AS MATERIALIZED (
                  SELECT seq FROM job WHERE state = 3 AND ready_at > ? ORDER BY ready_at, seq LIMIT ?
                    FOR UPDATE SKIP LOCKED)
                UPDATE job SET ready_at = ? FROM ahead WHERE job.seq = ahead.seq""")
                .with(astray(now)).with(limit).with(now.toEpochMilli()).update());
        return most == limit;
    }

    private static int keys(Connection connection, int kind, Instant until, int limit) throws SQLException {
        return new Sql(connection, """
                WITH ahead AS MATERIALIZED (
                  SELECT kind, key FROM recent WHERE kind = ? AND until > ? ORDER BY until LIMIT ?
                    FOR UPDATE SKIP LOCKED)
                UPDATE recent SET until = ? FROM ahead WHERE recent.kind = ahead.kind AND recent.key = ahead.key""")
                .with(kind).with(astray(until)).with(limit).with(until.toEpochMilli()).update();
    }

    private static long astray(Instant moment) {
        return moment.plus(ASTRAY).toEpochMilli();
    }
}
