package dev.orderly.store.postgres;

import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.postgres.job.PushJobs;
import dev.orderly.store.postgres.job.SettleJobs;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Pushes and completions of jobs inside the caller's own transaction: they take effect if, and only if, the caller
 * commits.
 *
 * {@snippet :
 * connection.setAutoCommit(false);
 * insertOrder(connection, order);
 * postgres.in(connection, orderly.jobs()).push(emails, new Email(order));
 * connection.commit();
 * }
 *
 * <p>The connection leads to the database that holds Orderly's schema, as a user with write access to it. This class
 * neither commits nor rolls it back nor closes it. Workers get no notification of the job and find it within about two
 * seconds of the commit. On a FIFO queue the transaction holds the group until it ends: no other push into the group is
 * stored (it waits at most five seconds), and none of its jobs starts or ends; other groups are not affected. So keep
 * such a transaction short: the server ends it, and closes the connection, when it was idle for {@link
 * PostgresOptions#callerHold}, and from PostgreSQL 17 on also when it holds a group for that long. Not thread-safe, as
 * the connection is not.
 */
public final class CallersTransaction {
    private static final Set<String> SETTLES_IN = Set.of("read committed", "read uncommitted");
    /**
     * Reads the caller's settings, and sets Orderly's for the rest of the transaction; a shorter limit of the caller
     * stays. {@code transaction_timeout} exists from PostgreSQL 17 on and counts from this statement on.
     */
    private static final String PREPARE = """
            SELECT old.isolation, old.path, old.lock_wait, set_config('search_path', ?, true),
              CASE WHEN old.idle = '0' OR old.idle::interval > ?::interval
                THEN set_config('idle_in_transaction_session_timeout', ?, true) END,
              CASE WHEN old.whole = '0' OR old.whole::interval > ?::interval
                THEN CASE WHEN ? THEN set_config('transaction_timeout', ?, true) END END
            FROM (SELECT current_setting('transaction_isolation') AS isolation, current_setting('search_path') AS path,
              current_setting('lock_timeout') AS lock_wait,
              current_setting('idle_in_transaction_session_timeout') AS idle,
              current_setting('transaction_timeout', true) AS whole OFFSET 0) AS old""";

    private final Connection connection;
    private final PostgresOptions options;
    private final JobClient client;
    private final Transactions transactions;
    private final PushJobs push;
    private final SettleJobs settle;

    CallersTransaction(Connection connection, JobClient client, PostgresOptions options, Transactions transactions,
            PushJobs push, SettleJobs settle) {
        this.connection = connection;
        this.client = client;
        this.options = options;
        this.transactions = transactions;
        this.push = push;
        this.settle = settle;
    }

    private record Session(String isolation, String path, String lockTimeout) {}

    /** Another node has the job by now. Do not catch it: the transaction has to be rolled back. */
    public static final class LeaseLost extends RuntimeException {
        private static final long serialVersionUID = 1;

        LeaseLost(String message) {
            super(message);
        }
    }

    /**
     * Stores a job with the queue's defaults, once the caller commits. As {@link #push(PushRequest)}.
     *
     * @throws SQLException if the database failed: roll back
     */
    public <T> JobId push(JobQueue<T> queue, T payload) throws SQLException {
        return push(client.request(queue, payload)).id();
    }

    /**
     * Stores a job, once the caller commits; {@link JobClient#request} makes the request.
     *
     * @throws dev.orderly.job.PushRefused if a rule of the queue is broken; nothing was done
     * @throws IllegalStateException if the connection commits each statement by itself
     * @throws SQLException if the database failed, or another push used the same key or held the group (SQLSTATE 40001
     *     and 55P03): roll back, which removes the job too, and try the whole transaction again
     */
    public PushResult push(PushRequest request) throws SQLException {
        checkTransaction("push");
        NewJob job = client.check(request);
        List<NewJob> jobs = List.of(job);
        var queues = transactions.run(own -> push.queues(own, jobs));
        Instant now = client.now();
        Session before = prepare(job.group() != null);
        PushResult result = push.write(connection, queues, jobs, now).getFirst();
        restore(before);
        return result;
    }

    /**
     * Completes a job, once the caller commits, with the result its handler has set so far. The handler's changes on
     * this connection then take effect exactly once, whatever fails afterwards.
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
     * <p>Commit and return. If the handler throws after the commit, the job is done all the same. If it returns without
     * a commit, the job is done and the handler's changes are lost. On a FIFO queue the group waits until the
     * transaction ends.
     *
     * @throws LeaseLost if the job was given to another node meanwhile: roll back, the other node does the work
     * @throws IllegalStateException if the connection commits each statement by itself, or its transaction is
     *     REPEATABLE READ or SERIALIZABLE: it does not see jobs pushed behind this one meanwhile, which would never run
     * @throws SQLException if the database failed: roll back and throw, so that the job is tried again
     */
    public void complete(Job job) throws SQLException {
        checkTransaction("complete a job");
        Settlement settlement = client.settlement(job);
        Session before = prepare(settlement.attempt().queue().isFifo());
        if (!SETTLES_IN.contains(before.isolation)) {
            restore(before);
            throw new IllegalStateException("This transaction is " + before.isolation.toUpperCase(Locale.ROOT)
                    + ", which does not see jobs that are pushed meanwhile: complete a job in a READ COMMITTED one, as"
                    + " setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED) makes it");
        }
        SettleResult result = settle.settle(connection, List.of(settlement), client.now(), LockPatience.FULL)
                .getFirst();
        restore(before);
        if (result == SettleResult.LEASE_LOST) {
            throw new LeaseLost("Attempt " + job.attempt() + " of job " + job.id() + " is not the newest any more: roll"
                    + " this transaction back, the job was given to another node");
        }
    }

    private void checkTransaction(String to) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("This connection commits each statement by itself: call"
                    + " setAutoCommit(false) before you " + to + " in it");
        }
    }

    /** Sets the schema and the lock timeout of the statements that follow, and bounds the life of the transaction. */
    private Session prepare(boolean holdsGroup) throws SQLException {
        String hold = options.callerHold().toMillis() + "ms";
        return new Sql(connection, PREPARE).with(options.schema() + ", pg_temp").with(hold).with(hold).with(hold)
                .with(holdsGroup).with(hold)
                .list(row -> new Session(row.getString(1), row.getString(2), row.getString(3))).getFirst();
    }

    private void restore(Session before) throws SQLException {
        new Sql(connection, "SELECT set_config('search_path', ?, true), set_config('lock_timeout', ?, true)")
                .with(before.path).with(before.lockTimeout).list(_ -> true);
    }
}
