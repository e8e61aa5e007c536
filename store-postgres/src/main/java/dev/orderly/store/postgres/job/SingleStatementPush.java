package dev.orderly.store.postgres.job;

import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.live.PostgresBus;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.JobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The push of jobs without group and key: one statement, which stores each of them, numbered in the order of the list.
 * A lone job has a statement without arrays, which costs half.
 */
final class SingleStatementPush {
    private static final String ONE = """
            WITH pushed AS (
              INSERT INTO job(seq, queue, ready_at, state, priority, owner, params, content_type, payload)
              VALUES(job_draw(1, ?), ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq),
            counted AS (INSERT INTO tally VALUES(?, ?, 1))
            SELECT seq FROM pushed""";
    private static final String SEVERAL = """
            WITH drawn AS MATERIALIZED (SELECT job_draw(?, ?) AS first),
            pushed AS (
              INSERT INTO job(seq, queue, ready_at, state, priority, owner, params, content_type, payload)
              SELECT drawn.first + fresh.place - 1, fresh.queue, fresh.ready_at, fresh.state, fresh.priority, fresh.owner,
                fresh.params, fresh.content_type, fresh.payload
              FROM drawn, unnest(?, ?, ?, ?, ?, ?, ?, ?) WITH ORDINALITY
                AS fresh(queue, ready_at, state, priority, owner, params, content_type, payload, place)),
            counted AS (INSERT INTO tally SELECT * FROM unnest(?, ?, ?))
            SELECT first FROM drawn""";

    private final JobIds ids;
    private final String one;
    private final String oneWithHint;
    private final String several;

    /** @param draw name of the function that draws numbers, in place of {@link PushJobs#DRAW} */
    SingleStatementPush(JobIds ids, String draw) {
        this.ids = ids;
        one = ONE.replace(PushJobs.DRAW, draw);
        oneWithHint = one.replace("SELECT seq FROM pushed", "SELECT seq, pg_notify(?, ?) FROM pushed");
        several = SEVERAL.replace(PushJobs.DRAW, draw);
    }

    static boolean suits(List<NewJob> jobs) {
        return jobs.stream().allMatch(job -> job.group() == null && job.dedupe() == null && job.idempotency() == null);
    }

    /** @param hint sent with a lone job that is due, if given */
    List<PushResult> write(Connection connection, Map<QueueName, Integer> queues, List<NewJob> jobs, Instant now,
            PostgresBus.@Nullable Hint hint) throws SQLException {
        long lowest = JobSequence.startOf(now);
        if (jobs.size() == 1) {
            NewJob job = jobs.getFirst();
            int queue = Objects.requireNonNull(queues.get(job.queue()));
            long readyAt = JobColumns.readyAt(job, now);
            int state = readyAt == 0 ? JobColumns.WAITING : JobColumns.DELAYED;
            Sql sql = new Sql(connection, hint == null ? one : oneWithHint).with(lowest).with(queue).with(readyAt)
                    .with(state).with(job.priority().number()).with(job.user())
                    .with(ColumnCodecs.params(job.params())).with(job.payload().contentType())
                    .with(job.payload().bytes()).with(queue).with(state);
            if (hint != null) {
                sql.with(hint.channel()).with(hint.text());
            }
            return List.of(accepted(sql.number()));
        }
        NewJobColumns columns = new NewJobColumns(queues, jobs, now);
        Sql sql = new Sql(connection, several).with(jobs.size()).with(lowest);
        long first = columns.addCounts(columns.addTo(sql, false)).number();
        return IntStream.range(0, jobs.size()).mapToObj(place -> accepted(first + place)).toList();
    }

    private PushResult accepted(long seq) {
        return new PushResult.Accepted(ids.of(seq));
    }
}
