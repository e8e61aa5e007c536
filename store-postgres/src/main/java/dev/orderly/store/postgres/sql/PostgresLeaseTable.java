package dev.orderly.store.postgres.sql;

import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The leases of jobs that no node holds. The server's clock stamps and judges them. */
public final class PostgresLeaseTable {
    private static final String PRESENT = "moment_now(nullif(?, -1))";
    private static final String OVER = """
            SELECT lease.seq FROM lease CROSS JOIN (SELECT\s""" + PRESENT + """
             AS moment OFFSET 0) AS present
            WHERE lease.until <= present.moment
              AND may_judge('jobs', (SELECT max(last_beat) FROM node WHERE NOT dead), present.moment, ?, ?)""";

    private final @Nullable Time clock;

    /** @param clock replaces the server's clock, in tests */
    public PostgresLeaseTable(@Nullable Time clock) {
        this.clock = clock;
    }

    /**
     * Leases running jobs that the caller has locked.
     *
     * @param lengths milliseconds from now on, by job
     */
    public void put(Connection connection, Map<Long, Long> lengths) throws SQLException {
        if (!lengths.isEmpty()) {
            new Sql(connection, """
                    WITH held AS (
                      UPDATE job SET node = NULL FROM unnest(?, ?) AS wanted(seq, length)
                      WHERE job.seq = ANY(ARRAY[wanted.seq])
                      RETURNING job.seq, job.queue, wanted.length)
                    INSERT INTO lease(seq, queue, until) SELECT seq, queue,\s""" + PRESENT + """
                    + length FROM held ON CONFLICT (seq) DO UPDATE SET until = excluded.until""")
                    .longs(List.copyOf(lengths.keySet())).longs(List.copyOf(lengths.values())).with(given()).update();
        }
    }

    /** Deletes the leases of jobs. */
    public static void remove(Connection connection, Collection<Long> seqs) throws SQLException {
        if (!seqs.isEmpty()) {
            new Sql(connection, "DELETE FROM lease WHERE seq = ANY(?)").longs(seqs).update();
        }
    }

    /** Brings the end of a lease forward, for a job that is to be cancelled. */
    public void cancel(Connection connection, long seq) throws SQLException {
        new Sql(connection, "UPDATE lease SET until = least(until, " + PRESENT + " + ?) WHERE seq = ?").with(given())
                .with(JobStore.CANCEL_GRACE.toMillis()).with(seq).update();
    }

    /** Jobs whose lease is over; none while silence may not be judged. */
    public List<Long> over(Connection connection, int limit) throws SQLException {
        return judged(new Sql(connection, OVER + " ORDER BY lease.until LIMIT ?")).with(limit)
                .list(row -> row.getLong(1));
    }

    /** Those of the jobs whose lease is over. */
    public List<Long> over(Connection connection, Collection<Long> seqs) throws SQLException {
        return judged(new Sql(connection, OVER + " AND lease.seq = ANY(?) ORDER BY lease.seq")).longs(seqs)
                .list(row -> row.getLong(1));
    }

    private Sql judged(Sql sql) {
        return sql.with(given()).with(NodeTimes.GAP.toMillis()).with(NodeTimes.GRACE.toMillis());
    }

    /** The moment in place of the server's; -1 for the server's. */
    public long given() {
        return clock == null ? HeartbeatConnection.SERVER_CLOCK : clock.now().toEpochMilli();
    }
}
