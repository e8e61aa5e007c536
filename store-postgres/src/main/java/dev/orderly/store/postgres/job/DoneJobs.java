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

/** Settlement of done jobs of standard queues, the most frequent kind. One fenced statement moves them. */
final class DoneJobs {
    /**
     * The deletion checks each row after it has got its lock, so a job that another node has got meanwhile stays. State
     * and node have {@code + 0} so that the planner finds rows by their number only.
     */
    private static final String MOVE = """
            WITH holder AS MATERIALIZED (SELECT id FROM node WHERE name = ? AND NOT dead),
            done AS MATERIALIZED (
              SELECT done.* FROM\s""" + LockPatience.SET
            + """
                       CROSS JOIN unnest(?, ?, ?, ?) AS done(seq, attempt, result_type, result)),
                    gone AS (
                      DELETE FROM job USING done
                      WHERE job.seq = done.seq AND job.attempt = done.attempt AND job.state + 0 = 2
                        AND job.node + 0 = (SELECT id FROM holder)
                      RETURNING job.seq, job.queue, job.attempt, job.failures, job.priority, job.owner, job.params,
                        job.progress, job.failure, job.failure_detail, done.result_type, done.result),
                    counted AS (
                      INSERT INTO tally SELECT queue, 2, -count(*) FROM gone GROUP BY queue
                        UNION ALL SELECT queue, 5, count(*) FROM gone GROUP BY queue)
                    INSERT INTO ended(seq, ended_at, queue, attempt, failures, state, priority, owner, params, result_type, result,
                      progress, failure, failure_detail)
                    SELECT seq, ?, queue, attempt, failures, 0, priority, owner, params, result_type, result, progress, failure,
                      failure_detail FROM gone RETURNING seq""";

    private DoneJobs() {}

    /**
     * Settles done jobs, and returns the accepted attempts.
     *
     * @param settlements of this database's standard queues, all done, each job once
     */
    static Set<AttemptId> write(Connection connection, List<Settlement> settlements, Instant now, LockPatience patience)
            throws SQLException {
        Set<AttemptId> taken = new HashSet<>();
        Map<String, List<Settlement>> byNode = new HashMap<>();
        for (Settlement settlement : settlements) {
            byNode.computeIfAbsent(settlement.node().value(), _ -> new ArrayList<>()).add(settlement);
        }
        for (Map.Entry<String, List<Settlement>> each : byNode.entrySet()) {
            taken.addAll(write(connection, each.getKey(), each.getValue(), now, patience));
        }
        return taken;
    }

    private static Set<AttemptId> write(Connection connection, String node, List<Settlement> settlements, Instant now,
            LockPatience patience) throws SQLException {
        Map<Long, AttemptId> bySeq = new HashMap<>();
        List<Long> seqs = new ArrayList<>();
        List<Integer> attempts = new ArrayList<>();
        List<@Nullable String> types = new ArrayList<>();
        List<byte @Nullable []> results = new ArrayList<>();
        // By number, so that two calls lock in the same order.
        for (Settlement settlement : settlements.stream()
                .sorted(Comparator.comparingLong((Settlement each) -> each.attempt().id().sequence())).toList()) {
            Payload result = ((AttemptOutcome.Done) settlement.outcome()).result();
            bySeq.put(settlement.attempt().id().sequence(), settlement.attempt());
            seqs.add(settlement.attempt().id().sequence());
            attempts.add(settlement.attempt().number());
            types.add(result == null ? null : result.contentType());
            results.add(result == null ? null : result.bytes());
        }
        return new HashSet<>(new Sql(connection, MOVE).with(node).with(patience.millis()).longs(seqs).ints(attempts)
                .texts(types).bytes(results)
                .with(ColumnCodecs.millis(now)).list(row -> Objects.requireNonNull(bySeq.get(row.getLong(1)))));
    }
}
