package dev.orderly.store.postgres;

import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.store.postgres.sql.SchemaChoice;
import dev.orderly.store.postgres.sql.SessionStart;
import dev.orderly.testkit.contract.copy.MovingStore;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.time.Time;
import java.net.URI;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL for the tests of this process. {@code ORDERLY_TEST_POSTGRES} names a running server by a JDBC URL with
 * user and password; without it a server is unpacked and started at the first use, and ends with the process.
 */
public final class Server {
    /** Schemas of stores that were closed and emptied. */
    private static final Queue<String> EMPTIED = new ConcurrentLinkedQueue<>();
    /** Sessions with the server's settings, in no transaction. */
    private static final Queue<Connection> IDLE = new ConcurrentLinkedQueue<>();
    private static final int PATIENCE_SECONDS = 10;
    /** A test makes the database read-only for sessions that begin meanwhile. */
    private static final Properties WRITABLE = writable();

    @FunctionalInterface
    private interface Question<T> {
        T ask(Statement statement) throws SQLException;
    }

    private Server() {}

    private static Properties writable() {
        Properties settings = new Properties();
        settings.setProperty("options", "-c default_transaction_read_only=off");
        return settings;
    }

    /** Options of a new empty schema, whose name is also the application name of its connections. */
    public static PostgresOptions fresh() {
        return in("t" + UUID.randomUUID().toString().replace("-", ""));
    }

    private static PostgresOptions in(String schema) {
        return PostgresOptions.at(Started.URL + (Started.URL.contains("?") ? "&" : "?") + "ApplicationName=" + schema)
                .withSchema(schema).withConnections(12);
    }

    static int port() {
        return URI.create(Started.URL.substring("jdbc:".length())).getPort();
    }

    /** An empty store. It may reuse the tables of a closed one, since creating tables takes longer than most tests. */
    static Opened openEmpty() {
        return openEmpty(null);
    }

    /** @param clock replaces the server's clock for the liveness of nodes */
    public static Opened openEmpty(@Nullable Time clock) {
        String schema = EMPTIED.poll();
        PostgresOptions options = schema == null ? fresh() : in(schema);
        return new Opened(options, PostgresStore.open(options, new SecureRandom(), clock), clock, true);
    }

    public static Opened open(PostgresOptions options) {
        return open(options, null);
    }

    /** @param clock replaces the server's clock for the liveness of nodes */
    public static Opened open(PostgresOptions options, @Nullable Time clock) {
        return new Opened(options, PostgresStore.open(options, new SecureRandom(), clock), clock, false);
    }

    /** The store as the next process finds it, once the connections of the killed process are gone. */
    static Opened reopened(Store killed) {
        Opened opened = (Opened) killed;
        opened.postgres.close();
        return again(opened, opened.clock);
    }

    private static Opened again(Opened closed, @Nullable Time clock) {
        return new Opened(closed.options, PostgresStore.open(closed.options, new SecureRandom(), clock), clock,
                closed.kept);
    }

    /** As {@link #reopened}, after the server has crashed too, which empties its unlogged tables. */
    static Opened recovered(Store killed) {
        Opened opened = (Opened) killed;
        opened.postgres.close();
        crash(opened.options);
        return again(opened, null);
    }

    /** Empties unlogged tables, as the server does when it starts after a crash. */
    static void crash(PostgresOptions options) {
        run("DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg(oid::regclass::text, ', ') FROM pg_class"
                + " WHERE relkind = 'r' AND relpersistence = 'u' AND relnamespace = '" + options.schema()
                + "'::regnamespace); END $$");
    }

