package dev.orderly.store.postgres.job;

import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.JobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Claims from a FIFO queue: a first statement takes lanes, a second one takes the first jobs of each.
 *
 * <p>Two statements, since a statement rechecks a locked row after the wait for its lock but reads other rows as of its
 * own beginning. In one statement a job that was finished in between would be handed out again.
 */
final class GroupClaim {
    private static final int STEP = 1_000;
    private static final String LANES = """
            WITH picked AS MATERIALIZED (
              SELECT queue, name FROM (
                SELECT queue, name FROM lane WHERE queue = ? AND state = 0 AND turn >= ?
                ORDER BY turn FOR UPDATE SKIP LOCKED LIMIT\s""";
    private static final String TAKE = """
            ) AS free LIMIT ?)
            UPDATE lane SET state = 1, started = true FROM picked
            WHERE lane.queue = picked.queue AND lane.name = picked.name RETURNING lane.name, lane.turn""";
    private static final String HEADS = """
            WITH run AS MATERIALIZED (
              SELECT seq, queue, state FROM (
                SELECT seq, queue, state, bytes, sum(bytes) OVER (ORDER BY place, seq ROWS UNBOUNDED PRECEDING) AS total FROM (
                SELECT wanted.place, head.seq, head.queue, head.state, head.bytes, bool_and(head.state = 0 OR (head.state = 1 AND head.ready_at <= ?))
                  OVER (PARTITION BY wanted.name ORDER BY head.seq) AS due
                FROM unnest(?) WITH ORDINALITY AS wanted(name, place) CROSS JOIN LATERAL (
                  SELECT seq, queue, state, ready_at, octet_length(payload) AS bytes FROM job WHERE job.queue = ? AND job.grp = wanted.name AND job.state <= 2
                  ORDER BY seq LIMIT %d) AS head) AS first WHERE due) AS counted
              WHERE total <= ? OR (? AND total = bytes)),
            counted AS (
              INSERT INTO tally SELECT queue, state, -count(*) FROM run GROUP BY queue, state
                UNION ALL SELECT queue, 2, count(*) FROM run GROUP BY queue)
            UPDATE job SET state = 2, ready_at = 0, node = ?, attempt = job.attempt + 1
            FROM run WHERE job.seq = run.seq RETURNING\s"""
            .formatted(JobStore.GROUP_RUN) + JobColumns.CLAIMED;

    private final JobIds ids;
    private final ScanCursors cursors;

    GroupClaim(JobIds ids, ScanCursors cursors) {
        this.ids = ids;
        this.cursors = cursors;
    }

    List<ClaimedJob> take(Connection connection, ClaimJobs.Source source, Instant now) throws SQLException {
        int groups = Math.min(source.demand().limit(), STEP);
        ScanCursors.Start start = cursors.lanes(source.queue());
        Map<String, Long> turns = new HashMap<>();
        new Sql(connection, LANES + ClaimJobs.literal(groups) + TAKE).with(source.queue()).with(start.from())
                .with(groups)
                .list(row -> turns.put(row.getString(1), row.getLong(2)));
        if (turns.isEmpty()) {
            return List.of();
        }
        cursors.tookLanes(source.queue(), start, Collections.max(turns.values()));
        List<ClaimedJob> jobs = new Sql(connection, HEADS).with(now.toEpochMilli()).texts(inTurn(turns))
                .with(source.queue()).with(source.budget().left()).with(source.budget().isUntouched())
                .with(source.node())
                .list(row -> JobColumns.claimed(row, ids, source.demand().queue())).stream()
                .sorted(Comparator.<ClaimedJob>comparingLong(job -> turns.getOrDefault(job.group(), 0L))
                        .thenComparingLong(ClaimedJob::sequence))
                .toList();
        jobs.forEach(job -> source.budget().take(job.payload()));
        letGoOfOthers(connection, source, turns.keySet(), jobs, now);
        return jobs;
    }

    private static List<String> inTurn(Map<String, Long> turns) {
        return turns.entrySet().stream().sorted(Map.Entry.comparingByValue()).map(Map.Entry::getKey).toList();
    }

    /**
     * Frees the lanes that gave no job: the lane's row was wrong, or its first job was larger than what is left of the
     * budget. In the second case the lane queues up behind the ready ones, and so comes first in a later claim.
     */
    private static void letGoOfOthers(Connection connection, ClaimJobs.Source source, Set<String> taken,
            List<ClaimedJob> jobs, Instant now) throws SQLException {
        Set<String> others = new HashSet<>(taken);
        others.removeAll(jobs.stream().map(ClaimedJob::group).collect(Collectors.toSet()));
        Lanes.recompute(connection, others.stream().map(name -> new Lane(source.queue(), name)).toList(), now);
    }
}
