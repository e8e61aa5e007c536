package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.testkit.ForwardingStore;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.time.Time;
import java.net.URI;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL for the tests of this process: the one that {@code ORDERLY_TEST_POSTGRES} names by a JDBC URL with user
 * and password, else one that is unpacked and started at the first use and ends with the process.
 */
public final class Server {
    /** Schemas of stores that were closed and emptied. */
    private static final Queue<String> EMPTIED = new ConcurrentLinkedQueue<>();

    private Server() {}

    /** A place that holds nothing: a schema of its own, which is also the name of its connections. */
    public static PostgresOptions fresh() {
        return in("t" + UUID.randomUUID().toString().replace("-", ""));
    }

    private static PostgresOptions in(String schema) {
        return new PostgresOptions(Started.URL + (Started.URL.contains("?") ? "&" : "?") + "ApplicationName=" + schema,
                null, null, schema, 12);
    }

    static int port() {
        return URI.create(Started.URL.substring("jdbc:".length())).getPort();
    }

    /** A store that holds nothing, whose tables may have been another's: making some takes longer than most tests. */
    static Opened openEmpty() {
        return openEmpty(null);
    }

    /** @param clock in place of the server's to judge by which nodes are alive */
    public static Opened openEmpty(@Nullable Time clock) {
        String schema = EMPTIED.poll();
        PostgresOptions options = schema == null ? fresh() : in(schema);
        return new Opened(options, PostgresStore.open(options, new SecureRandom(), clock), clock, true);
    }

    public static Opened open(PostgresOptions options) {
        return open(options, null);
    }

    /** @param clock in place of the server's to judge by which nodes are alive */
    static Opened open(PostgresOptions options, @Nullable Time clock) {
        return new Opened(options, PostgresStore.open(options, new SecureRandom(), clock), clock, false);
    }

    /** What the next process finds: what is done once the connections of the killed one are gone. */
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

    /** Does to the tables what the server does when it starts after a crash. */
    static void crash(PostgresOptions options) {
        run("DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg(oid::regclass::text, ', ') FROM pg_class"
                + " WHERE relkind = 'r' AND relpersistence = 'u' AND relnamespace = '" + options.schema()
                + "'::regnamespace); END $$");
    }

    /** One after the other on one connection. */
    public static void run(String... sql) {
        try (Connection connection = DriverManager.getConnection(Started.URL);
                Statement statement = connection.createStatement()) {
            for (String each : sql) {
                statement.execute(each);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public static long count(String sql) {
        try (Connection connection = DriverManager.getConnection(Started.URL);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Does to a schema what makes it as good as a new one. */
    private static void empty(String schema) {
        run("DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg(oid::regclass::text, ', ') FROM pg_class"
                + " WHERE relkind = 'r' AND relname NOT IN ('meta', 'judgement') AND relnamespace = '" + schema
                + "'::regnamespace); PERFORM setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'"
                + " AND relnamespace = '" + schema + "'::regnamespace; UPDATE " + schema
                + ".judgement SET not_before = 0; END $$");
    }

    /** A store whose schema goes when it is closed, or is kept for another. */
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

        /** Also drops what the test has left. */
        @Override
        public void close() {
            postgres.close();
            if (kept) {
                empty(options.schema());
                EMPTIED.add(options.schema());
            } else {
                run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
            }
        }
    }

    /** Apart, so that it starts when it is needed. */
    private static final class Started {
        static final String URL = url();

        private static String url() {
            String given = System.getenv("ORDERLY_TEST_POSTGRES");
            // Machines do not crash here: the server's own process may.
            return given != null ? given : PostgresServer.start("fsync=off", "synchronous_commit=on").url();
        }
    }
}
