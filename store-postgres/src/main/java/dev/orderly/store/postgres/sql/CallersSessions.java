package dev.orderly.store.postgres.sql;

import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoreLoad;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions of a data source of the application. Each gets the settings of the store before its transaction, and the
 * settings that it had afterwards; a session that cannot get them back is ended.
 */
public final class CallersSessions implements Sessions {
    private static final Logger LOG = LoggerFactory.getLogger(CallersSessions.class);
    /**
     * Pause after a refused session while commits hang. Of the callers after it one tries; the pool opens a new session
     * for each that is refused.
     */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final DataSource source;
    private final String name;
    /** Reads the settings of the session, sets those of the store, and shares the use of the schema. */
    private final String prepare;
    /** Gives the settings back, and ends the share. */
    private final String restore;
    private final int settings;
    private final Time time = Time.system();
    /** Whether a session was given up since the last check, perhaps in a commit that hangs. */
    private volatile boolean doubtful;
    private final AtomicReference<@Nullable Refusal> refused = new AtomicReference<>();

    private record Refusal(SQLException reason, long until) {}

    private CallersSessions(DataSource source, String name, String schema) {
        Map<String, String> all = new TreeMap<>(SessionStart.SETTINGS);
        all.put("search_path", schema + ", pg_temp");
        all.put("default_transaction_isolation", "read committed");
        this.source = source;
        this.name = name;
        this.settings = all.size();
        // functions in place of SET, since the driver forgets all prepared statements after a SET search_path
        this.prepare = "SELECT old.*, " + all.entrySet().stream()
                .map(each -> "set_config('" + each.getKey() + "', '" + each.getValue() + "', false)")
                .collect(Collectors.joining(", ")) + ", " + SchemaUse.tryShare(schema) + " AS shared FROM (SELECT "
                + all.keySet().stream().map(each -> "current_setting('" + each + "') AS " + each)
                        .collect(Collectors.joining(", "))
                + " OFFSET 0) AS old";
        this.restore = "SELECT " + all.keySet().stream().map(each -> "set_config('" + each + "', ?, false)")
                .collect(Collectors.joining(", ")) + ", " + SchemaUse.endShare(schema);
    }

    /**
     * Sessions of a data source that leads to a store, and can bear it.
     *
     * @param source not closed with this
     * @param name of the store, for messages
     * @param salt of the store's job ids, which no other store has
     * @throws StoreException.Unusable naming the reason and the remedy
     * @throws StoreException.Unavailable if the data source gives no connection
     */
    public static CallersSessions checked(DataSource source, String name, String schema, long salt) {
        CallersSessions sessions = new CallersSessions(source, name, schema);
        sessions.check(salt);
        return sessions;
    }

    private void check(long salt) {
        try (Session first = open()) {
            Connection connection = first.connection();
            boolean leadsHere = new Sql(connection, "SELECT count(*) FROM pg_tables WHERE tablename = 'meta'"
                    + " AND schemaname = current_schema()").number() == 1
                    && new Sql(connection, "SELECT salt FROM meta").number() == salt;
            if (!leadsHere) {
                throw new StoreException.Unusable("The DataSource leads to another database than " + name
                        + ": pass one of the same database, of a user with write access to the schema", null);
            }
            if (new Sql(connection, "SELECT current_setting('transaction_read_only')").list(row -> row.getString(1))
                    .contains("on")) {
                throw new StoreException.Unusable("The transactions of the DataSource are read-only (a standby, or"
                        + " default_transaction_read_only): pass one of the primary that may write", null);
            }
            checkSecond(connection);
        } catch (SQLException error) {
            throw new SqlErrors(name).opening(error);
        }
    }

    /** A push in a transaction of the application asks the store beside the connection of that transaction. */
    private void checkSecond(Connection first) throws SQLException {
        first.commit();
        try (Connection second = second()) {
            SessionCheck.check(first, second, "The database of the DataSource");
        }
    }

    private Connection second() {
        try {
            return source.getConnection();
        } catch (SQLException error) {
            throw new StoreException.Unusable("The DataSource gives no second connection beside the first ("
                    + error.getMessage() + "), so that a push in a transaction of yours would wait for itself: give its"
                    + " pool two connections or more", error);
        }
    }

