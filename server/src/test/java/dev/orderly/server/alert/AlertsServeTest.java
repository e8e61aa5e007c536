package dev.orderly.server.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.server.OwnUser;
import dev.orderly.server.Secrets;
import dev.orderly.server.ServerProcess;
import dev.orderly.testkit.server.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Alerts of two servers with one store. */
@Timeout(300)
class AlertsServeTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void eachConditionOfTwoNodesIsReportedOnceAndADeadNodeByTheOther() throws Exception {
        Path secret = folder.resolve("secret");
        Secrets secrets = Secrets.read(null, secret, false);
        try (PostgresServer postgres = PostgresServer.start("fsync=off");
                AlertReceiverStub receiver = new AlertReceiverStub(secrets.webhooks());
                HttpClient http = HttpClient.newHttpClient()) {
            Path config = Files.writeString(folder.resolve("orderly.yaml"), """
                    store: %s
                    secret-file: secret
                    queues: { mail: { handler: "http://127.0.0.1:1/", retry: { attempts: 1 } } }
                    alerts: { url: "%s", oldest-job: 1h }
                    """.formatted(postgres.url(), receiver.url()));
            try (ServerProcess one = ServerProcess.start(config, folder.resolve("one.log"));
                    ServerProcess other = ServerProcess.start(config, folder.resolve("other.log"))) {
                push(http, one);
                awaitDead(http, one, 1);
                // The first look at a queue reports no letters: it may have been before this one or after it.
                await().atMost(SOON).until(() -> {
                    push(http, other);
                    return !receiver.of("queue.dead").isEmpty();
                });
                assertThat(receiver.of("queue.dead")).containsExactly("queue.dead event mail");
                // The other node hears of this one within seconds, and has by now.
                one.kill();
                await().atMost(SOON).until(() -> !receiver.of("node.gone").isEmpty());
                assertThat(other.isAlive()).isTrue();
            }
            assertThat(receiver.of("node.gone")).hasSize(1);
            assertThat(receiver.faults()).isEmpty();
        }
    }

    @Test
    void aTestAlertIsSentByTheCommandLine() throws Exception {
        Path secret = folder.resolve("secret");
        Secrets secrets = Secrets.read(null, secret, false);
        try (AlertReceiverStub receiver = new AlertReceiverStub(secrets.webhooks())) {
            Path config = Files.writeString(folder.resolve("orderly.yaml"), """
                    store: sqlite:orderly.db
                    secret-file: secret
                    alerts: { url: "%s" }
                    """.formatted(receiver.url()));

            assertThat(ServerProcess.run("alerts", "test", config.toString()))
                    .satisfies(ended -> assertThat(ended.exitCode()).isZero());
            assertThat(receiver.of("test")).containsExactly("test event orderly");
            assertThat(receiver.faults()).isEmpty();
            receiver.refusals.set(1);
            assertThat(ServerProcess.run("alerts", "test", config.toString()).exitCode()).isEqualTo(1);
        }
    }

    private static void push(HttpClient http, ServerProcess server) throws Exception {
        http.send(OwnUser.of(server.localAccess(), HttpRequest.newBuilder(
                URI.create(server.api() + "/api/v1/queues/mail/jobs"))).header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("1")).build(),
                BodyHandlers.discarding());
    }

    private static void awaitDead(HttpClient http, ServerProcess server, int letters) {
        await().atMost(SOON).until(() -> http.send(OwnUser.of(server.localAccess(), HttpRequest.newBuilder(
                URI.create(server.api() + "/api/v1/queues/mail"))).build(), BodyHandlers.ofString()).body()
                .replace(" ", "").contains("\"dead\":" + letters));
    }
}
