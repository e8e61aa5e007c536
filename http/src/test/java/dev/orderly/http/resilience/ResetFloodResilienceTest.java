package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.orderly.flow.Quota;
import dev.orderly.http.Node;
import dev.orderly.http.RawHttp;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpLimits.Capacity;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.resilience.InterceptedStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * The API beside many connections at the edge and a flood of connections that are reset at once. More connections with
 * {@code -Dorderly.connections=N}; each takes two file handles.
 */
@Tag("slow")
@Timeout(600)
class ResetFloodResilienceTest {
    private static final int CONNECTIONS = Integer.getInteger("orderly.connections", 2_000);
    private static final int LIMIT = CONNECTIONS + 1_000;
    private static final int REQUESTS = 10;
    private static final int FLOODERS = 2;
    /** Connections that are reset beside each three requests. */
    private static final int RESETS = 500;
    private static final Duration SOON = Duration.ofMinutes(2);
    /** Handles and bytes that the process takes by itself meanwhile, and handles of connections that wait. */
    private static final long FEW_HANDLES = 64;
    private static final long WAITING_HANDLES = 1_000;
    private static final long FEW_BYTES = 48 << 20;

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();
    private final AtomicBoolean over = new AtomicBoolean();
    private final Semaphore allowed = new Semaphore(0);
    private final AtomicInteger resets = new AtomicInteger();

    @BeforeEach
    void writeNoStackOfEachReset() {
        root.setLevel(Level.INFO);
    }

    @AfterEach
    void write() {
        root.setLevel(before);
    }

    /** One event loop for the API, as in a server. */
    private static HttpLimits limits() {
        return HttpLimits.DEFAULT.withHead(Duration.ofMinutes(30)).withIdle(Duration.ofHours(1))
                .withCapacity(Capacity.DEFAULT.withConnections(Quota.Limit.of(LIMIT)).withEventLoops(1));
    }

    private static long handles() {
        return ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class).getOpenFileDescriptorCount();
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void flood(int port) {
        byte[] request = "GET /api/v1/queues HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        while (!over.get()) {
            allowed.acquireUninterruptibly();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(request);
                socket.setSoLinger(true, 0);
            } catch (IOException _) {
                // refused or closed by the server
            }
            resets.incrementAndGet();
        }
    }

    private static List<SocketChannel> connections(Node node) throws IOException {
        List<SocketChannel> open = new ArrayList<>();
        byte[] request = "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < CONNECTIONS; i++) {
            SocketChannel one = SocketChannel.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), node.edge.port()));
            one.write(ByteBuffer.wrap(request));
            open.add(one);
        }
        await().atMost(SOON).until(() -> node.edge.load().connections() == CONNECTIONS);
        return open;
    }

    /** A line of the answer's head, over a connection of its own. */
    private static String ask(Node node, String path) {
        try (RawHttp raw = new RawHttp(node.api.port())) {
            raw.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + Node.LOCAL_LINE + "\r\n");
            return raw.line();
        }
    }

    @Test
    void theApiAnswersBesideManyConnectionsAndAFloodOfResets() throws Exception {
        try (Node node = new Node(new InterceptedStore(new MemoryStore()), limits());
                ExecutorService flooders = Executors.newFixedThreadPool(FLOODERS)) {
            assertThat(ask(node, "/health/live")).contains(" 200 ");
            assertThat(ask(node, "/api/v1/queues")).contains(" 200 ");
            long handlesBefore = handles();
            long heapBefore = heap();
            List<SocketChannel> open = connections(node);
            try (RawHttp kept = new RawHttp(node.api.port())) {
                for (int i = 0; i < FLOODERS; i++) {
                    flooders.execute(() -> flood(node.api.port()));
                }
                for (int i = 0; i < REQUESTS; i++) {
                    int before = resets.get();
                    allowed.release(RESETS);
                    assertThat(ask(node, "/health/live")).contains(" 200 ");
                    assertThat(ask(node, "/api/v1/queues/emails")).contains(" 200 ");
                    assertThat(ask(node, "/api/v1/queues/none")).contains(" 404 ");
                    assertThat(handles()).isLessThan(handlesBefore + 2L * CONNECTIONS + LIMIT + WAITING_HANDLES);
                    await().atMost(SOON).pollDelay(Duration.ZERO).until(() -> resets.get() >= before + RESETS);
                }
                kept.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(kept.line()).contains(" 200 ");
            } finally {
                over.set(true);
                allowed.release(FLOODERS);
            }
            assertThat(node.edge.load().connections()).isEqualTo(CONNECTIONS);
            for (SocketChannel one : open) {
                one.close();
            }
            await().atMost(SOON).until(() -> node.edge.load().connections() == 0);
            await().atMost(SOON).untilAsserted(() -> {
                assertThat(handles()).isLessThan(handlesBefore + FEW_HANDLES);
                assertThat(heap()).isLessThan(heapBefore + FEW_BYTES);
            });
        }
    }
}
