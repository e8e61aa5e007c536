package dev.orderly.store.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.job.StepWork;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.SessionStart;
import dev.orderly.store.postgres.sql.SqlErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions of steps, over connections of a data source of the application, or else of a pool of their own: handlers
 * that hold all of them keep no call of the store waiting. Thread-safe.
 */
final class StepTransactions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StepTransactions.class);
    private static final int CONNECTIONS = 32;
    /**
     * Begins a transaction that knows whether it is still the same at its end; a shorter limit of the session stays.
     */
    private static final String BEGIN = """
            SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
            SELECT set_config('orderly.step', 'open', true), CASE WHEN old.idle = '0' OR old.idle::interval > 'HOLD'
              THEN set_config('idle_in_transaction_session_timeout', 'HOLD', true) END
            FROM (SELECT current_setting('idle_in_transaction_session_timeout') AS idle OFFSET 0) AS old""";

    private final PostgresOptions options;
    private final @Nullable DataSource callers;
    private final SqlErrors errors;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable HikariDataSource pool;
    private boolean closed;

    /** @param callers not closed with this; null for a pool, which opens with the first step */
    StepTransactions(PostgresOptions options, @Nullable DataSource callers) {
        this.options = options;
        this.callers = callers;
        this.errors = new SqlErrors(options.toString());
    }

    /**
     * A connection of a step.
     *
     * @param bounded whether the application has bounded the wait of its driver
     */
    private record Borrowed(Connection connection, boolean bounded) {
        /** Bounds the wait for each answer, so that a server that fell silent does not keep the thread. */
        void await(Duration longest) throws SQLException {
            if (!bounded) {
                connection.setNetworkTimeout(Runnable::run,
                        Math.clamp(longest.toMillis(), 0, Integer.MAX_VALUE));
            }
        }
    }

    <T extends @Nullable Object, E extends Exception> T run(StepWork.TransactionCall<T, E> work, Duration silence)
            throws E {
        Borrowed borrowed = open(silence);
        boolean done = false;
        try {
            T value = work.run(borrowed.connection);
            commit(borrowed);
            done = true;
            return value;
        } finally {
            end(borrowed, done);
        }
    }

    private Borrowed open(Duration silence) {
        try {
            Connection connection = source().getConnection();
            Borrowed borrowed = new Borrowed(connection, callers != null && connection.getNetworkTimeout() > 0);
            boolean ready = false;
            try {
                borrowed.await(NodeTimes.ANSWER);
                connection.setAutoCommit(false);
                if (callers != null) {
                    execute(connection, SessionStart.check());
                }
                execute(connection, BEGIN.replace("HOLD", options.callerHold().toMillis() + "ms"));
                borrowed.await(silence);
                ready = true;
                return borrowed;
            } finally {
                if (!ready) {
                    end(borrowed, false);
                }
            }
        } catch (SQLException error) {
            throw errors.undone(error);
        }
    }

    private DataSource source() {
        if (callers != null) {
            return callers;
        }
        lock.lock();
        try {
            if (closed) {
                throw new StoreException.Unavailable("The store is closed", null);
            }
            if (pool == null) {
                pool = new HikariDataSource(PostgresPools.ofSteps(options, CONNECTIONS));
            }
            return pool;
        } finally {
            lock.unlock();
        }
    }

    private void commit(Borrowed borrowed) {
        try {
            borrowed.await(NodeTimes.ANSWER);
            borrowed.connection.commit();
        } catch (SQLException error) {
            throw errors.afterCommit(error);
        }
    }

    /** Gives a connection back; one of the own pool without what its work has set, locked or created in the session. */
    private void end(Borrowed borrowed, boolean done) {
        try (Connection connection = borrowed.connection) {
            boolean clean = false;
            try {
                borrowed.await(NodeTimes.ANSWER);
                if (!done) {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
                if (callers == null) {
                    execute(connection, "DISCARD ALL");
                }
                borrowed.await(Duration.ZERO);
                clean = true;
            } finally {
                if (!clean && pool != null) {
                    pool.evictConnection(connection);
                }
            }
        } catch (SQLException error) {
            LOG.debug("The connection of a step was lost: {}", error.getMessage());
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (pool != null) {
                pool.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
