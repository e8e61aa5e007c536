package dev.orderly.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/** Pebble, an ACME server for tests, with a name server that leads every domain to this machine. */
public final class PebbleServer implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(1);

    private final int port = FreePort.find();
    private final List<ChildProcess> processes = new ArrayList<>();

    private PebbleServer() {}

    /** The path of the program; empty where it is not installed. */
    public static Optional<Path> program() {
        return ChildProcess.installed("pebble").filter(_ -> ChildProcess.installed("pebble-challtestsrv").isPresent());
    }

    /**
     * Starts it. Blocks until it answers.
     *
     * @param folder for its files
     * @param identity PEM file with its certificate, for {@code localhost}, and its key
     * @param http the port where it looks for challenges, in place of 80
     * @param tls the same in place of 443
     * @throws IllegalStateException if it is not installed
     */
    public static PebbleServer start(Path folder, Path identity, int http, int tls) throws IOException {
        PebbleServer server = new PebbleServer();
        int names = FreePort.find();
        Path config = Files.writeString(folder.resolve("pebble.json"), """
                { "pebble": { "listenAddress": "127.0.0.1:%d", "managementListenAddress": "127.0.0.1:%d",
                  "certificate": "%s", "privateKey": "%s", "httpPort": %d, "tlsPort": %d } }
                """.formatted(server.port, FreePort.find(), identity, identity, http, tls));
        server.run(folder, "pebble-challtestsrv", "-defaultIPv4", "127.0.0.1", "-defaultIPv6", "", "-dns01",
                "127.0.0.1:" + names, "-http01", "", "-https01", "", "-tlsalpn01", "", "-management",
                "127.0.0.1:" + FreePort.find());
        server.run(folder, "pebble", "-config", config.toString(), "-dnsserver", "127.0.0.1:" + names, "-strict");
        Awaitility.await().atMost(START).ignoreExceptions().until(() -> {
            new Socket(InetAddress.getLoopbackAddress(), server.port).close();
            return true;
        });
        return server;
    }

    private void run(Path folder, String program, String... options) {
        List<String> command = new ArrayList<>(List.of(ChildProcess.installed(program).orElseThrow(
                () -> new IllegalStateException(program + " is not on the PATH: install pebble")).toString()));
        command.addAll(List.of(options));
        processes.add(ChildProcess.start(command, builder -> {
            builder.environment().putAll(Map.of("PEBBLE_VA_NOSLEEP", "1", "PEBBLE_WFE_NONCEREJECT", "20"));
            return builder.redirectErrorStream(true).redirectOutput(folder.resolve(program + ".log").toFile());
        }));
    }

    /** The address of its directory. */
    public URI directory() {
        return URI.create("https://localhost:" + port + "/dir");
    }

    @Override
    public void close() {
        processes.reversed().forEach(ChildProcess::close);
    }
}
