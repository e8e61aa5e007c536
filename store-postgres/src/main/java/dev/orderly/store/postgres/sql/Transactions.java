package dev.orderly.store.postgres.sql;

import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.Sessions.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work in transactions under the timeouts of the connection, and translates failures. A serialization failure or
 * deadlock is retried up to four times. Thread-safe; blocks.
 *
 * <p>Isolation is READ COMMITTED: each statement sees the state that was committed when it began. Reads after a wait
 * for a lock rely on that.
 */
public final class Transactions {
    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);
    private static final int TRIES = 5;

    private final Sessions sessions;
    private final SqlErrors errors;

    public Transactions(Sessions sessions, SqlErrors errors) {
        this.sessions = sessions;
        this.errors = errors;
    }

    /** Work inside a transaction. May run several times, from the start; only the last run takes effect. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** A conflict: rows that the work has read have changed meanwhile, so it has to run again. */
    public static final class OvertakenException extends SQLException {
        public OvertakenException(String what) {
            super(what, "40001");
        }
    }

    /**
     * Runs work, and returns its answer once it is committed.
     *
     * @throws StoreException.Unavailable if nothing was done: try again later
     * @throws StoreException.OutcomeUnknown if the connection was lost in the middle of the commit
     * @throws StoreException.Unusable if the tables are damaged or of another program
     */
    public <T> T run(Work<T> work) {
        try {
            return tried(work, false);
        } catch (SQLException error) {
            throw errors.undone(error);
        }
    }

    /** Runs work that only reads, on one snapshot, with a limit of 3 seconds for each statement. Takes no locks. */
    public <T> T onSnapshot(Work<T> work) {
        return run(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;"
                        + " SET LOCAL statement_timeout = '3s'");
            }
            return work.on(connection);
        });
    }

    /**
     * As {@link #run(Work)}.
     *
     * @param otherwise runs instead, in a transaction of its own, if the work waited in vain for a lock of another
     *     transaction
     */
    public <T> T run(Work<T> work, Work<T> otherwise) {
        try {
            return tried(work, false);
        } catch (SQLException error) {
            return instead(error, otherwise);
        }
    }

    /**
     * Runs a single statement that commits by itself, which saves the trip of the commit.
     *
     * @param statement runs one statement and no other
     * @throws StoreException as {@link #run(Work)}; the outcome is unknown whenever the connection was lost meanwhile
     */
    public <T> T runAlone(Work<T> statement) {
        try {
            return tried(statement, true);
        } catch (SQLException error) {
            throw errors.undone(error);
        }
    }

    /** As {@link #run(Work, Work)}, for a first work that is a single statement. */
    public <T> T runAlone(Work<T> statement, Work<T> otherwise) {
        try {
            return tried(statement, true);
        } catch (SQLException error) {
            return instead(error, otherwise);
        }
    }

    private <T> T instead(SQLException error, Work<T> otherwise) {
        if (!SqlErrors.isBlocked(error)) {
            throw errors.undone(error);
        }
        LOG.debug("Waited in vain: {}", error.getMessage());
        return run(otherwise);
    }

    private <T> T tried(Work<T> work, boolean alone) throws SQLException {
        for (int tries = 1;; tries++) {
            try {
                return alone ? onceAlone(work) : once(work);
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
        try (Session session = sessions.open()) {
            T answer;
            try {
                answer = work.on(session.connection());
            } catch (SQLException | RuntimeException | Error error) {
                rollBack(session, error);
                throw error;
            }
            commit(session);
            return answer;
        }
    }

    /** @throws SQLException if nothing was done */
    private <T> T onceAlone(Work<T> statement) throws SQLException {
        try (Session session = sessions.open()) {
            session.connection().setAutoCommit(true);
            try {
                return statement.on(session.connection());
            } catch (SQLException error) {
                if (SqlErrors.isBlocked(error) || SqlErrors.isPassing(error)) {
                    throw error;
                }
                session.discard();
                throw errors.afterStatement(error);
            } catch (RuntimeException | Error error) {
                session.discard();
                throw error;
            }
        }
    }

    private void commit(Session session) throws SQLException {
        try {
            session.connection().commit();
        } catch (SQLException error) {
            session.discard();
            if (SqlErrors.isPassing(error)) {
                throw error;
            }
            throw errors.afterCommit(error);
        }
    }

    /** Rolls back. After an unexpected failure the session is not used again. */
    private static void rollBack(Session session, Throwable error) {
        try {
            session.connection().rollback();
        } catch (SQLException lost) {
            error.addSuppressed(lost);
        }
        boolean planned = error instanceof OvertakenException || error instanceof StoreException.Blocked
                || (error instanceof SQLException sql && SqlErrors.isBlocked(sql));
        if (!planned) {
            session.discard();
        }
    }
}
