package dev.orderly.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.random.RandomGenerator;

/**
 * A port for a server that cannot choose a port itself, and that uses the same port after a restart. Operating systems
 * give none of this range to outgoing connections, so no other test takes it in between.
 */
public final class FreePort {
    private static final int FIRST = 15_000;
    private static final int BEYOND = 32_000;
    private static final int TRIES = 100;

    private FreePort() {}

    /** A port of loopback on which nothing listens. */
    public static int find() {
        RandomGenerator random = RandomGenerator.getDefault();
        for (int n = 0; n < TRIES; n++) {
            int port = random.nextInt(FIRST, BEYOND);
            try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException _) {
                // taken
            }
        }
        throw new UncheckedIOException(new IOException("No free port from " + FIRST + " to " + BEYOND));
    }
}
