package dev.orderly.store.postgres.job;

import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Budget;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.NodeId;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.JobIds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hands out jobs. One statement finds the requested queues that have ready jobs, and only from those jobs are claimed.
 */
public final class ClaimJobs {
    private static final int PROMOTE = 1_000;
    private static final Duration AGAIN = Duration.ofMillis(200);

    private final QueueTable queues;
    private final ScanCursors cursors;
    private final StandardClaim standard;
    private final GroupClaim grouped;

    public ClaimJobs(JobIds ids, QueueTable queues, ScanCursors cursors) {
        this.queues = queues;
        this.cursors = cursors;
        standard = new StandardClaim(ids, cursors);
        grouped = new GroupClaim(ids, cursors);
    }

    /**
     * Ready work of a queue.
     *
     * @param node the claiming node; null if it is dead or unknown
     */
    private record Look(@Nullable Integer node, boolean paused, Set<Priority> waiting, boolean lanes,
            @Nullable Instant jobDue, @Nullable Instant laneDue) {
        /**
         * The next due time. A due job that another transaction has locked was not promoted: it is due in a moment
         * again.
         */
        @Nullable
        Instant nextDue(Instant now) {
            Instant due = earlier(jobDue, laneDue);
            return due == null || due.isAfter(now) ? due : now.plus(AGAIN);
        }
    }

    public ClaimedJobs claim(Connection connection, ClaimRequest request, Instant now) throws SQLException {
        Map<QueueName, Integer> ids = queues.existing(connection, request.wants().stream().map(Demand::queue).toList());
        Map<Integer, Look> looks = look(connection, request.node(), ids.values());
        if (promote(connection, looks, now)) {
            looks = look(connection, request.node(), ids.values());
        }
        List<ClaimedJob> jobs = new ArrayList<>();
        Budget budget = request.budget();
        Set<QueueName> paused = new HashSet<>();
        Instant nextDue = null;
        for (Demand demand : request.wants()) {
            Integer id = ids.get(demand.queue());
            Look look = id == null ? null : looks.get(id);
            if (id != null && look != null) {
                if (look.paused) {
                    paused.add(demand.queue());
                    continue;
                }
                nextDue = earlier(nextDue, look.nextDue(now));
                if (look.node != null && budget.left() > 0) {
                    jobs.addAll(from(connection, new Source(look.node, id, demand, budget), look, now));
                }
            }
        }
        return new ClaimedJobs(jobs, nextDue, paused);
    }

    /** A queue to claim from, for a node, up to a demand and a budget of bytes. */
    record Source(int node, int queue, Demand demand, Budget budget) {}

    private List<ClaimedJob> from(Connection connection, Source source, Look look, Instant now) throws SQLException {
        if (source.demand.queue().isFifo()) {
            return look.lanes ? grouped.take(connection, source, now) : List.of();
        }
        return standard.take(connection, source, look.waiting, now);
    }

    /**
     * Locks the row of the claiming node, so that it is not declared dead before the commit; its beats go on.
     *
     * <p>Subqueries and no EXISTS, which on tables without statistics is planned as a hash of all waiting jobs.
     */
    private Map<Integer, Look> look(Connection connection, NodeId node, Collection<Integer> queues)
            throws SQLException {
        Map<Integer, Look> looks = new HashMap<>();
        if (!queues.isEmpty()) {
            new Sql(connection, """
                    WITH asking AS MATERIALIZED (SELECT id FROM node WHERE name = ? AND NOT dead FOR KEY SHARE)
                    SELECT queue.id, queue.paused,
                      (SELECT true FROM lane WHERE lane.queue = queue.id AND lane.state = 0
                        AND lane.turn >= wanted.turn LIMIT 1),
                      (SELECT ready_at FROM job WHERE job.queue = queue.id AND job.state = 1 AND job.grp IS NULL
                        ORDER BY ready_at LIMIT 1),
                      (SELECT ready_at FROM lane WHERE lane.queue = queue.id AND lane.state = 3
                        ORDER BY ready_at LIMIT 1),
                      (SELECT true FROM job WHERE job.queue = queue.id AND job.priority = 1 AND job.state = 0
                        AND job.grp IS NULL AND job.seq + 0 >= wanted.first LIMIT 1),
                      (SELECT true FROM job WHERE job.queue = queue.id AND job.priority = 2 AND job.state = 0
                        AND job.grp IS NULL AND job.seq + 0 >= wanted.second LIMIT 1),
                      (SELECT true FROM job WHERE job.queue = queue.id AND job.priority = 3 AND job.state = 0
                        AND job.grp IS NULL AND job.seq + 0 >= wanted.third LIMIT 1),
                      (SELECT true FROM job WHERE job.queue = queue.id AND job.priority = 4 AND job.state = 0
                        AND job.grp IS NULL AND job.seq + 0 >= wanted.fourth LIMIT 1),
                      (SELECT id FROM asking)
                    FROM unnest(?, ?, ?, ?, ?, ?) AS wanted(id, turn, first, second, third, fourth)
                      CROSS JOIN LATERAL (SELECT id, paused FROM queue WHERE queue.id = wanted.id LIMIT 1) AS queue""")
                    .with(node.value()).ints(queues)
                    .longs(queues.stream().map(id -> cursors.lanes(id).from()).toList())
                    .longs(from(queues, Priority.URGENT)).longs(from(queues, Priority.HIGH))
                    .longs(from(queues, Priority.NORMAL)).longs(from(queues, Priority.LOW))
                    .list(row -> looks.put(row.getInt(1), look(row)));
        }
        return looks;
    }

