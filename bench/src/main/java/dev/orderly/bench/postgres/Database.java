package dev.orderly.bench.postgres;

import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL of our own that keeps what it acknowledges, or the one that {@code ORDERLY_BENCH_POSTGRES} names. */
final class Database implements AutoCloseable {
    private static final String SCHEMA = "bench";

    private final String url;
    private final Closeable server;

    private Database(String url, Closeable server) {
        this.url = url;
        this.server = server;
    }

    static Database start(Path folder) throws IOException {
        String given = System.getenv("ORDERLY_BENCH_POSTGRES");
        if (given != null) {
            return new Database(given, () -> {});
        }
        EmbeddedPostgres server = EmbeddedPostgres.builder().setDataDirectory(folder.resolve("postgres"))
                .setServerConfig("fsync", "on").setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on").setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_connections", "200").start();
        return new Database(server.getJdbcUrl("postgres", "postgres"), server);
    }

    /** Tables that hold nothing and were never analysed. */
    PostgresStore fresh() throws SQLException {
        run("DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
        run("CHECKPOINT");
        return PostgresStore.open(PostgresOptions.at(url).withSchema(SCHEMA), new SecureRandom());
    }

    void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
