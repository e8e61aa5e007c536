package dev.orderly.http.room;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.orderly.flow.Lifecycle;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.gateway.Origin;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.http.tls.ListenerTls;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.path.PathGlob;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomGate;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.log.VisitorLog;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An edge under test: rooms on the memory store, in front of an origin that answers each request with its own path.
 * {@link #pass} moves the clock and the rooms.
 */
public final class RoomNode implements Guest.Site, AutoCloseable {
    public static final RoomName SALE = new RoomName("sale");
    public static final RoomOptions ONE_INSIDE = RoomOptions.of(new Limits(1, null));

    public final ManualTime time;
    public final FaultyStore store;
    public final RoomEngine rooms;
    public final EdgeServer edge;
    /** Method, path and room headers of each request that reached the origin. */
    public final Queue<String> reached = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger GATES = new AtomicInteger();
    private final HttpServer origin;
    private final Lifecycle pushes = new Lifecycle();
    private final JobClient jobs;
    private final HttpClient client;
    private final String base;
    private volatile Consumer<HttpExchange> behaviour = _ -> {};

    /** One room over {@code /tickets/**}. */
    public RoomNode(RoomOptions options) {
        this(options, RoomMatch.of("/tickets/**"), TrustedProxies.NONE);
    }

    public RoomNode(RoomOptions options, RoomMatch match, TrustedProxies trusted) {
        this(options, match, trusted, HttpLimits.DEFAULT);
    }

    /** One room over {@code /tickets/**}, behind an edge with these limits. */
    RoomNode(RoomOptions options, HttpLimits limits) {
        this(options, RoomMatch.of("/tickets/**"), TrustedProxies.NONE, limits);
    }

    private RoomNode(RoomOptions options, RoomMatch match, TrustedProxies trusted, HttpLimits limits) {
        this(options, match, Gateway.NONE.withTrusted(trusted), limits, Side.plain());
    }

    /** One room over {@code /tickets/**}, whose requests are recorded. */
    RoomNode(RoomOptions options, VisitorLog log) {
        this(options, RoomMatch.of("/tickets/**"), Gateway.NONE, HttpLimits.DEFAULT,
                Side.plain().with(room -> room.withLog(log)));
    }

    /** One room over {@code /tickets/**}, with a source of random numbers that a test can seed. */
    public RoomNode(RoomOptions options, RandomGenerator random) {
        this(options, RoomMatch.of("/tickets/**"), Gateway.NONE, HttpLimits.DEFAULT, Side.plain().withRandom(random));
    }

    /** The same room at a further gate: with the store and the clock of the first one. */
    public RoomNode(RoomNode first, RandomGenerator random) {
        this(first.room().options(), RoomMatch.of("/tickets/**"), Gateway.NONE, HttpLimits.DEFAULT,
                Side.plain().withRandom(random).beside(first));
    }

    /** One room over {@code /tickets/**}, behind proxies of this machine, with further settings. */
    static RoomNode with(RoomOptions options, UnaryOperator<GatedRoom> change) {
        return new RoomNode(options, RoomMatch.of("/tickets/**"),
                Gateway.NONE.withTrusted(TrustedProxies.of("127.0.0.1")), HttpLimits.DEFAULT,
                Side.plain().with(change));
    }

    /** One room over {@code /tickets/**}, which holds requests of called visitors. */
    static RoomNode holding(RoomOptions options) {
        return new RoomNode(options, RoomMatch.of("/tickets/**"), Gateway.NONE, HttpLimits.DEFAULT,
                Side.plain().with(room -> room.withHolds(true)));
    }

    /** One room over {@code /tickets/**}, behind an edge with TLS. */
    public RoomNode(RoomOptions options, HttpLimits limits, ListenerTls tls, SSLContext client,
            HttpClient.Version version) {
        this(options, RoomMatch.of("/tickets/**"), Gateway.NONE, limits,
                new Side(ListenerTransport.tls(BindAddress.loopback(0), tls), HttpClient.newBuilder()
                        .sslContext(client).version(version).build(), "https://localhost:"));
    }

    /**
     * Transport, room and random numbers of an edge, with a client for it.
     *
     * @param first the node whose store and clock it shares; null for its own
     */
    private record Side(ListenerTransport transport, HttpClient client, String base,
            UnaryOperator<GatedRoom> gated, RandomGenerator random, @Nullable RoomNode first) {
        Side(ListenerTransport transport, HttpClient client, String base) {
            this(transport, client, base, UnaryOperator.identity(), new SecureRandom(), null);
        }

        /** @param change of the room in front of the site */
        Side with(UnaryOperator<GatedRoom> change) {
            return new Side(transport, client, base, room -> change.apply(gated.apply(room)), random, first);
        }

        Side withRandom(RandomGenerator source) {
            return new Side(transport, client, base, gated, source, first);
        }

        Side beside(RoomNode other) {
            return new Side(transport, client, base, gated, random, other);
        }

        static Side plain() {
            return new Side(ListenerTransport.plain(BindAddress.loopback(0)),
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), "http://127.0.0.1:");
        }
    }

    private RoomNode(RoomOptions options, RoomMatch match, Gateway trusting, HttpLimits limits, Side side) {
        client = side.client;
        base = side.base;
        RoomNode first = side.first;
        time = first == null ? new ManualTime() : first.time;
        store = first == null ? new FaultyStore(new MemoryStore()) : first.store;
        try {
            origin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        origin.setExecutor(task -> Thread.ofVirtual().name("origin").start(task));
        origin.createContext("/", this::serve);
        origin.start();
        rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
                new GateId("here" + GATES.getAndIncrement()),
                time, side.random);
        Room room = rooms.declare(SALE, options, RoomSignals.none());
        rooms.step();
        GatedRoom gated = side.gated.apply(GatedRoom.of(room, match, new WaitingPage(SALE,
                PageLook.titled("The sale"), PageTemplate.standard())));
        Gateway gateway = Gateway.of(List.of(new Origin(PathGlob.ALL,
                URI.create("http://127.0.0.1:" + origin.getAddress().getPort()), Origin.Host.CLIENT)))
                .withTrusted(trusting.trusted());
        jobs = new JobClient(store.jobs(), store.jobViews(), EngineOptions.defaults(), pushes);
        edge = new EdgeServer(side.transport, Routes.of(List.of(), jobs), limits, gateway,
                EdgeHandlers.NONE.withRooms(new RoomGate(List.of(gated)))
                        .withStrictTransport(Duration.ofHours(1)));
        edge.start();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().add("Saw-Proto", exchange.getRequestHeaders().getFirst("X-Forwarded-Proto"));
            reached.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Orderly-Room") + " "
                    + exchange.getRequestHeaders().getFirst("Cookie"));
            behaviour.accept(exchange);
            byte[] body = ("origin " + exchange.getRequestURI()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Sets the action of the origin before each answer. */
    public void originDoes(Consumer<HttpExchange> what) {
        behaviour = what;
    }

    public Room room() {
        return rooms.find(SALE).orElseThrow();
    }

    /** Advances the time by seconds, with a round of the rooms after each. */
    public void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            time.advance(Duration.ofSeconds(1));
            rooms.step();
        }
    }

    @Override
    public HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create(base + edge.port() + path))
                .timeout(Duration.ofSeconds(60));
    }

    @Override
    public HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public HttpClient client() {
        return client;
    }

    @Override
    public void close() {
        client.shutdownNow();
        edge.close();
        rooms.close();
        pushes.end();
        origin.stop(0);
        store.close();
    }
}
