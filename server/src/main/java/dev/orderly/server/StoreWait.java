package dev.orderly.server;

import dev.orderly.config.Config;
import dev.orderly.config.ListenAddress;
import dev.orderly.http.InterimServer;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import dev.orderly.web.room.UnavailableSite;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wait of a start for a shared store that does not answer, as in an outage in which a node is restarted. Meanwhile
 * the listeners answer what needs no store: health, with 503 at {@code /health/ready}, and at the edge a page that asks
 * again. No origin is asked, since no room can decide: what it knows of passes, its epoch and who was revoked is in the
 * store. Used by one thread.
 */
final class StoreWait implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWait.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** Pauses between two lines of the log. */
    private static final int LOGGED_EACH = 30;

    private final Config config;
    private final EdgeCapacity capacity;
    private final Predicate<Duration> pause;
    private final ListenerTransport admin;
    private final Map<Listener, AutoCloseable> open = new EnumMap<>(Listener.class);

    /** A listener of a server. */
    enum Listener {
        EDGE, ADMIN, METRICS
    }

    /**
     * A wait that has not begun.
     *
     * @param admin of the listener of the API
     * @param pause waits for that long; false if the start is to be given up
     */
    StoreWait(Config config, EdgeCapacity capacity, ListenerTransport admin, Predicate<Duration> pause) {
        this.config = config;
        this.capacity = capacity;
        this.admin = admin;
        this.pause = pause;
    }

    /**
     * Starts, and starts again for as long as a shared store does not answer. Blocks.
     *
     * @param start takes over each listener by {@link #release} before it listens itself; leaves nothing open when it
     *     fails
     * @throws StartFailedException if the start was given up
     * @throws StoreException if the store cannot be used, or does not answer and is this node's own
     */
    <T> T until(Supplier<T> start) {
        for (int failures = 0;; failures++) {
            try {
                return start.get();
            } catch (StoreException.Unavailable e) {
                if (!config.store().isShared()) {
                    throw e;
                }
                if (failures % LOGGED_EACH == 0) {
                    LOG.warn("The server waits for its store, and tries again each second: {}. Until then"
                            + " /health/ready is 503, and every request gets 503", e.getMessage());
                }
            }
            serve();
            if (!pause.test(PAUSE)) {
                throw new StartFailedException("The start was given up while the server waited for its store", null);
            }
        }
    }

    /** Frees the address of a listener. Blocks until it is free. */
    void release(Listener listener) {
        AutoCloseable known = open.remove(listener);
        if (known != null) {
            close(known);
        }
    }

    private void serve() {
        if (!open.containsKey(Listener.ADMIN)) {
            health(Listener.ADMIN, "api", admin);
        }
        ListenAddress metrics = config.metrics();
        if (metrics != null && !open.containsKey(Listener.METRICS)) {
            health(Listener.METRICS, "metrics",
                    ListenerTransport.plain(new BindAddress(metrics.host(), metrics.port())));
        }
        boolean issues = config.edge().tls() != null && config.edge().tls().acme() != null; // keys are in the store
        if (!issues && !open.containsKey(Listener.EDGE)) {
            edge();
        }
    }

    private void health(Listener listener, String name, ListenerTransport transport) {
        Readiness readiness = new Readiness(List.of(new Readiness.Check("store", () -> {
            throw new IllegalStateException("The server starts and waits for its store; the reason is in the log");
        })), Time.system());
        InterimServer server = InterimServer.ofHealth(name, transport, capacity.api(), readiness);
        server.start();
        open.put(listener, server);
    }

    private void edge() {
        Config.Site site = config.site();
        ListenerCertificates certificates = ListenerCertificates.ofFiles(config.edge(), site.hosts());
        ListenerTransport transport = site.proxyProtocol()
                ? certificates.transport().withProxies(site.trusted()::containPeer)
                : certificates.transport();
        UnavailableSite pages = new UnavailableSite(site.rooms().stream()
                .map(room -> new UnavailableSite.Front(room.match(), room.page())).toList());
        InterimServer edge = InterimServer.ofEdge(transport, capacity.edge(), site.trusted(), pages);
        edge.start();
        open.put(Listener.EDGE, () -> {
            edge.close();
            certificates.close();
        });
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            LOG.error("A listener of the wait for the store did not close in order", e);
        }
    }

    /** Frees all addresses. Idempotent. */
    @Override
    public void close() {
        List.of(Listener.values()).forEach(this::release);
    }
}
