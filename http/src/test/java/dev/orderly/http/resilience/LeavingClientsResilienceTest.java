package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.orderly.http.Proxied;
import dev.orderly.http.RawOrigin;
import dev.orderly.http.live.LiveNode;
import dev.orderly.http.observe.ListenerLoad;
import dev.orderly.testkit.resilience.LogLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients leave in every phase of an exchange: nothing is logged above INFO, and nothing stays counted. */
@Tag("slow")
@Timeout(300)
class LeavingClientsResilienceTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int TIMES = 20;
    private static final String UPGRADE = """
            Connection: Upgrade\r
            Upgrade: websocket\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            """;
    /** A text frame and a close frame, with masks of zeros. */
    private static final String FRAMES = "\u0081\u0082\0\0\0\0hi\u0088\u0080\0\0\0\0";

    /** The way in which a connection ends. */
    private enum Leave {
        RESET, CLOSE, HALF_CLOSE;

        void leave(Socket socket) throws IOException {
            switch (this) {
                case RESET -> socket.setSoLinger(true, 0);
                case HALF_CLOSE -> socket.shutdownOutput();
                case CLOSE -> {
                }
            }
            socket.close();
        }
    }

    /** Sends the parts on connections of their own, and leaves after the last one, in each way. */
    private static void attack(int port, List<String[]> all) throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (String[] parts : all) {
                for (Leave way : Leave.values()) {
                    running.add(clients.submit(() -> {
                        for (int i = 0; i < TIMES; i++) {
                            visit(port, parts, way);
                        }
                        return null;
                    }));
                }
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
    }

    private static void visit(int port, String[] parts, Leave way) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            for (String part : parts) {
                socket.getOutputStream().write(part.getBytes(StandardCharsets.ISO_8859_1));
            }
            way.leave(socket);
        } catch (IOException _) {
            // the edge has closed the connection first
        }
    }

    private static void assertNothingIsLeft(LogLines lines, Supplier<ListenerLoad> load) {
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(load.get().connections()).isZero();
            assertThat(load.get().requests()).isZero();
            assertThat(load.get().bodyBytes()).isZero();
        });
        assertThat(lines.events()).filteredOn(LeavingClientsResilienceTest::isOfTheEdge).isEmpty();
    }

    /** Whether a line can be a client's doing; a machine without a free processor blocks threads by itself. */
    private static boolean isOfTheEdge(ILoggingEvent event) {
        return !event.getLoggerName().endsWith("BlockedThreadChecker");
    }

    @Test
    void clientsLeaveLiveConnectionsInEveryPhase() throws Exception {
        try (LogLines lines = LogLines.of("ROOT"); LiveNode node = new LiveNode()) {
            String head = "GET /.orderly/live HTTP/1.1\r\nHost: 127.0.0.1:" + node.edge.port()
                    + "\r\nAuthorization: Bearer " + node.token("ann") + "\r\n";
            String socket = head + UPGRADE;
            attack(node.edge.port(), List.of(
                    new String[]{""},
                    new String[]{"GET / HT"},
                    new String[]{head + "Accept: text/event-stream\r\n\r\n"},
                    new String[]{socket + "\r\n"},
                    new String[]{socket, "\r\n"},
                    new String[]{socket + "\r\n" + FRAMES},
                    new String[]{socket + "\r\n", FRAMES},
                    new String[]{socket + "Content-Length: 5\r\n\r\nab", "cde"},
                    new String[]{socket + "Transfer-Encoding: chunked\r\n\r\n2\r\nab", "zz\r\n"},
                    new String[]{socket.replace("Version: 13", "Version: 99") + "\r\n"},
                    new String[]{socket + "\r\n" + socket + "\r\n"},
                    new String[]{"GET /a HTTP/1.1\r\nHost: a\r\n\r\n" + socket + "\r\n" + socket + "\r\n"},
                    new String[]{socket + "\r\n" + head + "Content-Length: 2\r\n\r\nx"}));

            assertNothingIsLeft(lines, node.edge::load);
            await().atMost(SOON).until(() -> node.orderly.engines().live().connections() == 0);
        }
    }

    @Test
    void clientsLeaveTheSiteInEveryPhase() throws Exception {
        try (LogLines lines = LogLines.of("ROOT");
                RawOrigin origin = new RawOrigin(LeavingClientsResilienceTest::answer);
                Proxied edge = new Proxied(Proxied.to(origin))) {
            String get = "GET /page HTTP/1.1\r\nHost: a\r\n\r\n";
            String put = "PUT /page HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab";
            String push = "POST /mail HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n{ ";
            String chunks = "POST /mail HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
            String tunnel = "GET /ws HTTP/1.1\r\nHost: a\r\n" + UPGRADE + "\r\n";
            attack(edge.port(), List.of(
                    new String[]{get},
                    new String[]{get + get + get},
                    new String[]{get + "GET /p"},
                    new String[]{put},
                    new String[]{put, "cd" + get},
                    new String[]{put + "cd" + put},
                    new String[]{"PUT /page HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n",
                            "ab"},
                    new String[]{push},
                    new String[]{push, "} " + push},
                    new String[]{chunks + "2\r\n{", "}\r\n0\r\n\r\n"},
                    new String[]{get + chunks + "2\r\n{}zz\r\n"},
                    new String[]{tunnel},
                    new String[]{tunnel, FRAMES},
                    new String[]{tunnel + get + tunnel},
                    new String[]{get + tunnel + FRAMES}));

            assertNothingIsLeft(lines, edge::load);
        }
    }

    private static String answer(String head, RawOrigin.Wire wire) throws IOException {
        if (head.startsWith("GET /ws ")) {
            wire.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhi!");
            wire.in().transferTo(wire.out());
            return "";
        }
        return RawOrigin.ok("a page");
    }

    @Test
    void anEdgeStopsWhileClientsAreInEveryPhase() throws Exception {
        try (LogLines lines = LogLines.of("ROOT")) {
            List<Socket> open = new ArrayList<>();
            try (LiveNode node = new LiveNode()) {
                String head = "GET /.orderly/live HTTP/1.1\r\nHost: 127.0.0.1:" + node.edge.port()
                        + "\r\nAuthorization: Bearer " + node.token("ann") + "\r\n";
                for (int i = 0; i < 10; i++) {
                    for (String begun : List.of("", "GET / HT", head + "Accept: text/event-stream\r\n\r\n",
                            head + UPGRADE + "\r\n", head + UPGRADE, head + UPGRADE + "\r\n" + head + UPGRADE)) {
                        Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.edge.port());
                        open.add(socket);
                        socket.getOutputStream().write(begun.getBytes(StandardCharsets.ISO_8859_1));
                    }
                }
            } // the edge stops before it has read everything
            for (Socket socket : open) {
                socket.close();
            }
            assertThat(lines.events()).filteredOn(LeavingClientsResilienceTest::isOfTheEdge).isEmpty();
        }
    }
}
