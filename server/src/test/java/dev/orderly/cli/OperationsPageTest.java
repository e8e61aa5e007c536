package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.server.OrderlyServer;
import dev.orderly.server.ServerInTest;
import dev.orderly.snippet.PageCommands;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of docs/operations.md, in an operator's folder, with a free port in place of the page's and another
 * folder in place of {@code /mnt/backups}. What systemctl does is done to a server in this process.
 */
class OperationsPageTest {
    private static final String PAGE = "operations.md";

    @TempDir
    private Path folder = Path.of("");
    private Path file = Path.of("");
    private @Nullable OrderlyServer server;
    private String url = "http://127.0.0.1:1";
    private final StringWriter out = new StringWriter();

    @BeforeEach
    void start() throws IOException {
        Files.createDirectory(folder.resolve("backups"));
        write("""
                queues: { emails: {}, orders: {} }
                schedules: { daily-report: { cron: daily at 07:30, queue: orders } }
                rooms: { sale: { match: ["/sale/**"], capacity: 1 } }
                """);
        startServer();
    }

    private void write(String parts) throws IOException {
        file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:data/orderly.db
                edge: { port: 0, host: 127.0.0.1, origin: "http://127.0.0.1:1" }
                admin: { port: 0 }
                stop-grace: 1s
                """ + parts);
    }

    private void startServer() {
        OrderlyServer started = ServerInTest.start(file);
        server = started;
        url = "http://127.0.0.1:" + started.adminPort();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    private void run(String name) {
        PageCommands.of(PAGE, name).forEach(this::run1);
    }

    private void run1(String line) {
        String command = line.replace("/mnt/backups", folder.resolve("backups").toString())
                .replace("http://127.0.0.1:8081", url).replace("--config orderly.yaml", "--config " + file);
        if (command.equals("systemctl stop orderly")) {
            stop();
        } else if (command.equals("systemctl start orderly")) {
            startServer();
        } else if (command.startsWith("./orderly ")) {
            orderly(command.substring("./orderly ".length()).split(" +"));
        } else {
            ChildProcess.Ended ended = ChildProcess.run(List.of("bash", "-euc", command),
                    builder -> builder.directory(folder.toFile()).redirectErrorStream(true));
            assertThat(ended.exitCode()).as("%s: %s", line, ended.out()).isZero();
            out.append(ended.out());
        }
    }

    private void orderly(String... arguments) {
        StringWriter err = new StringWriter();
        assertThat(Main.run(TestTerminal.of(out, err, TestTerminal.environment(url, file)), arguments))
                .as("%s: %s", String.join(" ", arguments), err).isZero();
    }

    @Test
    void aBackupIsWrittenWithAndWithoutTheServerAndRestored() throws IOException {
        orderly("queue", "push", "emails", "{\"to\":\"ann\"}");
        String first = PageCommands.of(PAGE, "backup").getFirst();
        run1(first);
        orderly("queue", "push", "emails", "{\"to\":\"bob\"}");
        run("restore");
        assertThat(out.toString()).contains("Wrote ", "sale");
        orderly("queue", "list");
        assertThat(out.toString()).as("the job of the backup, and not the later one").containsPattern("emails +1 ");
        stop();
        try (var files = Files.list(folder.resolve("backups"))) {
            for (Path each : files.toList()) {
                Files.delete(each);
            }
        }
        Files.writeString(file, Files.readString(file).replace("admin: { port: 0 }", "admin: { port: 1 }"));
        url = "http://127.0.0.1:1";
        run1(PageCommands.of(PAGE, "backup").getLast());
        assertThat(folder.resolve("backups/monday.db")).exists();
    }

    @Test
    void theHistoryOfQueuesAndRoomsIsRead() {
        run("history");
        assertThat(out.toString()).contains("\"emails\"", "\"sale\"").doesNotContain("\"status\":4");
    }

    @Test
    void aQueueAndAScheduleThatAreGoneAreForgotten() throws IOException {
        orderly("queue", "pause", "emails"); // from then on the store knows the queue
        stop();
        write("queues: { orders: {} }\n");
        startServer();
        run("forget");
        orderly("queue", "list");
        orderly("schedule", "list");
        assertThat(out.toString().lines().filter(line -> line.matches("(emails|daily-report) .*"))).isEmpty();
    }
}
