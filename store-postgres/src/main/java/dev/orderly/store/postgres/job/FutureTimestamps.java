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
final class FutureTimestamps {
    /** Tolerance, larger than the difference between the clocks of nodes. */
    private static final Duration TOLERANCE = Duration.ofSeconds(10);

    private FutureTimestamps() {}

    /** Corrects at most {@code limit} rows of each kind; returns whether there may be more. */
    static boolean mend(Connection connection, Instant now, int limit) throws SQLException {
        int most = 0;
        most = Math.max(most, keys(connection, StoredDedupeKeys.DEDUPE, now.plus(JobStore.DEDUPE_WINDOW), limit));
        most = Math.max(most, keys(connection, StoredDedupeKeys.KEPT, now.plus(JobStore.DEDUPE_WINDOW_MAX), limit));
        most = Math.max(most,
                keys(connection, StoredDedupeKeys.IDEMPOTENCY, now.plus(JobStore.IDEMPOTENCY_WINDOW), limit));
        most = Math.max(most, new Sql(connection, """
                UPDATE ended SET ended_at = ? WHERE ctid = ANY(ARRAY(
                  SELECT ctid FROM ended WHERE ended_at > ? ORDER BY ended_at LIMIT ? FOR UPDATE SKIP LOCKED))""")
                .with(now.toEpochMilli()).with(beyondTolerance(now)).with(limit).update());
        most = Math.max(most, new Sql(connection, """
                UPDATE job SET ready_at = ? WHERE ctid = ANY(ARRAY(
                  SELECT ctid FROM job WHERE state = DEAD AND ready_at > ? ORDER BY ready_at, seq LIMIT ?
                    FOR UPDATE SKIP LOCKED))""")
                .with(now.toEpochMilli()).with(beyondTolerance(now)).with(limit).update());
        return most == limit;
    }

    private static int keys(Connection connection, int kind, Instant until, int limit) throws SQLException {
        return new Sql(connection, """
                UPDATE recent SET until = ? WHERE ctid = ANY(ARRAY(
                  SELECT ctid FROM recent WHERE kind + 0 = ? AND until + 0 > ? ORDER BY until + 0 LIMIT ?
                    FOR UPDATE SKIP LOCKED))""")
                .with(until.toEpochMilli()).with(kind).with(beyondTolerance(until)).with(limit).update();
    }

    private static long beyondTolerance(Instant moment) {
        return moment.plus(TOLERANCE).toEpochMilli();
    }
}
