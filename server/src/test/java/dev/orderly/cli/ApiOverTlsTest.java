package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.server.OrderlyServer;
import dev.orderly.server.ServerInTest;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API with TLS of its own, from the first token to a command elsewhere. */
class ApiOverTlsTest {
    @TempDir
    private Path folder = Path.of("");
    private final TestAuthority authority = new TestAuthority(Time.system().now());
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private OrderlyServer start() throws IOException {
        return start("");
    }

    /** @param more keys of admin.tls */
    private OrderlyServer start(String more) throws IOException {
        authority.issue("localhost").write(folder, "api");
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, host: 127.0.0.1 }
                queues: { emails: {} }
                routes: [ { post: /mail, queue: emails } ]
                admin: { host: 0.0.0.0, port: 0, tls: { certificate: api.pem, key: api.key%s } }
                """.formatted(more));
        return ServerInTest.start(file);
    }

    private int run(OrderlyServer server, String... arguments) {
        return Main.run(TestTerminal.of(out, err, TestTerminal.environment("https://localhost:" + server.adminPort(),
                folder.resolve("orderly.yaml"))), arguments);
    }

    @Test
    void theFirstTokenIsMadeOnLoopbackAndThenTheApiListensEverywhereByTls() throws Exception {
        Path ca = Files.writeString(folder.resolve("ca.pem"), authority.pem());
        String token;
        try (OrderlyServer server = start()) {
            assertThat(server.adminHost()).isEqualTo("127.0.0.1");
            assertThat(run(server, "queue", "list")).isEqualTo(Main.FAILED);
            assertThat(err.toString()).contains("is not trusted", "--ca");
            assertThat(run(server, "token", "create", "ann", "--role", "operator", "--ca", ca.toString())).isZero();
            token = out.toString().strip();
        }
        try (OrderlyServer server = start()) {
            assertThat(server.adminHost()).isEqualTo("0.0.0.0");
            assertThat(run(server, "queue", "pause", "emails", "--ca", ca.toString(), "--token", token)).isZero();
            assertThat(out.toString()).contains("Queue emails is paused");
        }
    }

    @Test
    void anApiWithAuthoritiesOfClientsServesTheirCertificatesOnly() throws Exception {
        Path ca = Files.writeString(folder.resolve("ca.pem"), authority.pem());
        authority.issueClient("ann").write(folder, "ann");
        String own = folder.resolve("ann.pem") + "," + folder.resolve("ann.key");
        try (OrderlyServer server = start(", clients: ca.pem")) {
            assertThat(run(server, "queue", "list", "--ca", ca.toString())).isEqualTo(Main.FAILED);
            assertThat(err.toString()).contains("asks for a certificate of its clients", "--cert");
            assertThat(run(server, "queue", "list", "--ca", ca.toString(), "--cert", own)).isZero();
        }
        try (OrderlyServer server = start(", clients: ca.pem, clients-required: false")) {
            assertThat(run(server, "queue", "list", "--ca", ca.toString())).isZero();
        }
    }
}
