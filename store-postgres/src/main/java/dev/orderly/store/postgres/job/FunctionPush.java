package dev.orderly.store.postgres.job;

import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.JobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The push of jobs of groups or with keys as one call of {@code job_push}, while none of them is a duplicate. */
final class FunctionPush {
    private final JobIds ids;

    FunctionPush(JobIds ids) {
        this.ids = ids;
    }

    /** Stores the jobs; stores nothing and returns empty if some may be duplicates. */
    Optional<List<PushResult>> write(Connection connection, Map<QueueName, Integer> queues, List<NewJob> jobs,
            Instant now) throws SQLException {
        FreshKeys keys = FreshKeys.of(jobs, now);
        if (keys == null) {
            return Optional.empty();
        }
        Sql sql = new Sql(connection, "SELECT job_push(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .with(JobSequence.startOf(now)).with(ColumnCodecs.millis(now)).with(LockPatience.BRIEF.millis());
        long first = keys.addTo(new NewJobColumns(queues, jobs, now).addTo(sql, true)).number();
        return first == 0
                ? Optional.empty()
                : Optional.of(IntStream.range(0, jobs.size())
                        .<PushResult>mapToObj(place -> new PushResult.Accepted(ids.of(first + place))).toList());
    }
}
