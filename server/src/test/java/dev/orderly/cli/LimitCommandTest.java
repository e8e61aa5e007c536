package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.server.OrderlyServer;
import dev.orderly.server.ServerInTest;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of a configuration, as a server has them in force. */
class LimitCommandTest {
    private static final String FILE = """
            store: sqlite:orderly.db
            edge: { port: 0, host: 127.0.0.1 }
            admin: { port: 0 }
            limits:
              crm-api: { concurrency: 20, rate: 100 per 10s }
            queues:
              contacts: { limit: crm-api }
              invoices: { limit: crm-api }
              nightly: { limit: { concurrency: 1 } }
              free: {}
              exports: { key: params.tenant, per-key: { concurrency: 2 } }
              orders.fifo: {}
              steps.fifo: { per-key: { rate: 5 per 1s } }
              shared: { limit: { concurrency: 4 }, key: user, per-key: { share: 50% } }
            stop-grace: 1s
            """;

    @TempDir
    private Path folder = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void limitsAreListedWithTheirQueuesAndFollowTheFileWhenItIsReloaded() throws IOException {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), FILE);
        try (OrderlyServer server = ServerInTest.start(file)) {
            assertThat(run(server, file, "limit", "list")).isZero();
            assertThat(out.toString())
                    .containsPattern("crm-api +0 of 20 +0 of 100 per 10 s +0 +- +contacts invoices")
                    .containsPattern("queue:nightly +0 of 1 +- +0 +- +nightly").doesNotContain("free")
                    .containsPattern("key:shared +share 50% +- +0 +- +shared")
                    .containsPattern("key:steps.fifo +- +5 each per 1 s +0 +- +steps.fifo");
            assertThat(run(server, file, "config", "show", "limits")).isZero();
            assertThat(out.toString()).containsPattern("limits.crm-api.concurrency +20 ");

            Files.writeString(file, FILE.replace("concurrency: 20", "concurrency: 7").replace(
                    "invoices: { limit: crm-api }", "invoices: {}"));
            assertThat(run(server, file, "config", "reload")).as(err.toString()).isZero();
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                out.getBuffer().setLength(0);
                assertThat(run(server, file, "limit", "list")).isZero();
                assertThat(out.toString()).containsPattern("crm-api +0 of 7 +0 of 100 per 10 s +0 +- +contacts\\s");
            });
        }
    }

    @Test
    void boundsOfAnOperatorCountUntilTheyAreResetAndSurviveARestart() throws IOException {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), FILE);
        try (OrderlyServer server = ServerInTest.start(file)) {
            assertThat(run(server, file, "limit", "set", "crm-api", "--concurrency", "3", "--rate", "50 per 5s"))
                    .as(err.toString()).isZero();
            assertThat(out.toString()).contains("concurrency 3, rate 50 per 5 s");
            assertThat(run(server, file, "limit", "set", "queue:nightly", "--concurrency", "2")).isZero();
            assertThat(run(server, file, "limit", "set", "unknown", "--concurrency", "2")).isNotZero();
            assertThat(err.toString()).contains("No queue has limit unknown");
            assertThat(run(server, file, "limit", "set", "crm-api", "--concurrency", "0")).isNotZero();
            assertThat(run(server, file, "limit", "set", "crm-api", "--rate", "50")).isEqualTo(Main.WRONG);
            assertThat(run(server, file, "limit", "set", "key:steps.fifo", "--concurrency", "2")).isNotZero();
            assertThat(err.toString()).contains("one job of each group runs at a time: change its rate");
            awaitLimits(server, file, "crm-api \\(set by an operator\\) +0 of 3 +0 of 50 per 5 s ",
                    "queue:nightly \\(set by an operator\\) +0 of 2 ");
        }
        try (OrderlyServer server = ServerInTest.start(file)) {
            awaitLimits(server, file, "crm-api \\(set by an operator\\) +0 of 3 +0 of 50 per 5 s ");
            Files.writeString(file, FILE.replace("concurrency: 20", "concurrency: 7"));
            assertThat(run(server, file, "config", "reload")).as(err.toString()).isZero();
            assertThat(run(server, file, "limit", "set", "crm-api", "--concurrency", "default")).isZero();
            awaitLimits(server, file, "crm-api \\(set by an operator\\) +0 of 7 +0 of 50 per 5 s ");
            out.getBuffer().setLength(0);
            assertThat(run(server, file, "limit", "show", "crm-api")).isZero();
            assertThat(out.toString()).contains("orderly limit reset crm-api");
            assertThat(run(server, file, "limit", "reset", "crm-api")).isZero();
            awaitLimits(server, file, "crm-api +0 of 7 +0 of 100 per 10 s ");
        }
    }

    @Test
    void aKeyHasBoundsAndAPauseOfItsOwnAndAGroupAPauseThatSurviveARestart() throws IOException {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), FILE);
        try (OrderlyServer server = ServerInTest.start(file)) {
            assertThat(run(server, file, "limit", "set", "exports", "--key", "a/b c", "--concurrency", "3", "--rate",
                    "50 per 5s")).as(err.toString()).isZero();
            assertThat(out.toString()).contains("Key a/b c of queue exports is changed", "concurrency 3, rate 50");
            assertThat(run(server, file, "queue", "pause", "exports", "--key", "acme")).isZero();
            assertThat(out.toString()).contains("resume it with: orderly queue resume exports --key acme");
            assertThat(run(server, file, "queue", "pause", "orders.fifo", "--group", "4711")).isZero();
            assertThat(run(server, file, "queue", "pause", "orders.fifo", "--key", "4711")).isEqualTo(Main.WRONG);
            assertThat(err.toString()).contains("A FIFO queue has groups");
            assertThat(run(server, file, "queue", "pause", "exports", "--group", "4711")).isEqualTo(Main.WRONG);
            assertThat(err.toString()).contains("A standard queue has keys");
            assertThat(run(server, file, "limit", "set", "orders.fifo", "--key", "4711", "--concurrency", "2"))
                    .isNotZero();
            assertThat(err.toString()).contains("Group 4711 of queue orders.fifo has no bounds");
            assertThat(run(server, file, "limit", "set", "nowhere", "--key", "a", "--concurrency", "2")).isNotZero();
            assertThat(err.toString()).contains("Queue nowhere does not exist");
        }
        try (OrderlyServer server = ServerInTest.start(file)) {
            assertThat(run(server, file, "queue", "keys", "exports")).isZero();
            assertThat(out.toString())
                    .containsPattern("a/b c +0 of 3 +0 of 50 per 5 s +- +- +bounds set by an operator")
                    .containsPattern("acme +0 of 2 +0 +- +- +paused");
            assertThat(run(server, file, "queue", "keys", "orders.fifo")).isZero();
            assertThat(out.toString()).containsPattern("4711 +0 +0 +- +- +paused");
            assertThat(run(server, file, "limit", "show", "exports", "--key", "a/b c")).isZero();
            assertThat(out.toString()).contains("orderly limit reset exports --key a/b c");
            assertThat(run(server, file, "limit", "reset", "exports", "--key", "a/b c")).isZero();
            assertThat(run(server, file, "queue", "resume", "exports", "--key", "acme")).isZero();
            out.getBuffer().setLength(0);
            assertThat(run(server, file, "queue", "keys", "exports")).isZero();
            assertThat(out.toString()).doesNotContain("acme", "a/b c");
        }
    }

    private void awaitLimits(OrderlyServer server, Path file, String... patterns) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            out.getBuffer().setLength(0);
            assertThat(run(server, file, "limit", "list")).isZero();
            for (String pattern : patterns) {
                assertThat(out.toString()).containsPattern(pattern);
            }
        });
    }

    private int run(OrderlyServer server, Path file, String... arguments) {
        String url = "http://127.0.0.1:" + server.adminPort();
        return Main.run(TestTerminal.of(out, err, TestTerminal.environment(url, file)), arguments);
    }
}
