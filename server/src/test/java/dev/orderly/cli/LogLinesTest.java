package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.server.OwnUser;
import dev.orderly.server.ProgramProcess;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the log lines of a server carry. */
class LogLinesTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            text | trace=%s | queue=mail.fifo | group=g-7 | user=ann  | job=%s
            json | "trace":"%s" | "queue":"mail.fifo" | "group":"g-7" | "user":"ann" | "job":"%s"
            """)
    void aLineOfAJobNamesJobQueueGroupUserAndTraceAndNeverThePayload(String format, String trace, String queue,
            String group, String user, String job) throws Exception {
        int port = FreePort.find();
        Path log = folder.resolve("log");
        Path config = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                log: %s
                edge: { host: 127.0.0.1, port: 0 }
                admin: { port: %d }
                queues: { mail.fifo: { handler: "http://127.0.0.1:1/", retry: { attempts: 1 } } }
                """.formatted(format, port));
        List<String> command = ProgramProcess.command("dev.orderly.cli.Main", "serve", "--config",
                config.toString());
        try (ChildProcess _ = ChildProcess.start(command, builder -> builder.redirectError(log.toFile()));
                HttpClient http = HttpClient.newHttpClient()) {
            await().ignoreExceptions().until(() -> http.send(HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + port + "/health/live")).build(), BodyHandlers.discarding())
                    .statusCode() == 200);
            var answer = http.send(OwnUser.of(folder.resolve("data/local-access"), HttpRequest.newBuilder(URI.create(
                    "http://127.0.0.1:" + port + "/api/v1/queues/mail.fifo/jobs?group=g-7&user=ann")))
                    .header("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01")
                    .header("Content-Type", "application/json").POST(BodyPublishers.ofString("\"rosebud\"")).build(),
                    BodyHandlers.ofString());
            String id = answer.headers().firstValue("X-Job-Id").orElseThrow();
            await().until(() -> Files.readString(log).contains("is a dead letter"));

            assertThat(Files.readAllLines(log)).filteredOn(line -> line.contains("is a dead letter")).singleElement()
                    .satisfies(line -> assertThat(line).contains(trace.formatted(TRACE), queue, group, user.strip(),
                            job.formatted(id)));
            assertThat(Files.readString(log)).doesNotContain("rosebud");
        }
    }
}
