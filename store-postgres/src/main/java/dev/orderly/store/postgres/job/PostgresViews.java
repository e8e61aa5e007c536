package dev.orderly.store.postgres.job;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.AttemptColumn;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.EventRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The views port. Takes no locks; a call sees all changes that were committed before it. */
public final class PostgresViews implements JobViews {
    private final Transactions transactions;
    private final DatabaseJobIds ids;
    private final ViewRows rows;
    private final PostgresJobs jobs;

    public PostgresViews(Transactions transactions, DatabaseJobIds ids, PostgresJobs jobs) {
        this.transactions = transactions;
        this.ids = ids;
        this.jobs = jobs;
        rows = new ViewRows(ids);
    }

    @Override
    public Optional<JobView> find(JobId id) {
        return ids.isOwn(id)
                ? transactions.run(connection -> Optional.ofNullable(rows.find(connection, id.sequence())))
                : Optional.empty();
    }

    @Override
    public List<JobView> list(QueueName queue, JobState state, @Nullable JobId after, int limit) {
        return transactions.onSnapshot(connection -> rows.list(connection, queue, state, after, limit));
    }

    @Override
    public List<JobAttempt> attempts(JobId id) {
        return ids.isOwn(id)
                ? transactions.run(connection -> AttemptColumn.read(new Sql(connection, """
                        SELECT history FROM job WHERE seq = ? UNION ALL SELECT history FROM ended WHERE seq = ?
                        LIMIT 1""").with(id.sequence()).with(id.sequence()).list(row -> Optional
                        .ofNullable(row.getString(1))).stream().findFirst().flatMap(each -> each).orElse(null),
                        UnaryOperator.identity()))
                : List.of();
    }

    @Override
    public List<JobStep> steps(JobId id) {
        return ids.isOwn(id)
                ? transactions.runAlone(connection -> PostgresSteps.of(connection, id.sequence()))
                : List.of();
    }

    @Override
    public List<JobEvent> events(JobId id) {
        return ids.isOwn(id)
                ? transactions.runAlone(
                        connection -> EventRows.of(connection, id.sequence(), UnaryOperator.identity()))
                : List.of();
    }

    @Override
    public int ahead(JobId id, int limit) {
        return ids.isOwn(id) ? transactions.run(connection -> ahead(connection, id.sequence(), limit)) : 0;
    }

    private static int ahead(Connection connection, long seq, int limit) throws SQLException {
        List<Integer> found = new Sql(connection,
                """
                        SELECT CASE WHEN own.grp IS NOT NULL THEN (SELECT count(*) FROM (SELECT 1 FROM job
                            WHERE job.queue = own.queue AND job.grp = own.grp AND job.state <= RUNNING AND job.seq + 0 < own.seq
                            LIMIT ?) AS before)
                          WHEN own.flow_key IS NOT NULL THEN (SELECT count(*) FROM (SELECT 1 FROM job
                            WHERE job.queue = own.queue AND job.flow_key = own.flow_key AND job.flow_key IS NOT NULL
                              AND job.state = WAITING AND (job.priority, job.seq + 0) < (own.priority, own.seq) LIMIT ?) AS before)
                          ELSE (SELECT count(*) FROM (SELECT 1 FROM generate_series(1, own.priority) AS class(number)
                            CROSS JOIN LATERAL (SELECT 1 FROM job WHERE job.queue = own.queue AND job.state = WAITING
                              AND job.grp IS NULL AND job.priority = class.number
                              AND job.seq + 0 < CASE WHEN class.number = own.priority THEN own.seq ELSE 9223372036854775807 END
                              ORDER BY job.seq + 0 LIMIT ?) AS before LIMIT ?) AS counted) END
                        FROM job AS own WHERE own.seq = ? AND own.state = WAITING""")
                .with(limit).with(limit).with(limit)
                .with(limit)
                .with(seq)
                .list(row -> row.getInt(1));
        return found.isEmpty() ? 0 : found.getFirst();
    }

    @Override
    public Optional<JobId> blocker(JobId id) {
        return ids.isOwn(id)
                ? transactions.run(connection -> blocker(connection, id.sequence())).map(ids::of)
                : Optional.empty();
    }

    private static Optional<Long> blocker(Connection connection, long seq) throws SQLException {
        return new Sql(connection, """
                SELECT first.seq FROM job AS own CROSS JOIN LATERAL (
                  (SELECT dead.seq, 0 AS rank FROM job AS dead
                    WHERE dead.queue = own.queue AND dead.grp = own.grp AND dead.state - HALTING = 0 LIMIT 1)
                  UNION ALL
                  (SELECT job.seq, 1 FROM job WHERE job.queue = own.queue AND job.grp = own.grp AND job.state <= RUNNING
                    AND job.grp IS NOT NULL AND job.seq + 0 < own.seq ORDER BY job.seq + 0 LIMIT 1)) AS first
                WHERE own.seq = ? AND own.state = WAITING ORDER BY first.rank LIMIT 1""").with(seq)
                .list(row -> row.getLong(1)).stream().findFirst();
    }

    @Override
    public Optional<String> holder(JobId id) {
        return ids.isOwn(id)
                ? transactions.run(connection -> LockHolders.ofJob(connection, id.sequence())).map(Object::toString)
                : Optional.empty();
    }

    @Override
    public Optional<String> batchHolder(long batch) {
        return transactions.run(connection -> LockHolders.ofBatch(connection, batch)).map(Object::toString);
    }

    @Override
    public Set<NodeId> workers(QueueName queue) {
        return transactions.run(connection -> new HashSet<>(new Sql(connection,
                "SELECT name FROM node WHERE NOT dead AND coalesce(? = ANY(queues), true)").with(queue.value())
                .list(row -> new NodeId(row.getString(1)))));
    }

    @Override
    public List<LimitView> limits() {
        return jobs.limits();
    }

    @Override
    public List<KeyCounts> keyCounts() {
        return jobs.keyCounts();
    }

    @Override
    public List<KeyView> keys(QueueName queue, @Nullable String key, int limit) {
        return jobs.keys(queue, key, limit);
    }

    @Override
    public Map<String, Integer> pending(QueueName queue, Set<String> keys, int limit) {
        Map<String, Integer> pending = new HashMap<>();
        String column = queue.isFifo() ? "grp" : "flow_key";
        transactions.run(connection -> new Sql(connection, """
                SELECT asked.key, (SELECT count(*) FROM (
                  (SELECT 1 FROM job WHERE job.queue = asked.queue AND job.%1$s = asked.key
                    AND job.%1$s IS NOT NULL AND job.state = WAITING LIMIT ?)
                  UNION ALL
                  (SELECT 1 FROM job WHERE job.queue = asked.queue AND job.%1$s = asked.key
                    AND job.%1$s IS NOT NULL AND job.state = DELAYED LIMIT ?)) AS counted)
                FROM (SELECT queue.id AS queue, each.key COLLATE "C" AS key FROM queue CROSS JOIN unnest(?) AS each(key)
                  WHERE queue.name = ?) AS asked""".formatted(column)).with(limit).with(limit).texts(keys)
                .with(queue.value())
                .list(row -> row.getInt(2) == 0
                        ? 0
                        : pending.merge(row.getString(1), Math.min(limit, row.getInt(2)), Integer::max)));
        return pending;
    }

    @Override
    public List<QueueView> queues() {
        return jobs.views();
    }
}
