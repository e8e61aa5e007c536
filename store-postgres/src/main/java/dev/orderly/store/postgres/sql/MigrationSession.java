package dev.orderly.store.postgres.sql;

import dev.orderly.flow.Backoff;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection over which a schema is updated, beside nodes at work. An advisory lock of its session makes
 * it the only one. No statement has a time limit; nothing waits for a lock so long that the calls of nodes behind it
 * would notice.
 *
 * <p>No statement outlives its process for long: the server looks every few seconds whether the client is still there,
 * and a connection that was lost has its session ended over another one.
 */
final class MigrationSession implements AutoCloseable {
    /** Interval of the lines in the log, and of the look at the session. */
    private static final Duration REPORTS = Duration.ofSeconds(10);
    /** Longest wait for an answer, except for the statements of an update. */
    private static final Duration SILENCE = Duration.ofSeconds(5);
    /** Shorter than the server's {@code deadlock_timeout}, so that no call of a node is the victim of a deadlock. */
    private static final String LOCK_MILLIS = "500";
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LAST_PAUSE = Duration.ofSeconds(5);
    private static final Duration FIRST_LOOK = Duration.ofMillis(10);
    private static final Duration LAST_LOOK = Duration.ofSeconds(1);

    /**
     * No limits of time. A process that is suspended inside a transaction keeps its locks until the server ends it, and
     * so does a machine that is gone.
     */
    private static final String SETTINGS = "SET statement_timeout = 0; SET lock_timeout = 0;"
            + " SET idle_session_timeout = 0; SET idle_in_transaction_session_timeout = '4s';"
            + " SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;";
    private static final int WITH_TRANSACTION_TIMEOUT = 17;
    /** Not every operating system of a server can do this. */
    private static final String CHECK_CLIENT = "SET client_connection_check_interval = '2s'";

    private static final String OLDEST = """
            SELECT 'session ' || pid || coalesce(' (' || nullif(application_name, '') || ', ' || state || ', '
              || date_trunc('second', clock_timestamp() - xact_start) || ')', '')
            FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE granted AND pid <> pg_backend_pid() AND database = (SELECT oid FROM pg_database
              WHERE datname = current_database()) AND relation IN (
              SELECT oid FROM pg_class WHERE relnamespace = ?::regnamespace) ORDER BY xact_start LIMIT 1""";

    private static final Logger LOG = LoggerFactory.getLogger(MigrationSession.class);

    private final PostgresMigrations.Connector connector;
    private final String schema;
    private final Time time;
    private final Connection connection;
    private final int pid;
    private @Nullable Thread watch;
    private volatile boolean closed;

    /** Work that may run several times, from its start. */
    @FunctionalInterface
    interface Work {
        void on(Connection connection) throws SQLException;
    }

    /** A state of the schema. */
    @FunctionalInterface
    interface Condition {
        boolean holds(Connection connection) throws SQLException;
    }

    private MigrationSession(PostgresMigrations.Connector connector, Connection connection, String schema, Time time)
            throws SQLException {
        this.connector = connector;
        this.connection = connection;
        this.schema = schema;
        this.time = time;
        boolean limited = connection.getMetaData().getDatabaseMajorVersion() >= WITH_TRANSACTION_TIMEOUT;
        SchemaUpdate.execute(connection, SETTINGS + (limited ? " SET transaction_timeout = 0;" : "") + " "
                + SchemaChoice.searchPath(schema));
        try {
            SchemaUpdate.execute(connection, CHECK_CLIENT);
        } catch (SQLException unknown) {
            LOG.debug("The server cannot see whether a client is gone: {}", unknown.getMessage());
        }
        pid = connection.unwrap(PGConnection.class).getBackendPID();
    }

    static MigrationSession open(PostgresMigrations.Connector connector, String schema, Time time) throws SQLException {
        Connection connection = connector.connect(SILENCE);
        try {
            return new MigrationSession(connector, connection, schema, time);
        } catch (SQLException | RuntimeException error) {
            connection.close();
            throw error;
        }
    }

    /** The connection, on which each statement commits by itself. */
    Connection connection() {
        return connection;
    }

    /**
     * Waits until no other session updates the schema. Looks again and again, since a statement that waits would hold
     * up the other session's indexes.
     *
     * @param done whether nothing is left to do
     * @return false if nothing is left to do
     */
    boolean begin(Condition done) throws SQLException {
        Duration pause = FIRST_LOOK;
        long next = time.nanos();
        while (!new Sql(connection, "SELECT pg_try_advisory_lock(hashtextextended(?, 1866))").with(lock())
                .list(row -> row.getBoolean(1)).getFirst()) {
            if (done.holds(connection)) {
                return false;
            }
            if (time.reached(next)) {
                UpdatingSession other = UpdatingSession.of(connection, lock());
                if (other != null) {
                    LOG.info("The schema {} is updated by {}: this node waits", schema, other.text());
                    next = time.deadline(REPORTS);
                }
            }
            pause(pause);
            pause = Backoff.longer(pause, LAST_LOOK);
        }
        connection.setNetworkTimeout(Runnable::run, 0);
        watch = Thread.ofVirtual().name("orderly-update").start(this::watch);
        return true;
    }

