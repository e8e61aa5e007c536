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
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL for the tests of this process: the one that {@code ORDERLY_TEST_POSTGRES} names by a JDBC URL with user
 * and password, else one that is unpacked and started at the first use and ends with the process.
 */
public final class Server {
    private Server() {}

    /** A place that holds nothing: a schema of its own, which is also the name of its connections. */
    public static PostgresOptions fresh() {
        String schema = "t" + UUID.randomUUID().toString().replace("-", "");
        return new PostgresOptions(Started.URL + (Started.URL.contains("?") ? "&" : "?") + "ApplicationName=" + schema,
                null, null, schema, 12);
    }

    static int port() {
        return URI.create(Started.URL.substring("jdbc:".length())).getPort();
    }

    static Opened open(PostgresOptions options) {
        return open(options, null);
    }

    /** @param clock in place of the server's to judge by which nodes are alive */
    static Opened open(PostgresOptions options, @Nullable Time clock) {
        return new Opened(options, PostgresStore.open(options, new SecureRandom(), clock), clock);
    }

    /** What the next process finds: what is done once the connections of the killed one are gone. */
    static Opened reopened(Store killed) {
        Opened opened = (Opened) killed;
        opened.postgres.close();
        return open(opened.options, opened.clock);
    }

    /** As {@link #reopened}, after the server has crashed too, which empties its unlogged tables. */
    static Opened recovered(Store killed) {
        Opened opened = (Opened) killed;
        opened.postgres.close();
        crash(opened.options);
        return open(opened.options);
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

    /** A store whose schema goes when it is closed. */
    static final class Opened extends ForwardingStore {
        private final PostgresOptions options;
        private final PostgresStore postgres;
        private final @Nullable Time clock;

        Opened(PostgresOptions options, PostgresStore postgres, @Nullable Time clock) {
            super(postgres);
            this.clock = clock;
            this.options = options;
            this.postgres = postgres;
        }

        PostgresOptions options() {
            return options;
        }

        /** Also drops what the test has left. */
        @Override
        public void close() {
            postgres.close();
            run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
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
