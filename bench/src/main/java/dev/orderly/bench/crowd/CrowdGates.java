package dev.orderly.bench.crowd;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.Store;
import dev.orderly.flow.Lifecycle;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.gateway.Origin;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.time.Time;
import dev.orderly.web.path.PathGlob;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomGate;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.WaitingStreams;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Gates of one room in front of one site, and the next of them in turn, as a balancer without affinity chooses it. */
final class CrowdGates implements AutoCloseable {
    private static final RoomName SALE = new RoomName("sale");
    private static final int CONNECTIONS = 16_384;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final HttpServer origin;
    private final List<Runnable> parts = new ArrayList<>();
    private final List<EdgeServer> edges = new ArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();

    /** @param stores the store as each gate has opened it */
    CrowdGates(List<Store> stores, CrowdPlan plan) throws IOException {
        origin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        origin.setExecutor(task -> Thread.ofVirtual().name("origin").start(task));
        origin.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, -1);
            }
        });
        origin.start();
        RoomOptions options = RoomOptions.of(new Limits(plan.capacity(), null)).withAddresses(AddressLimits.NONE)
                .withStay(new TokenLifetimes(LONGEST, null, Duration.ofHours(24)));
        for (Store store : stores) {
            add(store, options);
        }
    }

    private void add(Store store, RoomOptions options) {
        RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
                new GateId("gate" + edges.size()), store.roomClock(Time.system()), new SecureRandom());
        parts.add(rooms::close);
        GatedRoom gated = GatedRoom.of(rooms.declare(SALE, options, RoomSignals.none()), RoomMatch.of("/tickets/**"),
                new WaitingPage(SALE, PageLook.titled("Bench"), PageTemplate.standard())).withHolds(true);
        rooms.start();
        RoomGate gate = new RoomGate(List.of(gated), new WaitingStreams(
                WaitingStreams.Limits.DEFAULT.withStreams(CONNECTIONS).withPerAddress(CONNECTIONS)));
        HttpLimits limits = HttpLimits.DEFAULT
                .withCapacity(new HttpLimits.Capacity(CONNECTIONS, 4_096, 128L << 20, 16 << 10, 8 << 10));
        JobClient jobs = new JobClient(store.jobs(), store.jobViews(), EngineOptions.defaults(), new Lifecycle());
        EdgeServer edge = new EdgeServer(BindAddress.loopback(0), Routes.of(List.of(), jobs), limits,
                Gateway.of(List.of(new Origin(PathGlob.ALL,
                        URI.create("http://127.0.0.1:" + origin.getAddress().getPort()), Origin.Host.CLIENT))),
                EdgeHandlers.NONE.withRooms(gate));
        parts.add(edge::close);
        edge.start();
        edges.add(edge);
    }

    /** The address of a path at the gate whose turn it is. */
    URI next(String path) {
        int index = Math.floorMod(turn.getAndIncrement(), edges.size());
        return URI.create("http://127.0.0.1:" + edges.get(index).port() + path);
    }

    @Override
    public void close() {
        parts.reversed().forEach(Runnable::run);
        origin.stop(0);
    }
}