    /** The text of the advisory lock's key. Not that of the versions before, for which their nodes wait. */
    private String lock() {
        return "orderly update " + schema;
    }

    /** Says what this session does, in its application name and so in the log. */
    void report(String doing) throws SQLException {
        new Sql(connection, "SELECT set_config('application_name', ?, false)").with(UpdatingSession.name(doing))
                .list(_ -> true);
    }

    /**
     * Logs the progress now and then. Gives the connection up if the server has no such session any more: a statement
     * without a limit of time would wait for its answer for ever.
     */
    private void watch() {
        for (long next = time.deadline(REPORTS); !closed; next = time.deadline(REPORTS)) {
            while (!closed && !time.reached(next)) {
                time.park(next);
            }
            if (!closed) {
                look();
            }
        }
    }

    private void look() {
        try (Connection other = connector.connect(SILENCE)) {
            UpdatingSession own = UpdatingSession.of(other, lock());
            if (own != null && own.pid() == pid) {
                LOG.info("The schema {} is updated by this node: {}", schema, own.text());
            } else if (!closed) {
                connection.abort(Runnable::run);
            }
        } catch (SQLException error) {
            LOG.warn("The update of the schema {} cannot be watched: {}", schema, error.getMessage());
        }
    }

    /**
     * Runs work in a transaction. If it meets a lock of another transaction, it is rolled back soon and tried again, as
     * often as it takes.
     */
    void transaction(Work work) throws SQLException {
        patiently(() -> {
            connection.setAutoCommit(false);
            try {
                SchemaUpdate.execute(connection, "SET LOCAL lock_timeout = " + LOCK_MILLIS);
                SchemaUpdate.lock(connection, schema);
                work.on(connection);
                connection.commit();
            } catch (SQLException | RuntimeException error) {
                if (!connection.isClosed()) {
                    connection.rollback();
                }
                throw error;
            } finally {
                if (!connection.isClosed()) {
                    connection.setAutoCommit(true);
                }
            }
        });
    }

    /** Runs work whose statements commit by themselves; again if it met a lock. */
    void alone(Work work) throws SQLException {
        patiently(() -> work.on(connection));
    }

    /** May be tried again. */
    @FunctionalInterface
    private interface Attempt {
        void run() throws SQLException;
    }

    private void patiently(Attempt attempt) throws SQLException {
        Duration pause = FIRST_PAUSE;
        long next = time.nanos();
        while (true) {
            try {
                attempt.run();
                return;
            } catch (SQLException error) {
                if (!SqlErrors.isBlocked(error) && !SqlErrors.isPassing(error)) {
                    throw error;
                }
                if (time.reached(next)) {
                    String oldest = new Sql(connection, OLDEST).with(schema).first(row -> row.getString(1));
                    LOG.info("The update of the schema {} meets a lock and tries again. The oldest transaction there:"
                            + " {}", schema, oldest == null ? "ended" : oldest);
                    next = time.deadline(REPORTS);
                }
            }
            pause(pause);
            pause = Backoff.longer(pause, LAST_PAUSE);
        }
    }

    /** Parks for a while. An interrupt ends the update, which a later start continues. */
    private void pause(Duration length) {
        long end = time.deadline(length);
        while (!time.reached(end)) {
            if (Thread.currentThread().isInterrupted()) {
                throw new StoreException.Unavailable("The update of the schema " + schema + " was interrupted: the next"
                        + " start continues it", null);
            }
            time.park(end);
        }
    }

    /** Ends the session on the server too, also if the connection was lost. */
    @Override
    public void close() throws SQLException {
        closed = true;
        LockSupport.unpark(watch);
        if (connection.isClosed()) {
            end();
        } else {
            SchemaUpdate.execute(connection, "SELECT pg_advisory_unlock_all()"); // a pooler may keep the session
            connection.close();
        }
    }

    private void end() {
        try (Connection other = connector.connect(SILENCE)) {
            UpdatingSession own = UpdatingSession.of(other, lock());
            if (own != null && own.pid() == pid) {
                new Sql(other, "SELECT pg_terminate_backend(?)").with(pid).list(_ -> true);
            }
        } catch (SQLException error) {
            LOG.warn("The update of the schema {} was cut off. If session {} of the server still works on it, and does"
                    + " not end by itself: SELECT pg_terminate_backend({})", schema, pid, pid, error);
        }
    }
}
