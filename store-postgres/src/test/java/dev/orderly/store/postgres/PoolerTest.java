package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.Orderly;
import dev.orderly.job.StandardQueue;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A store behind PgBouncer, where it is installed, with the settings of {@code docs/operations.md}. */
class PoolerTest {
    private static final String SESSION = "session";
    private static final String PROGRAM = ChildProcess.installed("pgbouncer").map(Path::toString).orElse("");

    @TempDir
    private Path folder = Path.of("");
    private final PostgresOptions direct = Server.fresh();
    private final int port = FreePort.find();

    @AfterEach
    void drop() {
        Server.run("DROP SCHEMA IF EXISTS " + direct.schema() + " CASCADE");
    }

    @Test
    void behindAPoolerInSessionModeJobsArePushedHintedAndRun() throws Exception {
        if (isMissing()) {
            return;
        }
        try (ChildProcess _ = start(SESSION);
                PostgresStore pushing = PostgresStore.open(pooled());
                PostgresStore working = PostgresStore.open(pooled());
                Orderly producer = Orderly.open(pushing);
                Orderly worker = Orderly.open(working)) {
            CompletableFuture<String> ran = new CompletableFuture<>();
            worker.handle(worker.queue("mail", String.class), (text, _) -> ran.complete(text));
            worker.start();
            StandardQueue<String> mail = producer.queue("mail", String.class);
            mail.push("hello");
            assertThat(ran.get(1, TimeUnit.MINUTES)).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "statement"})
    void aPoolerInAnotherModeIsRefusedWithTheRemedy(String mode) throws Exception {
        if (isMissing()) {
            return;
        }
        try (ChildProcess _ = start(mode); HikariDataSource source = new HikariDataSource(pool())) {
            assertThatThrownBy(() -> PostgresStore.open(pooled())).isInstanceOf(StoreException.Unusable.class)
                    .hasMessageContaining("pool_mode = session");
            assertThatThrownBy(() -> PostgresStore.open(direct, source)).isInstanceOf(StoreException.Unusable.class)
                    .hasMessageContaining("pool_mode = session");
        }
    }

    private static boolean isMissing() {
        if (PROGRAM.isEmpty()) {
            LoggerFactory.getLogger(PoolerTest.class).error("NOT TESTED BEHIND PGBOUNCER: none is installed");
        }
        return PROGRAM.isEmpty();
    }

    private PostgresOptions pooled() {
        return PostgresOptions.at("postgres://postgres@127.0.0.1:" + port + "/postgres?connections=3&schema="
                + direct.schema());
    }

    private HikariConfig pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(pooled().url());
        config.setUsername("postgres");
        config.setMaximumPoolSize(4);
        return config;
    }

    /** PgBouncer runs as another user than root. */
    private ChildProcess start(String mode) throws IOException {
        boolean root = "root".equals(System.getProperty("user.name"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path file = Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                postgres = host=127.0.0.1 port=%d user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                auth_type = any
                unix_socket_dir =
                pool_mode = %s
                ignore_startup_parameters = extra_float_digits
                """.formatted(Server.port(), port, mode) + (root ? "user = nobody\n" : ""));
        ChildProcess process = ChildProcess.start(List.of(PROGRAM, "-q", file.toString()),
                builder -> builder.redirectErrorStream(true));
        await().ignoreExceptions().until(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            }
        });
        return process;
    }
}
