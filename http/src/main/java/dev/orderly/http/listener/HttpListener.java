package dev.orderly.http.listener;

import dev.orderly.flow.FatalErrors;
import dev.orderly.flow.LogLimit;
import dev.orderly.http.observe.ListenerLoad;
import dev.orderly.http.observe.LoopDelays;
import dev.orderly.http.observe.TrafficObserver;
import dev.orderly.http.tls.ChallengeHandshakes;
import dev.orderly.http.tls.ListenerTls;
import dev.orderly.text.DurationText;
import dev.orderly.time.Time;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.RequestRouter;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener on one address: event loops read and write, virtual threads run blocking endpoints. Connections are dealt
 * to the event loops in turn; each stays on its loop. HTTP/1.1 and 1.0, plain or over TLS; HTTP/2
 * over TLS by ALPN.
 *
 * <p>Thread-safe. Started once and closed once.
 */
public final class HttpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration MARGIN = Duration.ofSeconds(5);
    /** The largest frame of a WebSocket; compression is off, since it costs memory for each connection. */
    private static final int FRAME = 64 << 10;
    private static final int CLOSING_SECONDS = 2;
    private static final int PRIVILEGED = 1_024;
    /** The period of checks for connections that do not begin in time. */
    private static final long LATE_MILLIS = 250;

    private final String name;
    private final ListenerTransport transport;
    private final HttpLimits limits;
    private final Clients clients;
    private final Function<Vertx, RequestRouter> router;
    private volatile TrafficObserver observer = TrafficObserver.NONE;
    private boolean hidden;
    private final AtomicReference<State> state = new AtomicReference<>(new State.New());

    private sealed interface State {
        record New() implements State {}

        record Starting() implements State {}

        /** @param free frees what TLS holds outside the heap */
        record Open(Vertx vertx, AcceptTransport accepting, EventLoopServers servers, ListenerContext exchanges,
                Runnable free)
                implements
                    State {}

        record Closed() implements State {}
    }

    /** Creates a listener without TLS that does not listen yet. */
    public HttpListener(String name, BindAddress bind, HttpLimits limits, Clients clients,
            Function<Vertx, RequestRouter> router) {
        this(name, ListenerTransport.plain(bind), limits, clients, router);
    }

    /**
     * Creates a listener that does not listen yet.
     *
     * @param name used in the log, such as {@code edge}
     * @param clients identification of the clients
     * @param router creates the router when the listener starts; its event loops are closed with the listener
     */
    public HttpListener(String name, ListenerTransport transport, HttpLimits limits, Clients clients,
            Function<Vertx, RequestRouter> router) {
        this.name = name;
        this.transport = transport;
        this.limits = limits;
        this.clients = clients;
        this.router = router;
    }

    /** Sets the observer of the requests. Before {@link #start}. */
    public void observe(TrafficObserver value) {
        observer = value;
    }

    /** Leaves out the line of the log that tells the address. Before {@link #start}. */
    public void hide() {
        hidden = true;
    }

    /** The load now; {@link ListenerLoad#NONE} while it does not listen. */
    public ListenerLoad load() {
        return state.get() instanceof State.Open open ? open.exchanges().load() : ListenerLoad.NONE;
    }

    /**
     * Asks clients to leave, and serves all requests until {@link #close}: an answer over HTTP/1 says that it is the
     * last of its connection, and clients of HTTP/2 get GOAWAY. Does not block.
     *
     * @param patience time until {@link #close}
     */
    public void drain(Duration patience) {
        if (state.get() instanceof State.Open open) {
            open.exchanges().connections.drain(patience.plus(limits.stop()));
        }
    }

    /**
     * Binds the address. Blocks until connections are accepted.
     *
     * @throws UncheckedIOException if the address cannot be bound; names it, leaves nothing open, and {@code start} may
     *     be repeated
     * @throws IllegalStateException if it was started or closed before: create another
     */
    public void start() {
        State before = state.get();
        State.Starting starting = new State.Starting();
        if (!(before instanceof State.New) || !state.compareAndSet(before, starting)) {
            throw new IllegalStateException("The " + name + " listener was started or closed before: make a new one");
        }
        ProxyHeaders headers = new ProxyHeaders(transport.proxies(), Time.system());
        ConnectionTracker connections = new ConnectionTracker(limits, clients, headers, Time.system());
        AcceptTransport accepting = new AcceptTransport(limits.capacity().connections().total(),
                headers::maySend, connections::arrived);
        Vertx vertx = Vertx.builder().withTransport(accepting).with(new VertxOptions()
                .setEventLoopPoolSize(limits.capacity().eventLoops())
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)))
                .build();
        LogLimit failures = new LogLimit(LOG, Time.system());
        vertx.exceptionHandler(thrown -> {
            FatalErrors.report("an event loop of the " + name, thrown);
            failures.error("An event loop of the {} met an unexpected failure", name, thrown);
        });
        ExecutorService workers = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("orderly-" + name + "-", 0).factory());
        HttpServerOptions options = options();
        Runnable free = encrypt(options, connections);
        try {
            ListenerContext exchanges = new ListenerContext(vertx, router.apply(vertx), limits, connections, workers,
                    observer);
            if (transport.proxies() != null || transport.tls() != null) {
                vertx.setPeriodic(LATE_MILLIS, _ -> connections.closeLate());
            }
            LoopDelays delays = new LoopDelays(vertx, observer, Time.system());
            EventLoopServers servers = new EventLoopServers(vertx,
                    () -> server(vertx, options, exchanges).exceptionHandler(headers::failed), delays::start);
            await(servers.listen(transport.bind(), limits.capacity().eventLoops()), START);
            state.set(new State.Open(vertx, accepting, servers, exchanges, free));
            if (!hidden) {
                LOG.info("The {} listens on {}://{}:{}, event loops: {}{}", name, transport.scheme(),
                        transport.bind().host(), servers.port(), limits.capacity().eventLoops(),
                        transport.tls() == null ? "" : ", TLS by " + transport.tls().library());
            }
        } catch (IOException e) {
            workers.close();
            vertx.close();
            free.run();
            state.compareAndSet(starting, new State.New());
            throw new UncheckedIOException(unbound(name, transport.bind(), e.getMessage()), e);
        }
    }

    /** The message about an address that the system refuses for a reason. */
    static String unbound(String name, BindAddress bind, @Nullable String reason) {
        String what = "The " + name + " cannot listen on " + bind.host() + ":" + bind.port() + " (" + reason + "): ";
        boolean forbidden = bind.port() > 0 && bind.port() < PRIVILEGED
                && String.valueOf(reason).contains("Permission denied");
        return what + (forbidden
                ? "ports below " + PRIVILEGED + " need a right on Linux. With systemd, add"
                        + " AmbientCapabilities=CAP_NET_BIND_SERVICE to the service; otherwise give it to the JVM:"
                        + " setcap cap_net_bind_service=+ep " + Path.of(System.getProperty("java.home"), "bin", "java")
                        + "; or listen on a higher port and let the firewall redirect " + bind.port() + " to it"
                : "free the port, choose another, or use 0 for any");
    }

    /**
     * The port that was bound.
     *
     * @throws IllegalStateException before {@link #start} and after {@link #close}
     */
    public int port() {
        if (state.get() instanceof State.Open open) {
            return open.servers().port();
        }
        throw new IllegalStateException("The " + name + " listener has no port: it does not listen");
    }

    /**
     * Accepts no new connections and requests, lets pending requests end within {@link HttpLimits#stop}, and cuts the
     * rest. Blocks. Idempotent.
     */
    @Override
    public void close() {
        if (state.getAndSet(new State.Closed()) instanceof State.Open open) {
            open.accepting().stop(MARGIN);
            try {
                await(open.servers().shutdown(limits.stop()), limits.stop().plus(MARGIN));
                await(open.vertx().close(), MARGIN);
            } catch (IOException e) {
                LOG.warn("The {} did not close in order: {}", name, e.getMessage());
            }
            open.exchanges().workers.shutdown();
            open.free().run();
        }
    }

    /** A server that does not listen yet. */
    private HttpServer server(Vertx vertx, HttpServerOptions options, ListenerContext exchanges) {
        return vertx.createHttpServer(options).connectionHandler(connection -> {
            FramingRules.keep(connection, exchanges.connections::isDraining);
            exchanges.connections.opened(connection);
        }).requestHandler(exchanges::begin).invalidRequestHandler(request -> invalid(exchanges.writer, request));
    }

    private HttpServerOptions options() {
        int idle = Math.toIntExact(limits.idle().toMillis());
        HttpServerOptions options = new HttpServerOptions().setHttp2ClearTextEnabled(false)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout(idle).setMaxHeaderSize(limits.capacity().headBytes())
                .setMaxInitialLineLength(limits.capacity().lineBytes()).setTcpNoDelay(true)
                .setMaxWebSocketFrameSize(FRAME).setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false).setWebSocketClosingTimeout(CLOSING_SECONDS);
        if (transport.proxies() != null) {
            options.setUseProxyProtocol(true).setProxyProtocolTimeoutUnit(TimeUnit.MILLISECONDS)
                    .setProxyProtocolTimeout(limits.head().toMillis());
        }
        return options;
    }

    /** Adds TLS and HTTP/2, if the listener has them. Returns the action that frees what is held outside the heap. */
    private Runnable encrypt(HttpServerOptions options, ConnectionTracker connections) {
        ListenerTls tls = transport.tls();
        if (tls == null) {
            return () -> {};
        }
        Http2Limits.apply(options, limits.capacity().headBytes());
        return tls.apply(options, limits.head(),
                new ChallengeHandshakes(transport.challenges(), limits.head(), connections::accepted));
    }

    /** Answers a request that the codec refused, and closes the connection. */
    private static void invalid(ResponseWriter writer, HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        Problem problem = switch (cause) {
            case TooLongHttpLineException _ -> new Problem(ProblemType.URI_TOO_LONG,
                    "The request line is too long: shorten the path and the query");
            case TooLongHttpHeaderException _ -> new Problem(ProblemType.HEADERS_TOO_LARGE,
                    "The headers are too large: send fewer or smaller ones, such as cookies");
            case FramingRules.UnknownVersionException _ -> new Problem(ProblemType.VERSION,
                    "The request has an unsupported version: use HTTP/1.1");
            case null, default -> new Problem(ProblemType.BAD_REQUEST,
                    "The request is not HTTP/1.1 as RFC 9112 has it: check its line, its headers and its length");
        };
        writer.write(request.response().putHeader("Connection", "close"), Response.problem(problem, ""), List.of(),
                true)
                .onComplete(_ -> request.connection().close());
    }

    private static <T> T await(Future<T> future, Duration patience) throws IOException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(String.valueOf(cause.getMessage()), cause);
        } catch (TimeoutException e) {
            throw new IOException("not done within " + DurationText.of(patience), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
