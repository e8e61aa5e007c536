package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.job.JobStore;
import dev.orderly.job.JobViews;
import dev.orderly.live.PresenceStore;
import dev.orderly.room.RoomStore;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.Bus;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * A PostgreSQL for the tests of this process: the one that {@code ORDERLY_TEST_POSTGRES} names by a JDBC URL with user
 * and password, else one that is unpacked and started at the first use and ends with the process.
 */
final class Server {
    private Server() {}

    /** A place that holds nothing: a schema of its own, which is also the name of its connections. */
    static PostgresOptions fresh() {
        String schema = "t" + UUID.randomUUID().toString().replace("-", "");
        return new PostgresOptions(Started.URL + (Started.URL.contains("?") ? "&" : "?") + "ApplicationName=" + schema,
                null, null, schema, 12);
    }

    static Opened open(PostgresOptions options) {
        return new Opened(options, Postgres.open(options, new SecureRandom()));
    }

    /** What the next process finds: what is done once the connections of the killed one are gone. */
    static Opened reopened(Store killed) {
        Opened opened = (Opened) killed;
        opened.postgres.close();
        return open(opened.options);
    }

    static void run(String sql) {
        try (Connection connection = DriverManager.getConnection(Started.URL);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static long count(String sql) {
        try (Connection connection = DriverManager.getConnection(Started.URL);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The ports of PostgreSQL as a store. It has no rooms yet: those are the memory store's. */
    record Opened(PostgresOptions options, Postgres postgres) implements Store {
        @Override
        public JobStore jobs() {
            return postgres.jobs();
        }

        @Override
        public JobViews jobViews() {
            return postgres.views();
        }

        @Override
        public RoomStore rooms() {
            return new MemoryStore().rooms();
        }

        @Override
        public ScheduleStore schedules() {
            return postgres.schedules();
        }

        @Override
        public PresenceStore presence() {
            return new MemoryStore().presence();
        }

        @Override
        public Bus bus() {
            return postgres.bus();
        }

        @Override
        public Time clock(Time own) {
            return own;
        }

        @Override
        public String name() {
            return postgres.name();
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
            if (given != null) {
                return given;
            }
            try {
                // Crashes here are those of Orderly, not of the machine.
                return EmbeddedPostgres.builder().setServerConfig("fsync", "off")
                        .setServerConfig("max_connections", "200")
                        .start().getJdbcUrl("postgres", "postgres");
            } catch (IOException e) {
                throw new UncheckedIOException("PostgreSQL does not start here: set ORDERLY_TEST_POSTGRES to the JDBC"
                        + " URL of one that runs", e);
            }
        }
    }
}