    @Override
    public Session open() throws SQLException {
        Refusal last = refused.get();
        if (last != null && (!time.reached(last.until)
                || !refused.compareAndSet(last, new Refusal(last.reason, time.deadline(PAUSE))))) {
            throw new SQLException(last.reason.getMessage(), last.reason.getSQLState(), last.reason);
        }
        Connection connection = connection();
        Borrowed session = null;
        boolean isOpen = false;
        try {
            session = new Borrowed(connection);
            session.prepare();
            isOpen = true;
            return session;
        } finally {
            if (session == null) {
                connection.close();
            } else if (!isOpen) {
                session.discard();
                session.close();
            }
        }
    }

    private Connection connection() throws SQLException {
        try {
            return source.getConnection();
        } catch (SQLException error) {
            throw new SQLException("the DataSource gives no connection (" + error.getMessage() + "): see that it is"
                    + " open, and that its pool has connections beside those that handlers hold", error.getSQLState(),
                    error.getCause());
        }
    }

    /** None: the pool is the application's, and so are its figures. */
    @Override
    public StoreLoad load() {
        return StoreLoad.NONE;
    }

    @Override
    public void close() {}

    /** A connection of the application, with its own settings. */
    private final class Borrowed implements Session {
        private final Connection connection;
        private final boolean autoCommit;
        private final boolean readOnly;
        private final int timeout;
        private final List<String> before = new ArrayList<>();
        private boolean discarded;

        Borrowed(Connection connection) throws SQLException {
            this.connection = connection;
            if (!connection.isWrapperFor(BaseConnection.class)) {
                throw new IllegalStateException("The DataSource gives " + connection.getClass().getName()
                        + ", which is no connection of PostgreSQL's driver: pass a DataSource over that driver");
            }
            if (connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE) {
                throw new IllegalStateException("The DataSource gives a connection that is in a transaction already:"
                        + " pass the pool itself, not one that is bound to the transaction of a thread, as Spring's"
                        + " TransactionAwareDataSourceProxy is");
            }
            autoCommit = connection.getAutoCommit();
            readOnly = connection.isReadOnly();
            timeout = connection.getNetworkTimeout();
        }

        void prepare() throws SQLException {
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(NodeTimes.ANSWER.toMillis()));
            if (readOnly) {
                connection.setReadOnly(false);
            }
            connection.setAutoCommit(true);
            if (doubtful) {
                check();
            }
            boolean shared = new Sql(connection, prepare).list(row -> {
                for (int column = 1; column <= settings; column++) {
                    before.add(row.getString(column));
                }
                return row.getBoolean("shared");
            }).getFirst();
            if (!shared) {
                throw new SQLException("the store is being copied", SchemaUse.COPIED);
            }
            connection.setAutoCommit(false);
        }

        private void check() throws SQLException {
            try {
                new Sql(connection, SessionStart.check()).update();
                refused.set(null);
                doubtful = false;
            } catch (SQLException error) {
                if (SessionStart.HUNG.equals(error.getSQLState())) {
                    refused.set(new Refusal(error, time.deadline(PAUSE)));
                }
                throw error;
            }
        }

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public void discard() {
            discarded = true;
            doubtful = true;
        }

        @Override
        public void close() {
            try (connection) {
                if (discarded) {
                    connection.abort(Runnable::run);
                    connection.rollback(); // fails, by which a pool notices that the connection is gone
                    return;
                }
                giveBack();
            } catch (SQLException error) {
                LOG.debug("A connection of the application was ended: {}", error.getMessage());
            }
        }

        /** All or nothing: with the settings of the store no connection goes back. */
        private void giveBack() throws SQLException {
            boolean isRestored = false;
            try {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                    connection.setAutoCommit(true);
                }
                Sql sql = new Sql(connection, restore);
                IntStream.range(0, settings).forEach(n -> sql.with(before.get(n)));
                sql.list(_ -> true);
                connection.setAutoCommit(autoCommit);
                if (readOnly) {
                    connection.setReadOnly(true);
                }
                connection.setNetworkTimeout(Runnable::run, timeout);
                isRestored = true;
            } finally {
                if (!isRestored) {
                    connection.abort(Runnable::run);
                }
            }
        }
    }
}
