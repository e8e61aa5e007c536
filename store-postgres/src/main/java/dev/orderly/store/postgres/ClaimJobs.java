package dev.orderly.store.postgres;

import dev.orderly.job.ClaimRequest;
import dev.orderly.job.ClaimRequest.Want;
import dev.orderly.job.ClaimedJob;
import dev.orderly.job.Claims;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Hands out jobs. One look says which of the asked queues have anything, and only those are claimed from. */
final class ClaimJobs {
    private static final int PROMOTE = 1_000;

    private final QueueTable queues;
    private final StandardClaim standard;
    private final GroupClaim grouped;

    ClaimJobs(PostgresStore.Ids ids, QueueTable queues) {
        this.queues = queues;
        standard = new StandardClaim(ids);
        grouped = new GroupClaim(ids);
    }

    /** What a queue has to give. */
    private record Look(boolean paused, Set<Priority> waiting, boolean lanes, @Nullable Instant jobDue,
            @Nullable Instant laneDue) {
        @Nullable
        Instant nextDue() {
            return earlier(jobDue, laneDue);
        }
    }

    Claims claim(Connection connection, ClaimRequest request, Instant now) throws SQLException {
        Integer node = new Sql(connection, "SELECT id FROM node WHERE name = ? AND NOT dead FOR SHARE")
                .with(request.node().value()).first(row -> row.getInt(1));
        Map<QueueName, Integer> ids = queues.existing(connection, request.wants().stream().map(Want::queue).toList());
        Map<Integer, Look> looks = look(connection, ids.values());
        if (promote(connection, looks, now)) {
            looks = look(connection, ids.values());
        }
        List<ClaimedJob> jobs = new ArrayList<>();
        Instant nextDue = null;
        for (Want want : request.wants()) {
            Integer id = ids.get(want.queue());
            Look look = id == null ? null : looks.get(id);
            if (id != null && look != null) {
                nextDue = earlier(nextDue, look.nextDue());
                if (node != null && !look.paused) {
                    jobs.addAll(from(connection, new Source(node, id, want), look, now));
                }
            }
        }
        return new Claims(jobs, nextDue);
    }

    /** Who claims how much of which queue. */
    record Source(int node, int queue, Want want) {}

    private List<ClaimedJob> from(Connection connection, Source source, Look look, Instant now) throws SQLException {
        if (source.want.queue().isFifo()) {
            return look.lanes ? grouped.take(connection, source, now) : List.of();
        }
        return standard.take(connection, source, look.waiting);
    }

    /** Not by EXISTS: on tables without statistics that is planned as a hash of all that waits. */
    private static Map<Integer, Look> look(Connection connection, Collection<Integer> queues) throws SQLException {
        Map<Integer, Look> looks = new HashMap<>();
        if (!queues.isEmpty()) {
            new Sql(connection, """
                    SELECT queue.id, queue.paused,
                      (SELECT true FROM lane WHERE lane.queue = queue.id AND lane.state = 0 LIMIT 1),
                      (SELECT ready_at FROM job WHERE job.queue = queue.id AND job.state = 1 AND job.grp IS NULL
                        ORDER BY ready_at LIMIT 1),
                      (SELECT ready_at FROM lane WHERE lane.queue = queue.id AND lane.state = 3
                        ORDER BY ready_at LIMIT 1),
                      (SELECT true FROM job WHERE job.queue = queue.id AND job.priority = 1 AND job.state = 0
                        AND job.grp IS NULL LIMIT 1),
                      (SELECT true FROM job WHERE job.queue = queue.id AND job.priority = 2 AND job.state = 0
                        AND job.grp IS NULL LIMIT 1),
                      (SELECT true FROM job WHERE job.queue = queue.id AND job.priority = 3 AND job.state = 0
                        AND job.grp IS NULL LIMIT 1),
                      (SELECT true FROM job WHERE job.queue = queue.id AND job.priority = 4 AND job.state = 0
                        AND job.grp IS NULL LIMIT 1)
                    FROM unnest(?) AS wanted(id) JOIN queue ON queue.id = wanted.id""").ints(queues)
                    .list(row -> looks.put(row.getInt(1), look(row)));
        }
        return looks;
    }

    private static Look look(ResultSet row) throws SQLException {
        int before = 5;
        Set<Priority> waiting = EnumSet.noneOf(Priority.class);
        for (Priority priority : Priority.values()) {
            if (row.getBoolean(before + priority.number())) {
                waiting.add(priority);
            }
        }
        return new Look(row.getBoolean(2), waiting, row.getBoolean(3), Columns.moment(row, 4), Columns.moment(row, 5));
    }

    /** Lets what has become due wait; whether there was any. The head of a group that is due stays as it is. */
    private static boolean promote(Connection connection, Map<Integer, Look> looks, Instant now) throws SQLException {
        boolean any = false;
        for (Map.Entry<Integer, Look> each : looks.entrySet()) {
            if (isDue(each.getValue().jobDue, now)) {
                any = true;
                promote(connection, """
                        WITH due AS MATERIALIZED (
                          SELECT seq FROM job WHERE queue = ? AND state = 1 AND grp IS NULL AND ready_at <= ?
                          ORDER BY ready_at, seq LIMIT %d FOR UPDATE SKIP LOCKED)
                        UPDATE job SET state = 0, ready_at = 0 FROM due WHERE job.seq = due.seq""", each.getKey(), now);
            }
            if (isDue(each.getValue().laneDue, now)) {
                any = true;
                promote(connection, """
                        WITH due AS MATERIALIZED (
                          SELECT queue, name FROM lane WHERE queue = ? AND state = 3 AND ready_at <= ?
                          ORDER BY ready_at LIMIT %d FOR UPDATE SKIP LOCKED)
                        UPDATE lane SET state = 0, ready_at = 0, turn = nextval('lane_turn')
                        FROM due WHERE lane.queue = due.queue AND lane.name = due.name""", each.getKey(), now);
            }
        }
        return any;
    }

    private static void promote(Connection connection, String text, int queue, Instant now) throws SQLException {
        new Sql(connection, text.formatted(PROMOTE)).with(queue).with(now.toEpochMilli()).update();
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
