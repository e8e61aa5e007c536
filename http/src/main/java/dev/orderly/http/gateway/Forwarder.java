package dev.orderly.http.gateway;

import dev.orderly.flow.LogLimit;
import dev.orderly.http.stream.StreamHandler;
import dev.orderly.http.stream.StreamedExchange;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards requests to one origin over bounded pools of persistent connections, one pool for each kind of request.
 * Server certificates are verified. Thread-safe.
 */
final class Forwarder implements StreamHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);
    /** The maximum head of an answer, since answers may contain large cookies and policies. */
    private static final int HEAD_BYTES = 64 << 10;
    /**
     * Idle connections are closed before most origins close them; an origin's own Keep-Alive header takes precedence.
     */
    private static final Duration KEEP = Duration.ofSeconds(30);
    /** The wait for a connection exceeds the connect timeout, so that a failed connect is reported as such. */
    private static final Duration BEHIND = Duration.ofMillis(500);

    private final Origin origin;
    private final LogLimit log;
    private final ForwardLimits limits;
    private final ForwardClock clocks;
    private final RequestHeaders headers;
    private final Map<ForwardKind, OriginPool> pools = new EnumMap<>(ForwardKind.class);
    private final SocketAddress server;

    /** @param loops event loops among which the connections are divided */
    Forwarder(Origin origin, Gateway gateway, ForwardClock clocks, int loops) {
        this.origin = origin;
        this.log = new LogLimit(LOG, clocks.time());
        this.limits = gateway.limits();
        this.clocks = clocks;
        this.headers = new RequestHeaders(origin, gateway.trusted());
        this.server = SocketAddress.inetSocketAddress(origin.port(), origin.hostName());
        for (ForwardKind kind : ForwardKind.values()) {
            pools.put(kind, new OriginPool(kind, limits.shares().of(kind), clocks.vertx(), loops,
                    clientOptions()));
        }
    }

    private HttpClientOptions clientOptions() {
        return new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_1_1).setKeepAlive(true)
                .setKeepAliveTimeout(Math.toIntExact(KEEP.toSeconds())).setMaxHeaderSize(HEAD_BYTES)
                .setConnectTimeout(Math.toIntExact(limits.connect().toMillis())).setTcpNoDelay(true)
                .setSsl(origin.isTls());
    }

    /** The log for messages that this origin or its visitors can cause without limit. */
    LogLimit log() {
        return log;
    }

    Origin origin() {
        return origin;
    }

    ForwardLimits limits() {
        return limits;
    }

    ForwardClock clocks() {
        return clocks;
    }

    RequestHeaders headers() {
        return headers;
    }

    OriginPool pool(ForwardKind kind) {
        OriginPool pool = pools.get(kind);
        if (pool == null) {
            throw new IllegalStateException("No pool for " + kind);
        }
        return pool;
    }

    /** A request to this origin, without method and target. */
    RequestOptions request() {
        RequestOptions options = new RequestOptions();
        options.setServer(server).setHost(origin.hostName()).setPort(origin.port())
                .setConnectTimeout(limits.connect().plus(BEHIND).toMillis());
        return options;
    }

    @Override
    public void serve(StreamedExchange exchange) {
        new ForwardedExchange(this, exchange).begin();
    }
}
