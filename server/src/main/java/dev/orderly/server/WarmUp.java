package dev.orderly.server;

import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.gateway.Origin;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpLimits.Capacity;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.http.tls.ListenerTls;
import dev.orderly.job.engine.JobClient;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomGate;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small gateway of its own that gets requests beside the real one for the first seconds, because a cold JVM serves a
 * rush at a tenth of its speed until the hot paths are compiled. Where the real one has TLS, so has this one, and
 * clients of HTTP/1.1, of HTTP/2, and new ones take turns. It touches no room, store or origin of the site, and its
 * failure has no effect. It ends by itself, or when it is closed.
 */
final class WarmUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int AT_ONCE_LEAST = 16;
    /** Requests at once for each event loop, so that every loop gets connections. */
    private static final int AT_ONCE_A_LOOP = 2;
    private static final int REQUESTS = 30_000;

    private final JobClient jobs;
    private final int loops;
    private final @Nullable ListenerTls tls;
    private final Duration longest;
    private final Time time;
    private final Thread thread;
    private volatile boolean closed;
    private volatile int answered;

    /**
     * A warm-up that does not run yet.
     *
     * @param jobs client to which it pushes nothing
     * @param loops event loops of the edge
     * @param tls of the edge; null for none
     * @param longest time for its requests, positive
     */
    WarmUp(JobClient jobs, int loops, @Nullable ListenerTls tls, Duration longest, Time time) {
        this.jobs = jobs;
        this.loops = loops;
        this.tls = tls;
        this.longest = longest;
        this.time = time;
        this.thread = Thread.ofVirtual().name("orderly-warm-up").unstarted(this::run);
    }

    /** Starts the requests in a moment, so that they delay no first answer; returns at once. */
    void start() {
        thread.start();
    }

    /** Whether it has ended, or was never started. */
    boolean isOver() {
        return thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.TERMINATED;
    }

    /** The requests answered so far. */
    int answered() {
        return answered;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        long begin = time.deadline(PAUSE);
        while (!closed && !time.reached(begin)) {
            time.park(begin);
        }
        if (!closed) {
            warmUp();
        }
    }

    private void warmUp() {
        try {
            Path folder = TemporaryFolder.make("orderly-warm-up");
            try (SqliteStore store = SqliteStore.at(folder.resolve("warm-up.db"));
                    // It trusts its own gateway, whose X-Forwarded-For would otherwise be a warning to the operator.
                    EdgeServer origin = new EdgeServer(BindAddress.loopback(0), Routes.of(List.of(), jobs), limits(1),
                            Gateway.NONE.withTrusted(TrustedProxies.of("127.0.0.1", "::1")), EdgeHandlers.NONE);
                    RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(Secrets.unused().rooms()),
                            new GateId("warm-up"), time, new SecureRandom())) {
                origin.hide();
                origin.start();
                List<GatedRoom> gated = List.of(room(rooms, "wide", 1_000_000), room(rooms, "full", 1));
                rooms.start();
                Gateway gateway = Gateway
                        .of(List.of(Origin.all(URI.create("http://127.0.0.1:" + origin.port()))));
                BindAddress bind = BindAddress.loopback(0);
                ListenerTransport transport = tls == null
                        ? ListenerTransport.plain(bind)
                        : ListenerTransport.tls(bind, tls);
                try (EdgeServer edge = new EdgeServer(transport, Routes.of(List.of(), jobs), limits(loops), gateway,
                        EdgeHandlers.NONE.withRooms(new RoomGate(gated)))) {
                    edge.hide();
                    edge.start();
                    LOG.debug("Warmed up by {} requests",
                            ask(URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + edge.port())));
                }
            } finally {
                TemporaryFolder.delete(folder);
            }
        } catch (IOException | InterruptedException | GeneralSecurityException | RuntimeException e) {
            LOG.debug("Not warmed up: {}", e.toString());
        }
    }

    private static HttpLimits limits(int loops) {
        return HttpLimits.DEFAULT.withCapacity(Capacity.DEFAULT.withEventLoops(loops));
    }

    private static GatedRoom room(RoomEngine rooms, String name, int capacity) {
        RoomName room = new RoomName(name);
        return GatedRoom.of(
                rooms.declare(room, RoomOptions.of(new Limits(capacity, null)), RoomSignals.none()),
                RoomMatch.of("/" + name + "/**"),
                new WaitingPage(room, PageLook.titled("Warm-up"), PageTemplate.standard()));
    }

    /** Requests of one admitted visitor, one who waits for a page, and one who waits for JSON. */
    private int ask(URI edge) throws IOException, InterruptedException, GeneralSecurityException {
        SSLContext trusting = trusting();
        try (HttpClient client = client(HttpClient.Version.HTTP_1_1, trusting);
                HttpClient other = client(HttpClient.Version.HTTP_2, trusting)) {
            URI wide = edge.resolve("/wide/");
            URI full = edge.resolve("/full/");
            cookies(client, full, "");
            String waiting = cookies(client, full, "");
            String inside = cookies(client, wide, cookies(client, wide, ""));
            List<HttpRequest> requests = List.of(request(wide, inside, "text/html"),
                    request(full, waiting, "text/html"), request(full, waiting, "application/json"),
                    request(full, waiting, "application/json"));
            long deadline = time.deadline(longest);
            int atOnce = Math.max(AT_ONCE_LEAST, AT_ONCE_A_LOOP * loops);
            int done = 0;
            for (; done < REQUESTS && !closed && !time.reached(deadline); done += atOnce) {
                HttpClient next = tls != null && done / atOnce % 2 == 0 ? other : client;
                if (tls != null) {
                    shakeHands(edge);
                }
                CompletableFuture.allOf(IntStream.range(0, atOnce)
                        .mapToObj(i -> next.sendAsync(requests.get(i % requests.size()), BodyHandlers.discarding()))
                        .toArray(CompletableFuture[]::new)).join();
                answered = done + atOnce;
            }
            return done;
        }
    }

    private static HttpClient client(HttpClient.Version version, SSLContext trusting) {
        return HttpClient.newBuilder().version(version).sslContext(trusting).build();
    }

    /** The first handshake of a client. */
    private static void shakeHands(URI edge) throws IOException, GeneralSecurityException {
        try (Socket socket = trusting().getSocketFactory().createSocket(edge.getHost(), edge.getPort())) {
            socket.setSoTimeout(Math.toIntExact(ANSWER.toMillis()));
            if (socket instanceof SSLSocket secure) {
                secure.startHandshake();
            }
        }
    }

    /** TLS of clients that trust every certificate: they talk to this process, about nothing. */
    private static SSLContext trusting() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        return context;
    }

    private static String cookies(HttpClient client, URI uri, String cookies)
            throws IOException, InterruptedException {
        HttpResponse<Void> answer = client.send(request(uri, cookies, "text/html"), BodyHandlers.discarding());
        return answer.headers().allValues("Set-Cookie").stream().map(cookie -> cookie.substring(0, cookie.indexOf(';')))
                .collect(Collectors.joining("; "));
    }

    private static HttpRequest request(URI uri, String cookies, String accept) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(ANSWER).header("Accept", accept);
        return cookies.isEmpty() ? request.build() : request.header("Cookie", cookies).build();
    }
}
