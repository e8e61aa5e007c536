package dev.orderly.bench.edge;

import dev.orderly.flow.Lifecycle;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.gateway.Origin;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.http.tls.CertificateFiles;
import dev.orderly.http.tls.CertificateSource;
import dev.orderly.http.tls.ListenerTls;
import dev.orderly.http.tls.UnusableCertificateException;
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
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import dev.orderly.web.path.PathGlob;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomGate;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.WaitingStreams;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

/**
 * The measured process: an edge on SQLite with a room that every visitor enters, a room that admits one visitor only,
 * and paths without a room. It prints its ports, then answers lines on its input: {@code heap} with the bytes of live
 * heap. The end of the input ends it.
 */
final class EdgeProcess {
    private EdgeProcess() {}

    /**
     * Arguments: the origin's URL, a folder, the connection limit, and for a second edge with TLS the files of its
     * certificate and key.
     */
    public static void main(String[] args) throws IOException, UnusableCertificateException {
        List<Origin> origins = List.of(new Origin(PathGlob.ALL, URI.create(args[0]), Origin.Host.CLIENT));
        int connections = Integer.parseInt(args[2]);
        HttpLimits limits = HttpLimits.DEFAULT.withCapacity(new HttpLimits.Capacity(connections, 4_096, 128L << 20,
                16 << 10, 8 << 10));
        try (SqliteStore store = SqliteStore.at(Path.of(args[1], "edge.db"));
                RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
                        new GateId("bench"), Time.system(), new SecureRandom())) {
            List<GatedRoom> gated = List.of(room(rooms, "wide", 10_000_000), room(rooms, "full", 1));
            rooms.start();
            RoomGate gate = new RoomGate(gated,
                    new WaitingStreams(
                            WaitingStreams.Limits.DEFAULT.withStreams(connections).withPerAddress(connections)));
            JobClient jobs = new JobClient(store.jobs(), store.jobViews(), EngineOptions.defaults(), new Lifecycle());
            try (EdgeServer edge = new EdgeServer(BindAddress.loopback(0), Routes.of(List.of(), jobs), limits,
                    Gateway.of(origins), EdgeHandlers.NONE.withRooms(gate))) {
                edge.start();
                if (args.length < 5) {
                    serve(edge.port());
                    return;
                }
                CertificateSource source = CertificateSource.pem(Path.of(args[3]), Path.of(args[4]));
                try (CertificateFiles files = CertificateFiles.read(List.of(source), List.of(), Time.system());
                        EdgeServer secure = new EdgeServer(
                                ListenerTransport.tls(BindAddress.loopback(0), ListenerTls.of(files.current())),
                                Routes.of(List.of(), jobs), limits, Gateway.of(origins),
                                EdgeHandlers.NONE.withRooms(gate))) {
                    secure.start();
                    System.out.println("tls " + secure.port());
                    serve(edge.port());
                }
            }
        }
    }

    private static GatedRoom room(RoomEngine rooms, String name, int capacity) {
        RoomName room = new RoomName(name);
        TokenLifetimes stay = new TokenLifetimes(Duration.ofHours(4), null, Duration.ofHours(24));
        return GatedRoom.of(
                rooms.declare(room, RoomOptions.of(new Limits(capacity, null)).withStay(stay)
                        .withAddresses(AddressLimits.NONE), RoomSignals.none()),
                RoomMatch.of("/" + name + "/**"),
                new WaitingPage(room, PageLook.titled("Bench"), PageTemplate.standard()));
    }

    private static void serve(int port) throws IOException {
        System.out.println("port " + port);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals("heap")) {
                System.gc();
                System.gc();
                System.out.println("heap " + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            }
        }
    }
}
