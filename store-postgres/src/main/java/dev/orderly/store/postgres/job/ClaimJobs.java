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

/** Hands out jobs. One look says which of the asked queues have anything, and only those are claimed from. */
public final class ClaimJobs {
    private static final int PROMOTE = 1_000;
    private static final Duration AGAIN = Duration.ofMillis(200);

    private final QueueTable queues;
    private final ScanCursors starts;
    private final StandardClaim standard;
    private final GroupClaim grouped;

    public ClaimJobs(JobIds ids, QueueTable queues, ScanCursors starts) {
        this.queues = queues;
        this.starts = starts;
        standard = new StandardClaim(ids, starts);
        grouped = new GroupClaim(ids, starts);
    }

    /**
     * What a queue has to give.
     *
     * @param node null if the one who asks does not live
     */
    private record Look(@Nullable Integer node, boolean paused, Set<Priority> waiting, boolean lanes,
            @Nullable Instant jobDue, @Nullable Instant laneDue) {
        /** What is due and was not let wait now, as another transaction holds it, is looked at again a moment later. */
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
        for (Demand want : request.wants()) {
            Integer id = ids.get(want.queue());
            Look look = id == null ? null : looks.get(id);
            if (id != null && look != null) {
                if (look.paused) {
                    paused.add(want.queue());
                    continue;
                }
                nextDue = earlier(nextDue, look.nextDue(now));
                if (look.node != null && budget.left() > 0) {
                    jobs.addAll(from(connection, new Source(look.node, id, want, budget), look, now));
                }
            }
        }
        return new ClaimedJobs(jobs, nextDue, paused);
    }

    /** Who claims how much of which queue. */
    record Source(int node, int queue, Demand want, Budget budget) {}

    private List<ClaimedJob> from(Connection connection, Source source, Look look, Instant now) throws SQLException {
        if (source.want.queue().isFifo()) {
            return look.lanes ? grouped.take(connection, source, now) : List.of();
        }
        return standard.take(connection, source, look.waiting, now);
    }

    /**
     * Locks the row of who asks, so that nobody declares it dead before the commit; its beats go on.
     *
     * <p>Not by EXISTS: on tables without statistics that is planned as a hash of all that waits.
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
                    .longs(queues.stream().map(id -> starts.lanes(id).from()).toList())
                    .longs(from(queues, Priority.URGENT)).longs(from(queues, Priority.HIGH))
                    .longs(from(queues, Priority.NORMAL)).longs(from(queues, Priority.LOW))
                    .list(row -> looks.put(row.getInt(1), look(row)));
        }
        return looks;
    }

    private List<Long> from(Collection<Integer> queues, Priority priority) {
        return queues.stream().map(id -> starts.jobs(id, priority).from()).toList();
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

    /** Lets what has become due wait; whether there was any. The head of a group that is due stays as it is. */
    private boolean promote(Connection connection, Map<Integer, Look> looks, Instant now) throws SQLException {
        boolean any = false;
        for (Map.Entry<Integer, Look> each : looks.entrySet()) {
            if (isDue(each.getValue().jobDue, now)) {
                any = true;
                List<Long> promoted = promote(connection, """
                        WITH due AS MATERIALIZED (
                          SELECT seq FROM job WHERE queue = ? AND state = 1 AND grp IS NULL AND ready_at <= ?
                          ORDER BY ready_at, seq LIMIT %d FOR UPDATE SKIP LOCKED)
                        UPDATE job SET state = 0, ready_at = 0 FROM due WHERE job.seq = due.seq
                        RETURNING job.seq""", each.getKey(), now);
                promoted.stream().min(Long::compare).ifPresent(first -> starts.gaveBack(each.getKey(), first));
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

    /** The LIMIT that stands in the text of a claim: few texts, each with a plan made for about that many rows. */
    static int literal(int wanted) {
        int limit = 1;
        while (limit < wanted && limit < PROMOTE) {
            limit *= 10;
        }
        return limit;
    }
}
