package dev.orderly.store.postgres.job;

import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The rests that throttled jobs of one transaction say: of their keys, or of the limits of their queues. The functions
 * of claims read them. No row but theirs is locked, so that a settlement waits for no claim.
 */
final class PostgresRests {
    private static final int NO_LIMIT = 0;

    private final Map<QueueName, Integer> limits;
    private final LongSupplier given;
    private final List<Said> all = new ArrayList<>();

    /** @param limit the number of the limit; {@link #NO_LIMIT} for the key of the job */
    private record Said(long seq, int limit, long millis, String job) {}

    private PostgresRests(Map<QueueName, Integer> limits, LongSupplier given) {
        this.limits = limits;
        this.given = given;
    }

    /**
     * No rests yet. Reads the limits of the queues of throttled jobs, if there are some.
     *
     * @param given the moment in place of the server's, in tests; -1 for the server's
     */
    static PostgresRests of(Connection connection, List<Settlement> settlements, LongSupplier given)
            throws SQLException {
        List<String> throttled = settlements.stream()
                .filter(each -> each.outcome() instanceof AttemptOutcome.Throttle)
                .map(each -> each.attempt().queue().value()).distinct().toList();
        Map<QueueName, Integer> limits = new HashMap<>();
        if (!throttled.isEmpty()) {
            new Sql(connection, "SELECT name, flow_limit FROM queue WHERE name = ANY(?) AND flow_limit IS NOT NULL")
                    .texts(throttled).each(row -> limits.put(new QueueName(row.getString(1)), row.getInt(2)));
        }
        return new PostgresRests(limits, given);
    }

    /** Notes what a job says; the outcome of the job itself. */
    AttemptOutcome said(PostgresLockedJobs.Row row, Settlement settlement) {
        if (!(settlement.outcome() instanceof AttemptOutcome.Throttle throttle) || row.cancelling()) {
            return settlement.outcome();
        }
        int limit = limits.getOrDefault(settlement.attempt().queue(), NO_LIMIT);
        return switch (throttle.resting(row.keyed(), row.lane() != null, limit != NO_LIMIT)) {
            case KEY -> noted(row, NO_LIMIT, throttle, settlement);
            case LIMIT -> noted(row, limit, throttle, settlement);
            case JOB -> throttle;
        };
    }

    private AttemptOutcome noted(PostgresLockedJobs.Row row, int limit, AttemptOutcome.Throttle throttle,
            Settlement settlement) {
        all.add(new Said(row.seq(), limit, throttle.rest().toMillis(), settlement.attempt().id().toString()));
        return throttle.atOnce();
    }

    /** Writes the rests, in one order for all transactions; of several of one key or limit that which ends last. */
    void write(Connection connection) throws SQLException {
        if (!all.isEmpty()) {
            new Sql(connection, """
                    INSERT INTO flow_rest(limit_id, queue, key, until, job, attempt)
                    SELECT DISTINCT ON (said.limit_id, said.queue, said.key) said.limit_id, said.queue, said.key,
                      present.moment + said.millis, said.job, said.attempt
                    FROM (SELECT moment_now(nullif(?, -1)) AS moment OFFSET 0) AS present CROSS JOIN (
                      SELECT each.limit_id, CASE WHEN each.limit_id = 0 THEN job.queue ELSE 0 END AS queue,
                        CASE WHEN each.limit_id = 0 THEN job.flow_key ELSE '' END AS key, each.millis, each.job,
                        job.attempt
                      FROM unnest(?, ?, ?, ?) AS each(seq, limit_id, millis, job)
                        JOIN job ON job.seq = ANY(ARRAY[each.seq])) AS said
                    ORDER BY said.limit_id, said.queue, said.key, said.millis DESC
                    ON CONFLICT (limit_id, queue, key) DO UPDATE
                      SET until = excluded.until, job = excluded.job, attempt = excluded.attempt
                      WHERE flow_rest.until < excluded.until""").with(given.getAsLong())
                    .longs(all.stream().map(Said::seq).toList()).ints(all.stream().map(Said::limit).toList())
                    .longs(all.stream().map(Said::millis).toList()).texts(all.stream().map(Said::job).toList())
                    .update();
        }
    }
}