    /** A connection in a transaction, with the settings of a store's sessions and then these. */
    static Connection session(PostgresOptions options, String... settings) throws SQLException {
        Connection connection = DriverManager.getConnection(options.url());
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    SessionStart.settings() + "; " + SchemaChoice.searchPath(Objects.requireNonNull(options.schema())));
            for (String each : settings) {
                statement.execute(each);
            }
        }
        connection.setAutoCommit(false);
        return connection;
    }

    /** Runs statements in order on one connection. */
    public static void run(String... sql) {
        ask(statement -> {
            for (String each : sql) {
                statement.execute(each);
            }
            return sql.length;
        });
    }

    public static long count(String sql) {
        return Long.parseLong(text(sql));
    }

    private static String text(String sql) {
        return ask(statement -> {
            try (ResultSet rows = statement.executeQuery(sql)) {
                rows.next();
                return rows.getString(1);
            }
        });
    }

    /** On a session of an earlier call, if one has not ended: a session's start takes longer than most questions. */
    private static <T> T ask(Question<T> question) {
        try {
            Connection session = IDLE.poll();
            if (session == null || !session.isValid(PATIENCE_SECONDS)) {
                session = DriverManager.getConnection(Started.URL, WRITABLE);
            }
            try (Statement statement = session.createStatement()) {
                T answer = question.ask(statement);
                statement.execute("RESET ALL");
                IDLE.add(session);
                return answer;
            } catch (SQLException e) {
                session.close();
                throw e;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Empties a schema as a new one is. Small tables by DELETE, since TRUNCATE makes each file of a table and of its
     * indexes anew; large ones by TRUNCATE, since the next test may count the pages that a query reads.
     */
    private static void empty(String schema) {
        run("""
                DO $$ BEGIN
                  EXECUTE coalesce((SELECT string_agg(CASE WHEN pg_relation_size(oid) > 32768 THEN 'TRUNCATE '
                      ELSE 'DELETE FROM ' END || oid::regclass, '; ') FROM pg_class WHERE relkind = 'r'
                    AND relname NOT IN ('meta', 'judgement') AND pg_relation_size(oid) > 0
                    AND relnamespace = 'SCHEMA'::regnamespace), 'SELECT');
                  PERFORM setval(oid::regclass, 1, false) FROM pg_class
                    WHERE relkind = 'S' AND relnamespace = 'SCHEMA'::regnamespace;
                  UPDATE SCHEMA.judgement SET not_before = 0;
                END $$""".replace("SCHEMA", schema));
    }

    /** Makes the planner know the tables of a schema as they are now. */
    static void vacuum(PostgresOptions options) {
        run("VACUUM ANALYZE " + text("SELECT string_agg(oid::regclass::text, ', ') FROM pg_class WHERE relkind = 'r'"
                + " AND relnamespace = '" + options.schema() + "'::regnamespace"));
    }

    /** A store whose schema is dropped when it is closed, or kept for reuse. */
    public static final class Opened extends ForwardingStore {
        private final PostgresOptions options;
        private final PostgresStore postgres;
        private final @Nullable Time clock;
        private final boolean kept;

        Opened(PostgresOptions options, PostgresStore postgres, @Nullable Time clock, boolean kept) {
            super(postgres);
            this.clock = clock;
            this.kept = kept;
            this.options = options;
            this.postgres = postgres;
        }

        public PostgresOptions options() {
            return options;
        }

        /** Also drops or empties the schema. */
        @Override
        public void close() {
            postgres.close();
            if (kept) {
                String schema = Objects.requireNonNull(options.schema());
                empty(schema);
                EMPTIED.add(schema);
            } else {
                run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
            }
        }
    }

    /** PostgreSQL as the source and the target of copies in tests. */
    public enum Kind implements MovingStore.Kind {
        /** The processes of nodes are killed. */
        OF_JOBS {
            @Override
            public Store open(Time clock) {
                return Server.openEmpty(clock);
            }

            @Override
            public Store reopen(Store killed) {
                return Server.reopened(killed);
            }
        },
        /** The server is killed too, by its own clock: only so it loses the presence of visitors. */
        OF_ROOMS {
            @Override
            public Store open(Time clock) {
                return Server.openEmpty();
            }

            @Override
            public Store reopen(Store killed) {
                return Server.recovered(killed);
            }
        }
    }

    /** A class of its own, so that the server starts at the first use. */
    private static final class Started {
        static final String URL = url();

        private static String url() {
            String given = System.getenv("ORDERLY_TEST_POSTGRES");
            // Without fsync a crash of the server's process still loses nothing; a crash of the machine is not tested.
            return given != null ? given : PostgresServer.start("fsync=off", "synchronous_commit=on").url();
        }
    }
}
