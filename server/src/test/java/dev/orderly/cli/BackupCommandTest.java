package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.server.OrderlyServer;
import dev.orderly.server.ServerInTest;
import dev.orderly.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code orderly store backup}, with a server that runs and without. */
class BackupCommandTest {
    @TempDir
    private Path folder = Path.of("");
    private Path file = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, host: 127.0.0.1 }
                admin: { port: 0 }
                queues: { emails: { concurrency: 4 } }
                stop-grace: 1s
                """);
    }

    private OrderlyServer started() {
        return ServerInTest.start(file);
    }

    private int run(String... arguments) {
        return Main.run(TestTerminal.of(out, err, Map.of("ORDERLY_CONFIG", file.toString())), arguments);
    }

    @Test
    void aServerThatRunsWritesABackupAndItsAuditLogSaysSo() {
        Path backup = folder.resolve("backup.db");
        try (OrderlyServer server = started()) {
            String url = "http://127.0.0.1:" + server.adminPort();
            assertThat(run("queue", "push", "emails", "{\"to\":\"ann\"}", "--url", url)).as(err::toString).isZero();
            assertThat(run("store", "backup", backup.toString(), "--url", url)).as(err::toString).isZero();
            assertThat(out.toString()).contains("Wrote " + backup);
            assertThat(backup).exists();
            assertThat(run("store", "backup", backup.toString(), "--url", url)).isEqualTo(Main.FAILED);
            assertThat(err.toString()).contains("exists: name a new file");
            assertThat(run("audit", "--url", url)).as(err::toString).isZero();
            assertThat(out.toString()).contains("beginBackup", backup.toString());
        }
        try (SqliteStore restored = SqliteStore.at(backup)) {
            assertThat(restored.jobViews().list(new QueueName("emails"), JobState.WAITING, null, 10)).hasSize(1);
        }
    }

    @Test
    void withoutAServerTheCommandItselfWritesTheBackup() throws IOException {
        started().close();
        Files.writeString(file, Files.readString(file).replace("admin: { port: 0 }", "admin: { port: 1 }"));
        Path backup = folder.resolve("backup.db");
        assertThat(run("store", "backup", backup.toString(), "--config", file.toString())).as(err::toString).isZero();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(Path::getFileName).map(Path::toString)).contains("backup.db", "backup.db-running");
        }
    }

    @Test
    void withoutAServerAndAConfigurationTheCommandNamesTheRemedy() {
        assertThat(run("store", "backup", folder.resolve("backup.db").toString(), "--url", "http://127.0.0.1:1"))
                .isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("--config");
        assertThat(List.of(folder.toFile().list())).doesNotContain("backup.db");
    }
}
