package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.server.OrderlyServer;
import dev.orderly.server.ServerInTest;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server of a command that was given neither an address nor a configuration. */
class FoundServerTest {
    @TempDir
    private Path folder = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void theConfigurationThatIsFoundNamesTheAddress() throws IOException {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, host: 127.0.0.1, warm-up: 0s }
                admin: { port: 0 }
                queues: { emails: {} }
                """);
        try (OrderlyServer server = ServerInTest.start(file)) {
            Path found = found("admin: { port: " + server.adminPort() + " }");
            assertThat(status(found)).as(err.toString()).isZero();
            assertThat(out.toString()).contains("emails");
        }
    }

    @Test
    void aConfigurationThatIsFoundLeadsToNoOtherMachine() throws IOException {
        status(found("admin: { host: 10.255.255.1, port: 8081, trusted-proxies: [10.0.0.2] }"));
        assertThat(err.toString()).doesNotContain("10.255.255.1");
    }

    private Path found(String admin) throws IOException {
        return Files.writeString(folder.resolve("found.yaml"), "store: sqlite:orderly.db\n" + admin + "\n");
    }

    private int status(Path found) {
        return Main.run(TestTerminal.of(out, err, Map.of("ORDERLY_CONFIG", found.toString())), "status");
    }
}