    private List<Long> from(Collection<Integer> queues, Priority priority) {
        return queues.stream().map(id -> cursors.jobs(id, priority).from()).toList();
    }

    private static Look look(ResultSet row) throws SQLException {
        int before = 5;
        Set<Priority> waiting = EnumSet.noneOf(Priority.class);
        for (Priority priority : Priority.values()) {
            if (row.getBoolean(before + priority.number())) {
                waiting.add(priority);
            }
        }
        int node = row.getInt(10);
        return new Look(row.wasNull() ? null : node, row.getBoolean(2), waiting, row.getBoolean(3),
                ColumnCodecs.moment(row, 4), ColumnCodecs.moment(row, 5));
    }

    /**
     * Makes due jobs of standard queues waiting, and due groups ready; returns whether any were due. Heads keep their
     * state.
     */
    private boolean promote(Connection connection, Map<Integer, Look> looks, Instant now) throws SQLException {
        boolean any = false;
        for (Map.Entry<Integer, Look> each : looks.entrySet()) {
            if (isDue(each.getValue().jobDue, now)) {
                any = true;
                List<Long> promoted = promote(connection, """
                        WITH due AS MATERIALIZED (
                          SELECT seq, queue FROM job WHERE queue = ? AND state = 1 AND grp IS NULL AND ready_at <= ?
                          ORDER BY ready_at, seq LIMIT %d FOR UPDATE SKIP LOCKED),
                        counted AS (
                          INSERT INTO tally SELECT queue, change.state, sum(change.jobs)
                          FROM due CROSS JOIN (VALUES(1, -1), (0, 1)) AS change(state, jobs) GROUP BY 1, 2)
                        UPDATE job SET state = 0, ready_at = 0 FROM due WHERE job.seq = due.seq
                        RETURNING job.seq""", each.getKey(), now);
                promoted.stream().min(Long::compare).ifPresent(first -> cursors.gaveBack(each.getKey(), first));
            }
            if (isDue(each.getValue().laneDue, now)) {
                any = true;
                var _ = promote(connection, """
                        WITH due AS MATERIALIZED (
                          SELECT queue, name FROM lane WHERE queue = ? AND state = 3 AND ready_at <= ?
                          ORDER BY ready_at LIMIT %d FOR UPDATE SKIP LOCKED)
                        UPDATE lane SET state = 0, ready_at = 0, turn = nextval('lane_turn')
                        FROM due WHERE lane.queue = due.queue AND lane.name = due.name RETURNING lane.turn""",
                        each.getKey(), now);
            }
        }
        return any;
    }

    private static List<Long> promote(Connection connection, String text, int queue, Instant now) throws SQLException {
        return new Sql(connection, text.formatted(PROMOTE)).with(queue).with(now.toEpochMilli())
                .list(row -> row.getLong(1));
    }

    private static boolean isDue(@Nullable Instant moment, Instant now) {
        return moment != null && !moment.isAfter(now);
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isBefore(one)) ? other : one;
    }

    /** The LIMIT in the text of a claim, a power of ten: few texts, each with a plan for about that many rows. */
    static int literal(int wanted) {
        int limit = 1;
        while (limit < wanted && limit < PROMOTE) {
            limit *= 10;
        }
        return limit;
    }
}
