package dev.orderly.store.postgres.job;

import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.job.SingleStatementPush.HandOffs;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.SqlErrors;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.DatabaseJobIds;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The push of jobs of groups or with keys as one call of {@code job_push}, while none of them is a duplicate. A job of
 * a group is handed off if the push makes its group.
 */
final class FunctionPush {
    private final DatabaseJobIds ids;
    private final HandOffs handOffs;

    FunctionPush(DatabaseJobIds ids, HandOffs handOffs) {
        this.ids = ids;
        this.handOffs = handOffs;
    }

    /** Stores the jobs; stores nothing and returns empty if some may be duplicates. */
    Optional<List<PushResult>> write(Connection connection, Map<QueueName, Integer> queues,
            PostgresPushes.PushCall call)
            throws SQLException {
        List<NewJob> jobs = call.jobs;
        Instant now = call.now;
        NewDedupeKeys keys = NewDedupeKeys.of(jobs, now);
        if (keys == null) {
            return Optional.empty();
        }
        Sql sql = new Sql(connection,
                "SELECT job_push(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .with(JobSequence.startOf(now)).with(ColumnCodecs.millis(now)).with(LockPatience.BRIEF.millis());
        Set<Map.Entry<QueueName, String>> groups = new HashSet<>();
        List<Boolean> inTurn = HandOffs.concern(jobs)
                ? HandOffs.inTurn(jobs, job -> groups.add(Map.entry(job.queue(), Objects.requireNonNull(job.group()))),
                        now)
                : List.of();
        keys.addTo(new NewJobColumns(queues, call.rows).addTo(sql, true));
        List<Long> numbers = numbers(handOffs.addClaimers(sql, queues, jobs, inTurn));
        if (numbers.isEmpty()) {
            return Optional.empty();
        }
        long first = numbers.getFirst();
        Set<Long> handedOff = new HashSet<>(numbers.subList(1, numbers.size()));
        return Optional.of(LongStream.range(first, first + jobs.size())
                .<PushResult>mapToObj(seq -> new PushResult.Accepted(ids.of(seq), handedOff.contains(seq))).toList());
    }

    private static List<Long> numbers(Sql push) throws SQLException {
        try {
            return push.list(row -> {
                Array numbers = row.getArray(1);
                return numbers == null ? List.<Long>of() : List.of((Long[]) numbers.getArray());
            }).getFirst();
        } catch (SQLException error) {
            if (SqlErrors.isDuplicateKey(error)) {
                throw new Transactions.OvertakenException("Another push used one of these keys");
            }
            throw error;
        }
    }
}
