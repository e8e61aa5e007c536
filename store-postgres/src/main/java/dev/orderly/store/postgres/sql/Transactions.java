package dev.orderly.store.postgres.sql;

import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work in transactions, each under the timeouts of its connection, and says what a failure means. Thread-safe.
 *
 * <p>Isolation is READ COMMITTED: each statement sees what was committed when it began. The work relies on that where it
 * reads after it has waited for a lock.
 */
public final class Transactions {
    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);
    private static final int TRIES = 5;

    private final HikariDataSource pool;
    private final SqlErrors errors;

    public Transactions(HikariDataSource pool, SqlErrors errors) {
        this.pool = pool;
        this.errors = errors;
    }

    /** What is done in a transaction. May run several times, from the start; only the last run counts. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Says that the work has to be done anew: what it had read has changed meanwhile. */
    public static final class Overtaken extends SQLException {
        public Overtaken(String what) {
            super(what, "40001");
        }
    }

    /**
     * The answer of the work, once it is committed.
     *
     * @throws StoreException.Unavailable if nothing was done
     * @throws StoreException.OutcomeUnknown if the connection was lost in the middle of the commit
     * @throws StoreException.Unusable if the tables are not what they should be
     */
    public <T> T run(Work<T> work) {
        try {
            return tried(work);
        } catch (SQLException error) {
            throw errors.undone(error);
        }
    }

    /**
     * As {@link #run(Work)}.
     *
     * @param otherwise is done instead, in a transaction of its own, if the work waited in vain for what another
     *     transaction holds
     */
    public <T> T run(Work<T> work, Work<T> otherwise) {
        try {
            return tried(work);
        } catch (SQLException error) {
            if (!SqlErrors.isBlocked(error)) {
                throw errors.undone(error);
            }
            LOG.debug("Waited in vain: {}", error.getMessage());
        }
        return run(otherwise);
    }

    private <T> T tried(Work<T> work) throws SQLException {
        for (int tries = 1;; tries++) {
            try {
                return once(work);
            } catch (SQLException error) {
                if (!SqlErrors.isPassing(error) || tries == TRIES) {
                    throw error;
                }
                LOG.debug("Trying again: {}", error.getMessage());
            }
        }
    }

    /** @throws SQLException if nothing was done */
    private <T> T once(Work<T> work) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            T answer;
            try {
                answer = work.on(connection);
            } catch (SQLException | RuntimeException | Error error) {
                discard(connection, error);
                throw error;
            }
            commit(connection);
            return answer;
        }
    }

    private void commit(Connection connection) throws SQLException {
        try {
            connection.commit();
        } catch (SQLException error) {
            pool.evictConnection(connection);
            if (SqlErrors.isPassing(error)) {
                throw error;
            }
            throw errors.afterCommit(error);
        }
    }

    /** A connection on which anything failed that is not part of the plan is not used again. */
    private void discard(Connection connection, Throwable error) {
        try {
            connection.rollback();
        } catch (SQLException lost) {
            error.addSuppressed(lost);
        }
        boolean planned = error instanceof Overtaken || error instanceof StoreException.Blocked
                || (error instanceof SQLException sql && SqlErrors.isBlocked(sql));
        if (!planned) {
            pool.evictConnection(connection);
        }
    }
}
