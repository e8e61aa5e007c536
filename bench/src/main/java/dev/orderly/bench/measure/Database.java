package dev.orderly.bench.measure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.testkit.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server for the benchmark that keeps all acknowledged data, or the server named by
 * {@code ORDERLY_BENCH_POSTGRES}.
 */
public final class Database implements AutoCloseable {
    private static final String SCHEMA = "bench";

    private final String url;
    private final @Nullable PostgresServer server;
    private final long postmaster;

    /** @param postmaster the process whose tree is the server; 0 if unknown */
    private Database(String url, @Nullable PostgresServer server, long postmaster) {
        this.url = url;
        this.server = server;
        this.postmaster = postmaster;
    }

    /** Starts a server in a folder, unless the environment names one. Blocks some seconds. */
    public static Database start(Path folder) throws IOException {
        String given = System.getenv("ORDERLY_BENCH_POSTGRES");
        if (given != null) {
            return new Database(given, null, 0);
        }
        PostgresServer server = PostgresServer.startIn(folder.resolve("postgres"), "fsync=on", "synchronous_commit=on",
                "full_page_writes=on", "shared_buffers=512MB");
        String pid = Files.readAllLines(server.data().resolve("postmaster.pid")).getFirst().strip();
        return new Database(server.url(), server, ProcessUsage.known() ? Long.parseLong(pid) : 0);
    }

    /** The server that another process started, by its {@link #url} and {@link #postmaster}. */
    public static Database at(String url, long postmaster) {
        return new Database(url, null, postmaster);
    }

    /** A store on empty tables that were never analysed. */
    public PostgresStore fresh() throws SQLException {
        clear();
        return PostgresStore.open(options());
    }

    /** Options with which another process opens the same tables. */
    public PostgresOptions options() {
        return options(url);
    }

    /** Options with which a process opens the tables on the server of that address. */
    public static PostgresOptions options(String url) {
        return PostgresOptions.at(url).withSchema(SCHEMA);
    }

    /** The address for JDBC, with the user. */
    public String url() {
        return url;
    }

    /** A pool for a contender on the same schema, empty. */
    public HikariDataSource freshPool(int connections) throws SQLException {
        clear();
        run("CREATE SCHEMA " + SCHEMA);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.addDataSourceProperty("currentSchema", SCHEMA);
        return new HikariDataSource(config);
    }

    /**
     * Brings the tables to the state that autovacuum reaches within an hour: the planner knows them, and no write is
     * left.
     */
    public void analyse() throws SQLException {
        run("VACUUM ANALYZE");
        run("CHECKPOINT");
    }

    /** A session with a snapshot of the present state, until it is closed. */
    public Connection hold() throws SQLException {
        Connection session = DriverManager.getConnection(url);
        session.setAutoCommit(false);
        session.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = session.createStatement()) {
            statement.execute("SELECT count(*) FROM " + SCHEMA + ".job");
        }
        return session;
    }

    /** The process whose tree is the server; 0 if unknown. */
    public long postmaster() {
        return postmaster;
    }

    /** Runs statements outside of the measurement, without a result. */
    public void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void clear() throws SQLException {
        run("DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
        run("CHECKPOINT");
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
