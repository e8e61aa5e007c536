package dev.orderly.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.reader.ConfigResult;
import dev.orderly.server.OrderlyServer;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** A server in front of a {@link StrictOrigin}, with a room that lets nobody in, for the life of the process. */
final class FuzzedSite {
    final StrictOrigin origin;
    final TestAuthority authority = new TestAuthority(Time.system().now());
    final OrderlyServer server;

    /**
     * Starts the server.
     *
     * @param edge further keys of the edge, each after a comma
     * @param client the address of its only client; null if its proxy names others
     */
    FuzzedSite(String edge, @Nullable String client) {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.ERROR);
        origin = new StrictOrigin(client);
        try {
            Path folder = Files.createTempDirectory("orderly-fuzz");
            authority.issue("localhost").write(folder, "site");
            String text = """
                    store: sqlite:orderly.db
                    edge: { origin: "http://127.0.0.1:%d", port: 0, host: 127.0.0.1%s }
                    admin: { port: 0 }
                    queues: { emails: {}, orders.fifo: {} }
                    routes:
                      - { post: "/mail", queue: emails, accepts: [application/json, text/plain, multipart/form-data, application/x-www-form-urlencoded] }
                    rooms:
                      vip:
                        match: ["/vip/**"]
                        capacity: 1
                        openings: [ { opens: "2199-01-01T10:00 UTC" } ]
                    """
                    .formatted(origin.port(), edge);
            server = switch (new ConfigFile(Files.writeString(folder.resolve("orderly.yaml"), text), Map.of())
                    .read()) {
                case ConfigResult.Valid valid -> OrderlyServer.start(valid.config(), Map.of());
                case ConfigResult.Invalid invalid -> throw new AssertionError(invalid.problems());
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
