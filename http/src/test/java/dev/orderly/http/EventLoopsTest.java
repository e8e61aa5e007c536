package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.orderly.flow.Quota;
import dev.orderly.http.gateway.ForwardLimits;
import dev.orderly.http.gateway.ForwardLimits.Share;
import dev.orderly.http.gateway.ForwardLimits.Shares;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ClientKeys;
import dev.orderly.http.listener.Clients;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpLimits.Capacity;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.RequestRouter.Match;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener with several event loops: all serve, and limits hold for them together. */
@Timeout(150)
class EventLoopsTest {
    private static final int LOOPS = 4;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Capacity CAPACITY = Capacity.DEFAULT.withEventLoops(LOOPS);

    private final CompletableFuture<Match> later = new CompletableFuture<>();
    private final List<RawHttp> open = new ArrayList<>();
    private final List<AutoCloseable> servers = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        open.forEach(RawHttp::close);
        for (AutoCloseable server : servers) {
            server.close();
        }
    }

    /** Answers {@code /later} when {@link #later} completes, and other paths with the name of the event loop. */
    private HttpListener listener(Capacity capacity) {
        HttpListener listener = new HttpListener("test", BindAddress.loopback(0),
                HttpLimits.DEFAULT.withCapacity(capacity), Clients.by(ClientKeys.PEERS),
                _ -> head -> head.path().equals("/later")
                        ? new Match.Deferred(later)
                        : new Match.Immediate(Response.text(200, Thread.currentThread().getName())));
        servers.add(listener);
        listener.start();
        return listener;
    }

    private RawHttp connect(int port) {
        RawHttp raw = new RawHttp(port);
        open.add(raw);
        return raw;
    }

    private RawHttp ask(int port, String path) {
        RawHttp raw = connect(port);
        send(raw, path);
        return raw;
    }

    private static void send(RawHttp raw, String path) {
        raw.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    /** The body of an answer on a connection that stays open. */
    private static String body(RawHttp raw) {
        int length = 0;
        for (String line = raw.line(); !line.isEmpty(); line = raw.line()) {
            length = line.startsWith("Content-Length: ") ? Integer.parseInt(line.substring(16)) : length;
        }
        return raw.bytes(length);
    }

    @Test
    void connectionsAreSharedEvenlyAndEachStaysOnItsLoop() {
        int port = listener(CAPACITY).port();
        List<RawHttp> connections = new ArrayList<>();
        Map<String, Integer> loops = new HashMap<>();
        for (int i = 0; i < 3 * LOOPS; i++) {
            connections.add(connect(port));
        }
        for (RawHttp connection : connections) {
            send(connection, "/");
            String loop = body(connection);
            loops.merge(loop, 1, Integer::sum);
            send(connection, "/");
            assertThat(body(connection)).isEqualTo(loop);
        }
        assertThat(loops.values()).containsExactly(3, 3, 3, 3);
    }

    @Test
    void anAddressHasOneShareOfConnectionsForAllLoops() {
        int port = listener(CAPACITY.withConnections(new Quota.Limit(100, LOOPS + 1))).port();
        for (int i = 0; i <= LOOPS; i++) {
            assertThat(ask(port, "/").line()).contains(" 200 ");
        }
        assertThat(ask(port, "/").line()).contains(" 429 ");

        open.getFirst().close();
        await().atMost(SOON).until(() -> RawHttp.status(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") == 200);
    }

    @Test
    void aRushOverAllLoopsGetsExactlyTheConnectionsThereAre() throws Exception {
        HttpListener listener = listener(CAPACITY.withConnections(Quota.Limit.of(6)));
        int port = listener.port();
        List<Future<RawHttp>> rush = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch together = new CountDownLatch(40);
            for (int i = 0; i < 40; i++) {
                rush.add(threads.submit(() -> {
                    RawHttp raw = new RawHttp(port);
                    together.countDown();
                    together.await();
                    raw.offer("GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
                    return raw;
                }));
            }
        }
        for (Future<RawHttp> each : rush) {
            open.add(each.get());
        }
        // A connection that idles for long before its request may give its place to another: all but six have an end.
        List<CompletableFuture<String>> lines = open.stream()
                .map(raw -> CompletableFuture.supplyAsync(raw::line, Thread::startVirtualThread)).toList();
        await().atMost(SOON).until(() -> lines.stream().filter(CompletableFuture::isDone).count() == 34
                && listener.load().requests() == 6);
        later.complete(new Match.Immediate(Response.text(200, "served")));
        assertThat(lines.stream().filter(line -> line.join().contains(" 200 "))).hasSize(6);
    }

    @Test
    void aConnectionThatIdlesOnOneLoopIsClosedForANewOneOfAnother() {
        int port = listener(CAPACITY.withConnections(Quota.Limit.of(2 * LOOPS))).port();
        for (int i = 0; i < 2 * LOOPS; i++) {
            connect(port);
        }
        RawHttp longest = open.getFirst();
        send(longest, "/");
        String loop = body(longest);
        // A client has its answer before the loop begins the idle time; after the loop's next answer it has begun.
        send(open.get(LOOPS), "/");
        assertThat(body(open.get(LOOPS))).isEqualTo(loop);
        for (RawHttp other : open) {
            if (other != longest) {
                send(other, "/");
                assertThat(body(other)).isNotEmpty();
            }
        }
        // Each connection is idle for a second before it may be closed.
        await().atMost(SOON).until(() -> RawHttp.status(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") == 200);
        assertThat(longest.rest()).as("the longest idle").isEmpty();
        send(open.getLast(), "/");
        assertThat(body(open.getLast())).isNotEmpty();
    }

    @Test
    void requestsUnderWayAreCountedOverAllLoops() {
        int port = listener(new Capacity(100, LOOPS + 1, 1 << 20, 16 << 10, 8 << 10).withEventLoops(LOOPS)).port();
        List<RawHttp> pending = new ArrayList<>();
        for (int i = 0; i < 2 * LOOPS; i++) {
            pending.add(ask(port, "/later"));
        }
        List<String> refused = new ArrayList<>();
        // Of those that get an answer at once all are refused; which ones is up to the loops.
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> lines = pending.stream().map(raw -> threads.submit(raw::line)).toList();
            await().atMost(SOON).until(() -> lines.stream().filter(Future::isDone).count() == LOOPS - 1);
            lines.stream().filter(Future::isDone).map(Future::resultNow).forEach(refused::add);
            later.complete(new Match.Immediate(Response.text(200, "served")));
            assertThat(lines.stream().filter(line -> get(line).contains(" 200 "))).hasSize(LOOPS + 1);
        }
        assertThat(refused).allMatch(line -> line.contains(" 503 "));
    }

    @Test
    void aStopAnswersThePendingRequestsOfEveryLoop() throws Exception {
        HttpListener listener = listener(CAPACITY);
        int port = listener.port();
        List<RawHttp> pending = new ArrayList<>();
        for (int i = 0; i < 2 * LOOPS; i++) {
            RawHttp raw = ask(port, "/");
            body(raw); // the loop has read the connection's first request: it will read the second, too
            send(raw, "/later");
            pending.add(raw);
        }
        RawHttp last = ask(port, "/");
        body(last);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> stopped = threads.submit(listener::close);
            assertThat(last.rest()).as("idle connections end at once").isEmpty();
            later.complete(new Match.Immediate(Response.text(200, "served")));
            stopped.get();
        }
        assertThat(pending).allSatisfy(raw -> assertThat(body(raw)).isEqualTo("served"));
        assertThatThrownBy(() -> new RawHttp(port)).hasMessageContaining("refused");
    }

    // ---- connections to an origin

    private Proxied edge(RawOrigin origin, Share pages) {
        Proxied edge = new Proxied(Proxied.to(origin)
                .withLimits(ForwardLimits.DEFAULT.withShares(Shares.DEFAULT.withPages(pages))),
                HttpLimits.DEFAULT.withCapacity(CAPACITY));
        servers.add(edge);
        servers.add(origin);
        return edge;
    }

    private static RawOrigin slow(CountDownLatch answers) {
        return new RawOrigin((_, _) -> {
            try {
                answers.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return RawOrigin.ok("a page");
        });
    }

    @Test
    void aLoopUsesTheFreeConnectionsOfTheOthers() {
        CountDownLatch answers = new CountDownLatch(1);
        RawOrigin origin = slow(answers);
        Proxied edge = edge(origin, new Share(LOOPS, 0, 100));
        for (int i = 0; i < LOOPS * LOOPS; i++) {
            open.add(edge.connect());
        }
        List<RawHttp> ofOneLoop = new ArrayList<>();
        for (int i = 0; i < open.size(); i += LOOPS) {
            ofOneLoop.add(open.get(i));
            send(open.get(i), "/");
        }
        await().atMost(SOON).until(() -> origin.requests.size() == LOOPS);
        answers.countDown();
        assertThat(ofOneLoop).allSatisfy(raw -> assertThat(body(raw)).isEqualTo("a page"));
    }

    @Test
    void theShareOfPagesHoldsForAllLoopsAndTheRestWait() {
        CountDownLatch answers = new CountDownLatch(1);
        RawOrigin origin = slow(answers);
        Proxied edge = edge(origin, new Share(2, 2 * LOOPS, 100));
        for (int i = 0; i < 2 * LOOPS; i++) {
            open.add(edge.connect());
            send(open.getLast(), "/");
        }
        await().atMost(SOON).until(() -> origin.requests.size() == 2);
        answers.countDown();
        assertThat(open).allSatisfy(raw -> assertThat(body(raw)).isEqualTo("a page"));
        assertThat(origin.connections).hasValue(2);
    }

    @Test
    void anAddressHasOneShareOfPagesForAllLoops() {
        CountDownLatch answers = new CountDownLatch(1);
        RawOrigin origin = slow(answers);
        Proxied edge = edge(origin, new Share(100, 100, LOOPS + 1));
        for (int i = 0; i <= LOOPS; i++) {
            open.add(edge.connect());
            send(open.getLast(), "/");
        }
        await().atMost(SOON).until(() -> origin.requests.size() == LOOPS + 1);
        assertThat(edge.get("/", "")).startsWith("HTTP/1.1 429 ");
        answers.countDown();
        assertThat(open).allSatisfy(raw -> assertThat(body(raw)).isEqualTo("a page"));
    }

    private static String get(Future<String> line) {
        try {
            return line.get();
        } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void connectionsOfABusyEventLoopWaitInTheBacklogWithoutAHandle() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        HttpListener listener = new HttpListener("test", BindAddress.loopback(0),
                HttpLimits.DEFAULT.withCapacity(CAPACITY.withEventLoops(1)), Clients.by(ClientKeys.PEERS),
                _ -> _ -> {
                    try {
                        assertThat(free.await(60, TimeUnit.SECONDS)).isTrue();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    return new Match.Immediate(Response.text(200, "at last"));
                });
        servers.add(listener);
        listener.start();
        ask(listener.port(), "/");
        long before = handles();
        int crowd = 900;
        for (int i = 0; i < crowd; i++) {
            ask(listener.port(), "/");
        }
        assertThat(handles()).isLessThan(before + crowd + crowd / 2);

        free.countDown();

        for (RawHttp one : open) {
            assertThat(body(one)).isEqualTo("at last");
        }
    }

    private static long handles() {
        return ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class).getOpenFileDescriptorCount();
    }
}
