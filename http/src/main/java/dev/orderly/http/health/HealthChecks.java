package dev.orderly.http.health;

import dev.orderly.Orderly;
import dev.orderly.http.health.Readiness.Check;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.store.StoreException;
import dev.orderly.text.DurationText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checks of a server's {@link Readiness}. */
public final class HealthChecks {
    private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);
    private static final Duration ROUND_MOST = Duration.ofSeconds(20);
    private static final byte[] REQUEST = String
            .join("\r\n", "GET /.orderly/ready HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "", "")
            .getBytes(StandardCharsets.US_ASCII);
    /** The header of the PROXY protocol of a connection that no proxy made for a client. */
    private static final byte[] NO_CLIENT = "PROXY UNKNOWN\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int PATIENCE_MILLIS = 1_500;
    private static final double HEAP_MOST = 0.95;

    private HealthChecks() {}

    /**
     * What this node alone keeps can be written: a file of SQLite. The outage of a shared store is no failure but one
     * of the {@linkplain Orderly#warnings warnings}, since no other node would do better.
     */
    public static Check store(Orderly orderly) {
        return new Check("store", () -> {
            try {
                orderly.stores().checkOwn();
            } catch (StoreException e) {
                LOG.warn("The store cannot be written: {}", e.getMessage());
                throw new IllegalStateException("The store cannot be written; the reason is in the log", e);
            }
        });
    }

    /**
     * The edge answers a request over a connection of its own.
     *
     * @param transport as configured
     * @param port the port in use
     */
    public static Check edge(ListenerTransport transport, IntSupplier port) {
        BindAddress bind = transport.bind();
        return new Check("edge", () -> {
            InetAddress host = hostOf(bind);
            ask(transport, new InetSocketAddress(host.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : host,
                    port.getAsInt()));
        });
    }

    /**
     * The rounds of the rooms run, one of which governs each room.
     *
     * @param orderly on the store of the rooms, whose outage makes rounds slow
     */
    public static Check governor(RoomEngine rooms, Orderly orderly) {
        return new Check("governor", () -> {
            Duration ago = rooms.sinceRound();
            if (!rooms.rooms().isEmpty() && ago.compareTo(ROUND_MOST) > 0 && !orderly.stores().explainsDelays()) {
                throw new IllegalStateException("The rooms have made no round for " + DurationText.rounded(ago));
            }
        });
    }

    /**
     * The warm-up has ended, so that a rush is served at full speed.
     *
     * @param done whether it has ended, or nobody else could serve the rush
     */
    public static Check warmUp(BooleanSupplier done) {
        return new Check("warm-up", () -> {
            if (!done.getAsBoolean()) {
                throw new IllegalStateException("The server warms up; this takes 15 s at most");
            }
        });
    }

    /** The loops of heartbeats, claims, settles, timeouts, schedules and presence make their rounds. */
    public static Check loops(Orderly orderly) {
        return new Check("loops", () -> {
            List<String> stalls = orderly.stalls();
            if (!stalls.isEmpty()) {
                throw new IllegalStateException(String.join("; ", stalls));
            }
        });
    }

    private static InetAddress hostOf(BindAddress bind) {
        try {
            return InetAddress.getByName(bind.host());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("The address of the edge cannot be resolved: " + bind.host(), e);
        }
    }

    private static void ask(ListenerTransport transport, InetSocketAddress address) {
        try (Socket plain = new Socket()) {
            plain.setSoTimeout(PATIENCE_MILLIS);
            plain.connect(address, PATIENCE_MILLIS);
            if (transport.proxies() != null) {
                plain.getOutputStream().write(NO_CLIENT);
            }
            Socket socket = transport.tls() == null
                    ? plain
                    : AnyCertificate.sockets().createSocket(plain, address.getHostString(), address.getPort(), true);
            socket.getOutputStream().write(REQUEST);
            byte[] answer = socket.getInputStream().readNBytes(12);
            String line = new String(answer, StandardCharsets.US_ASCII);
            if (!line.startsWith("HTTP/1.1 ")) {
                throw new IllegalStateException("The edge accepted a connection and did not answer");
            }
            if (line.charAt(9) == '5') {
                throw new IllegalStateException("The edge answered " + line.substring(9));
            }
        } catch (IOException e) {
            throw new IllegalStateException("The edge at " + address + " does not answer: " + e.getMessage(), e);
        }
    }

    /** The last garbage collection left free space in the heap. */
    public static Check heap() {
        return new Check("heap", () -> {
            long used = 0;
            long most = Runtime.getRuntime().maxMemory();
            for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
                MemoryUsage left = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
                used += left == null ? 0 : left.getUsed();
            }
            if (used > most * HEAP_MOST) {
                throw new IllegalStateException("The heap is full: " + (used >> 20) + " of " + (most >> 20)
                        + " MiB were in use after the last garbage collection");
            }
        });
    }
}
