package dev.orderly.store.postgres;

import dev.orderly.job.Job;
import dev.orderly.job.JobEngine;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.NewJob;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.SettleResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pushes, and ends of jobs, that are part of the caller's own transaction: they count if, and only if, the caller commits.
 *
 * {@snippet :
 * connection.setAutoCommit(false);
 * insertOrder(connection, order);
 * postgres.in(connection, orderly.jobs()).push(emails, new Email(order));
 * connection.commit();
 * }
 *
 * <p>The connection leads to the database that holds Orderly's schema, as a user who may write there. It is not
 * committed, rolled back or closed here. Workers find the job within about two seconds of the commit; nobody is told of it
 * at once. Into a FIFO queue: until the caller's transaction ends nothing else is pushed into the group, and none of its
 * jobs starts or ends; whoever tries waits, at most five seconds, so keep such a transaction short. Not thread-safe, as
 * the connection is not.
 */
public final class CallersTransaction {
    private final Connection connection;
    private final PostgresOptions options;
    private final JobEngine engine;
    private final Transactions transactions;
    private final PushJobs push;
    private final SettleJobs settle;

    CallersTransaction(Connection connection, JobEngine engine, PostgresOptions options, Transactions transactions,
            PushJobs push, SettleJobs settle) {
        this.connection = connection;
        this.engine = engine;
        this.options = options;
        this.transactions = transactions;
        this.push = push;
        this.settle = settle;
    }

    /** The job is another node's by now. Let it end the transaction, which has to be rolled back. */
    public static final class LeaseLost extends RuntimeException {
        private static final long serialVersionUID = 1;

        LeaseLost(String message) {
            super(message);
        }
    }

    /**
     * Stores a job with the queue's defaults. As {@link #push(PushRequest)}.
     *
     * @throws SQLException if the database failed: roll back
     */
    public <T> JobId push(JobQueue<T> queue, T payload) throws SQLException {
        return push(engine.request(queue, payload)).id();
    }

    /**
     * Stores a job, once the caller commits; {@link JobEngine#request} makes the request.
     *
     * @throws dev.orderly.job.PushRefused if a rule of the queue is broken; nothing was done
     * @throws IllegalStateException if the connection commits by itself
     * @throws SQLException if the database failed, or another push used the same key or held the group (SQLSTATE 40001
     *     and 55P03): roll back; what was pushed is gone with the rest, and the whole transaction may be tried again
     */
    public PushResult push(PushRequest request) throws SQLException {
        checkTransaction("push");
        NewJob job = engine.check(request);
        List<NewJob> jobs = List.of(job);
        var queues = transactions.run(own -> push.queues(own, jobs));
        Instant now = engine.now();
        Map<String, String> before = prepare();
        PushResult result = push.write(connection, queues, jobs, now).getFirst();
        settings(before);
        return result;
    }

    /**
     * Ends a job, once the caller commits, as if its handler returned now: with the result it has set. What the handler did
     * on this connection then took effect exactly once, whatever fails afterwards.
     *
     * {@snippet :
     * orderly.handle(payments, (payment, job) -> {
     *     try (Connection connection = database.getConnection()) {
     *         connection.setAutoCommit(false);
     *         book(connection, payment);
     *         postgres.in(connection, orderly.jobs()).complete(job);
     *         connection.commit();
     *     }
     * });
     * }
     *
     * <p>Commit and return. If the handler throws after the commit the job is done all the same; if it returns without a
     * commit the job is done without what was to be committed. On a FIFO queue the group waits until the transaction ends.
     *
     * @throws LeaseLost if the job was given to another node meanwhile: roll back, that one does the work
     * @throws IllegalStateException if the connection commits by itself
     * @throws SQLException if the database failed: roll back and throw, the job is tried again
     */
    public void complete(Job job) throws SQLException {
        checkTransaction("complete a job");
        Map<String, String> before = prepare();
        SettleResult result = settle.settle(connection, List.of(job.ending()), engine.now()).getFirst();
        settings(before);
        if (result == SettleResult.LEASE_LOST) {
            throw new LeaseLost("Attempt " + job.attempt() + " of job " + job.id() + " is not the newest any more: roll"
                    + " this transaction back, the job was given to another");
        }
    }

    private void checkTransaction(String to) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("This connection commits each statement by itself: call"
                    + " setAutoCommit(false) before you " + to + " in it");
        }
    }

    /** Lets our statements find our tables, and not wait for ever. */
    private Map<String, String> prepare() throws SQLException {
        return settings(Map.of("search_path", options.schema() + ", pg_temp", "lock_timeout",
                String.valueOf(PostgresOptions.LOCK.toMillis())));
    }

    /** Sets these for the rest of the transaction, which a rollback undoes too; returns how they were. */
    private Map<String, String> settings(Map<String, String> wanted) throws SQLException {
        List<String> names = List.copyOf(wanted.keySet());
        List<String> values = names.stream().map(wanted::get).toList();
        Map<String, String> before = new HashMap<>();
        new Sql(connection,
                """
                        SELECT old.name, old.value, set_config(old.name, old.wanted, true) FROM (
                          SELECT name, current_setting(name) AS value, wanted FROM unnest(?, ?) AS t(name, wanted) OFFSET 0) AS old""")
                .texts(names).texts(values).list(row -> before.put(row.getString(1), row.getString(2)));
        return before;
    }
}
