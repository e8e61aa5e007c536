package dev.orderly.store.postgres.job;

import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.JobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Claims from a standard queue: priorities by turns, each in push order, without the rows that other claims have
 * locked.
 */
final class StandardClaim {
    private static final int STEP = 1_000;
    private static final String TAKE = """
            WITH picked AS MATERIALIZED (
              SELECT seq, queue FROM (
                SELECT seq, queue, bytes, sum(bytes) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) AS total FROM (
                  SELECT seq, queue, bytes FROM (
                    SELECT seq, queue, octet_length(payload) AS bytes FROM job
                    WHERE queue = ? AND priority = ? AND state = 0 AND grp IS NULL AND seq + 0 >= ?
                    ORDER BY seq + 0 LIMIT %d FOR UPDATE SKIP LOCKED) AS free LIMIT ?) AS locked) AS counted
              WHERE total <= ? OR (? AND total = bytes)),
            counted AS (
              INSERT INTO tally SELECT queue, change.state, sum(change.jobs)
              FROM picked CROSS JOIN (VALUES(0, -1), (2, 1)) AS change(state, jobs) GROUP BY 1, 2)
            UPDATE job SET state = 2, node = ?, attempt = job.attempt + 1 FROM picked WHERE job.seq = picked.seq
            RETURNING\s""" + JobColumns.CLAIMED;

    private final JobIds ids;
    private final ScanCursors cursors;
    /** Number of turns given by this node, for each queue. */
    private final Map<QueueName, AtomicLong> turns = new ConcurrentHashMap<>();

    StandardClaim(JobIds ids, ScanCursors cursors) {
        this.ids = ids;
        this.cursors = cursors;
    }

    /** @param waiting the priorities with waiting jobs */
    List<ClaimedJob> take(Connection connection, ClaimJobs.Source source, Set<Priority> waiting, Instant now)
            throws SQLException {
        List<ClaimedJob> taken = new ArrayList<>();
        Set<Priority> left = EnumSet.noneOf(Priority.class);
        left.addAll(waiting);
        while (taken.size() < source.demand().limit() && !left.isEmpty()) {
            int slots = Math.min(source.demand().limit() - taken.size(), STEP);
            for (Map.Entry<Priority, Integer> share : shares(source.demand().queue(), slots, left).entrySet()) {
                List<ClaimedJob> some = take(connection, source, share.getKey(), share.getValue(), now);
                taken.addAll(some);
                if (some.size() < share.getValue()) {
                    left.remove(share.getKey());
                }
            }
        }
        return taken;
    }

    private Map<Priority, Integer> shares(QueueName queue, int slots, Set<Priority> priorities) {
        AtomicLong turn = turns.computeIfAbsent(queue, _ -> new AtomicLong());
        Map<Priority, Integer> shares = new EnumMap<>(Priority.class);
        for (int given = 0; given < slots;) {
            Priority next = Priority.turn(turn.getAndIncrement());
            if (priorities.contains(next)) {
                shares.merge(next, 1, Integer::sum);
                given++;
            }
        }
        return shares;
    }

    private List<ClaimedJob> take(Connection connection, ClaimJobs.Source source, Priority priority, int number,
            Instant now) throws SQLException {
        ScanCursors.Start start = cursors.jobs(source.queue(), priority);
        List<ClaimedJob> jobs = new Sql(connection, TAKE.formatted(ClaimJobs.literal(number))).with(source.queue())
                .with(priority.number()).with(start.from()).with(number).with(source.budget().left())
                .with(source.budget().isUntouched()).with(source.node())
                .list(row -> JobColumns.claimed(row, ids, source.demand().queue())).stream()
                .sorted(Comparator.comparingLong(ClaimedJob::sequence)).toList();
        jobs.forEach(job -> source.budget().take(job.payload()));
        if (!jobs.isEmpty()) {
            cursors.took(source.queue(), priority, start, jobs.getLast().sequence(), now);
        }
        return jobs;
    }
}
