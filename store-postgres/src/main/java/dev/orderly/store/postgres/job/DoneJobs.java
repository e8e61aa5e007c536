package dev.orderly.store.postgres.job;

import dev.orderly.job.Payload;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.ColumnCodecs;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settlement of done jobs, the most frequent kind: one fenced statement moves those of standard queues, one function
 * those of groups.
 */
final class DoneJobs {
    /**
     * The deletion checks each row after it has got its lock, so a job that another node has got meanwhile stays. State
     * and node have {@code + 0} so that the planner finds rows by their number only.
     */
    private static final String MOVE = """
            WITH holder AS MATERIALIZED (SELECT id FROM node WHERE name = ? AND NOT dead),
            done AS MATERIALIZED (
              SELECT done.* FROM PATIENCE CROSS JOIN unnest(?, ?, ?, ?) AS done(seq, attempt, result_type, result)),
            gone AS (
              DELETE FROM job USING done
              WHERE job.seq = ANY(ARRAY[done.seq]) AND job.attempt = done.attempt AND job.state + 0 = RUNNING
                AND job.node + 0 = (SELECT id FROM holder)
              RETURNING job.seq, job.queue, job.attempt, job.failures, job.priority, job.owner, job.params,
                job.progress, job.failure, job.failure_detail, job.history, job.origin, job.ready_at, job.node,
                job.trace, job.batch, done.result_type, done.result),
            told AS (
              INSERT INTO batch_tally(batch, done) SELECT batch, count(*) FROM gone WHERE batch IS NOT NULL
                GROUP BY batch),
            counted AS (
              INSERT INTO tally SELECT queue, RUNNING, -count(*) FROM gone GROUP BY queue
                UNION ALL SELECT queue, ENDED, count(*) FROM gone WHERE ? GROUP BY queue),
            kept AS (
              INSERT INTO ended(seq, ended_at, queue, attempt, failures, state, priority, owner, params, result_type,
                result, progress, failure, failure_detail, history, origin, started_at, node, trace)
              SELECT seq, ?, queue, attempt, failures, DONE, priority, owner, params, result_type, result, progress,
                failure, failure_detail, history, origin, ready_at, node, trace FROM gone WHERE ?)
            SELECT seq FROM gone""".replace("PATIENCE", LockPatience.SET);

    private DoneJobs() {}

    /** Whether done jobs are kept, for views. */
    enum Keep {
        KEPT, FORGOTTEN
    }

    /**
     * Settles done jobs, and returns the accepted attempts.
     *
     * @param settlements of this database's queues, all done and by nodes, each job once, and either none or all of
     *     FIFO queues
     */
    static Set<AttemptId> write(Connection connection, List<Settlement> settlements, Instant now, LockPatience patience,
            Keep keep) throws SQLException {
        Set<AttemptId> taken = new HashSet<>();
        Map<String, List<Settlement>> byNode = new HashMap<>();
        for (Settlement settlement : settlements) {
            byNode.computeIfAbsent(Objects.requireNonNull(settlement.node()).value(), _ -> new ArrayList<>())
                    .add(settlement);
        }
        for (Map.Entry<String, List<Settlement>> each : byNode.entrySet()) {
            // By number, so that two calls lock in the same order.
            List<Settlement> sorted = each.getValue().stream()
                    .sorted(Comparator.comparingLong(one -> one.attempt().id().sequence())).toList();
            Map<Long, AttemptId> bySeq = new HashMap<>();
            sorted.forEach(one -> bySeq.put(one.attempt().id().sequence(), one.attempt()));
            List<Long> accepted = sorted.getFirst().attempt().queue().isFifo()
                    ? grouped(connection, each.getKey(), sorted, now, patience, keep)
                    : standard(connection, each.getKey(), sorted, now, patience, keep);
            accepted.forEach(seq -> taken.add(Objects.requireNonNull(bySeq.get(seq))));
        }
        return taken;
    }

    private static List<Long> standard(Connection connection, String node, List<Settlement> sorted, Instant now,
            LockPatience patience, Keep keep) throws SQLException {
        boolean kept = keep == Keep.KEPT;
        return columns(new Sql(connection, MOVE).with(node).with(patience.millis()), sorted).with(kept)
                .with(ColumnCodecs.millis(now)).with(kept).list(row -> row.getLong(1));
    }

    private static List<Long> grouped(Connection connection, String node, List<Settlement> sorted, Instant now,
            LockPatience patience, Keep keep) throws SQLException {
        return columns(
                new Sql(connection, "SELECT unnest(job_settle_grouped(?, ?, ?, ?, ?, ?, ?, ?))").with(node)
                        .with(ColumnCodecs.millis(now)).with(patience.millis()).with(keep == Keep.KEPT),
                sorted)
                .list(row -> row.getLong(1));
    }

    /** Adds number, attempt, type of the result and result. */
    private static Sql columns(Sql sql, List<Settlement> settlements) {
        List<@Nullable String> types = new ArrayList<>();
        List<byte @Nullable []> results = new ArrayList<>();
        for (Settlement settlement : settlements) {
            Payload result = settlement.outcome() instanceof AttemptOutcome.Done done ? done.result() : null;
            types.add(result == null ? null : result.contentType());
            results.add(result == null ? null : result.bytes());
        }
        return sql.longs(settlements.stream().map(each -> each.attempt().id().sequence()).toList())
                .ints(settlements.stream().map(each -> each.attempt().number()).toList()).texts(types).bytes(results);
    }
}
