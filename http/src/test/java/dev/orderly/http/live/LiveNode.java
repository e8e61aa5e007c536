package dev.orderly.http.live;

import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.http.tls.ListenerTls;
import dev.orderly.http.user.JwtAuthenticator;
import dev.orderly.http.user.TokenSource;
import dev.orderly.http.user.Tokens;
import dev.orderly.http.user.UserOptions;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.live.LiveOptions;
import dev.orderly.live.Users;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.user.UserId;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.live.LiveAccess;
import dev.orderly.web.live.LiveHandler;
import dev.orderly.web.live.LiveTimes;
import dev.orderly.web.user.Authenticator;
import dev.orderly.web.user.PageOrigins;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;

/** An edge under test with live connections and a manual clock. */
public final class LiveNode implements AutoCloseable {
    public static final String ORIGIN = "https://shop.example.com";

    public final ManualTime time = new ManualTime();
    public final Orderly orderly;
    public final EdgeServer edge;
    public final LiveHandler door;
    public final HttpClient client;
    /** The beginning of the addresses of its WebSockets. */
    final String sockets;

    public LiveNode() {
        this(LiveOptions.DEFAULT, HttpLimits.DEFAULT);
    }

    public LiveNode(LiveOptions options, HttpLimits limits) {
        this(options, limits, ListenerTransport.plain(BindAddress.loopback(0)), HttpClient.newBuilder());
    }

    /** An edge with TLS. */
    LiveNode(ListenerTls tls, SSLContext trusting) {
        this(LiveOptions.DEFAULT, HttpLimits.DEFAULT, ListenerTransport.tls(BindAddress.loopback(0), tls),
                HttpClient.newBuilder().sslContext(trusting));
    }

    private LiveNode(LiveOptions options, HttpLimits limits, ListenerTransport transport,
            HttpClient.Builder connecting) {
        client = connecting.version(HttpClient.Version.HTTP_1_1).build();
        orderly = Orderly.open(new MemoryStore(), EngineOptions.defaults().withTime(time)
                .withStopGrace(Duration.ZERO), options);
        PageOrigins pages = new PageOrigins(List.of(ORIGIN));
        Authenticator users = JwtAuthenticator.of(new UserOptions(new TokenSource.Secret(Tokens.SECRET), null, null,
                "session", pages), time);
        door = new LiveHandler(orderly.engines().live(), new LiveAccess(users, pages),
                LiveTimes.DEFAULT, time, SocketUpgrade::of);
        door.start();
        edge = new EdgeServer(transport, Routes.of(List.of(), orderly.engines().jobs()), limits,
                Gateway.NONE.withTrusted(TrustedProxies.of("127.0.0.1")), EdgeHandlers.NONE.withLive(door));
        edge.start();
        sockets = (transport.tls() == null ? "ws://127.0.0.1:" : "wss://localhost:") + edge.port();
    }

    public Users users() {
        return orderly.users();
    }

    /** A token that is valid for an hour. */
    public String token(String user) {
        return Tokens.of(user, time.now().plus(Duration.ofHours(1)));
    }

    /** A browser tab with a valid cookie. */
    public LiveClient tab(String user) {
        int before = users().connections(new UserId(user));
        LiveClient tab = LiveClient.open(this, "Cookie", "session=" + token(user));
        await().until(() -> users().connections(new UserId(user)) > before); // a moment after the handshake
        return tab;
    }

    public HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edge.port() + path))
                .timeout(Duration.ofSeconds(60));
    }

    @Override
    public void close() {
        client.shutdownNow();
        edge.close();
        door.close();
        orderly.close();
    }
}
