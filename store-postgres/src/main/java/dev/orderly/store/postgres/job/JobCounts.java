package dev.orderly.store.postgres.job;

import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.QueueSnapshot;
import dev.orderly.store.postgres.job.scan.ScanCursors;
import dev.orderly.store.postgres.job.scan.TallyBound;
import dev.orderly.store.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Counts of jobs by queue and state, from the tally and not from the jobs. */
final class JobCounts {
    /** Number of groups whose oldest job is read: the groups ready for longest, and as many others. */
    private static final int SAMPLE = 200;

    private JobCounts() {}

    /**
     * The oldest waiting job of the groups of queue {@code queue.id}; of over 200 groups, of some of them. {@code
     * ready.turn} is the lower bound of the scan for ready groups.
     */
    static final String OLDEST_IN_GROUPS = """
            SELECT min(first.seq) FROM (
                (SELECT name FROM lane WHERE lane.queue = queue.id AND lane.state = LANE_READY
                  AND lane.turn >= ready.turn ORDER BY turn LIMIT %1$d)
                UNION ALL
                (SELECT name FROM lane WHERE lane.queue = queue.id ORDER BY lane.queue, lane.name LIMIT %1$d)) AS asked
              CROSS JOIN LATERAL (
                SELECT seq FROM job WHERE job.queue = queue.id AND job.grp = asked.name AND job.state <= RUNNING
                  AND job.state = WAITING AND job.grp IS NOT NULL ORDER BY job.seq + 0 LIMIT 1) AS first"""
            .formatted(SAMPLE);

    /**
     * All queues by name. The cost does not depend on the number of jobs; with over 200 groups the oldest job is
     * approximate.
     */
    static List<QueueView> views(Connection connection, TallyBound bound, ScanCursors cursors) throws SQLException {
        Map<Integer, ScanCursors.Lowest> lowest = cursors.lowest();
        return bound.addTo(new Sql(connection,
                """
                        WITH cursors AS MATERIALIZED (SELECT * FROM unnest(?, ?, ?) AS known(queue, job, turn)),
                        counted AS MATERIALIZED (
                          SELECT queue, sum(jobs) FILTER (WHERE state = WAITING) AS waiting,
                            sum(jobs) FILTER (WHERE state = DELAYED) AS delayed,
                            sum(jobs) FILTER (WHERE state = RUNNING) AS running,
                            sum(jobs) FILTER (WHERE state IN (DEAD, HALTING)) AS dead,
                            sum(jobs) FILTER (WHERE state = ENDED) AS done,
                            sum(jobs) FILTER (WHERE state = HALTING) AS halting
                          FROM tally WHERE %s GROUP BY queue),
                        leased AS MATERIALIZED (SELECT queue, count(*) AS jobs FROM lease GROUP BY queue)
                        SELECT queue.name, queue.paused, coalesce(counted.waiting, 0) AS waiting,
                          coalesce(counted.delayed, 0) AS delayed, coalesce(counted.running, 0) AS running,
                          coalesce(leased.jobs, 0) AS leased, coalesce(counted.dead, 0) AS dead,
                          coalesce(counted.done, 0) AS done,
                          CASE WHEN counted.halting > 0 THEN (SELECT count(*) FROM (
                              SELECT DISTINCT grp FROM job WHERE job.queue = queue.id AND job.state - HALTING = 0)
                            AS groups) ELSE 0 END AS halted,
                          CASE WHEN counted.waiting > 0 THEN least(
                            (SELECT min(first.seq) FROM generate_series(1, 8) AS class(number) CROSS JOIN LATERAL (
                              SELECT seq FROM job WHERE job.queue = queue.id AND job.priority = class.number
                                AND job.state = WAITING AND job.grp IS NULL
                                AND job.seq + 0 >= CASE WHEN class.number > 4 THEN 0 ELSE ready.job END
                              ORDER BY job.seq + 0 LIMIT 1) AS first),
                            (%s)) END AS oldest
                        FROM queue LEFT JOIN counted ON counted.queue = queue.id
                          CROSS JOIN LATERAL (SELECT coalesce((SELECT known.job FROM cursors AS known
                            WHERE known.queue = queue.id), 0) AS job, coalesce((SELECT known.turn FROM cursors AS known
                            WHERE known.queue = queue.id), 0) AS turn OFFSET 0) AS ready
                          LEFT JOIN leased ON leased.queue = queue.id
                        WHERE NOT queue.forgotten
                          OR counted.waiting > 0 OR counted.delayed > 0 OR counted.running > 0 OR counted.dead > 0
                        ORDER BY queue.name"""
                        .formatted(TallyBound.WITHIN, OLDEST_IN_GROUPS))
                .ints(lowest.keySet()).longs(lowest.values().stream().map(ScanCursors.Lowest::job).toList())
                .longs(lowest.values().stream().map(ScanCursors.Lowest::turn).toList()))
                .list(JobCounts::view);
    }

    private static QueueView view(ResultSet row) throws SQLException {
        long oldest = row.getLong("oldest");
        return new QueueSnapshot(new QueueName(row.getString("name")), row.getBoolean("paused"),
                row.getLong("waiting"), row.getLong("delayed"), row.getLong("running"), row.getLong("leased"),
                row.getLong("dead"), row.getLong("done"), row.getLong("halted"),
                oldest == 0 ? null : JobId.of(oldest, 0).pushedAt());
    }

    /** Folds the rows of each queue and state into one. Rows added meanwhile stay as they are. */
    static void fold(Connection connection, TallyBound bound) throws SQLException {
        bound.addTo(new Sql(connection,
                """
                        WITH old AS (DELETE FROM tally WHERE %s RETURNING queue, state, jobs)
                        INSERT INTO tally SELECT queue, state, sum(jobs) FROM old GROUP BY queue, state HAVING sum(jobs) <> 0"""
                        .formatted(TallyBound.WITHIN)))
                .update();
    }
}
