package dev.orderly.http.gateway;

import dev.orderly.http.stream.StreamedExchange;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket between client and origin, copied byte by byte with backpressure in both directions, until either side
 * closes.
 */
final class WebSocketTunnel {
    private final Forwarder forwarder;
    private final StreamedExchange exchange;
    private final HttpClientResponse response;
    private final OriginResponse headers;

    /** @param response with status 101 */
    WebSocketTunnel(Forwarder forwarder, StreamedExchange exchange, HttpClientResponse response,
            OriginResponse headers) {
        this.forwarder = forwarder;
        this.exchange = exchange;
        this.response = response;
        this.headers = headers;
    }

    /** Whether a request asks for a WebSocket. Other upgrades are not supported, so they are ignored. */
    static boolean isAskedFor(HttpServerRequest request) {
        String upgrade = request.getHeader("Upgrade");
        return upgrade != null && upgrade.strip().equalsIgnoreCase("websocket")
                && request.method().name().equals("GET")
                && HeaderRules.named(request.headers().getAll("Connection")).contains("upgrade");
    }

    static void ask(HttpClientRequest outbound) {
        outbound.putHeader("Connection", "Upgrade").putHeader("Upgrade", "websocket");
    }

    void open() {
        NetSocket origin = response.netSocket();
        origin.pause();
        HttpServerRequest request = exchange.request();
        request.resume();
        headers.copyHeaders();
        request.response().putHeader("Connection", "Upgrade").putHeader("Upgrade", "websocket");
        request.toNetSocket().onComplete((client, thrown) -> {
            if (client == null) {
                origin.close();
                exchange.cut();
            } else {
                join(client, origin, exchange.upgraded());
            }
        });
    }

    private void join(NetSocket client, NetSocket origin, Runnable gone) {
        limitIdleTime(client, forwarder.limits().webSocket().toMillis());
        client.exceptionHandler(WebSocketTunnel::ignore);
        origin.exceptionHandler(WebSocketTunnel::ignore);
        client.closeHandler(_ -> {
            gone.run();
            origin.close();
        });
        origin.closeHandler(_ -> client.close());
        client.pipeTo(origin);
        origin.pipeTo(client);
    }

    /**
     * Replaces the listener's idle time, which is for requests. Bytes of both directions pass the client's connection.
     */
    private static void limitIdleTime(NetSocket client, long millis) {
        ChannelPipeline pipeline = ((NetSocketInternal) client).channelHandlerContext().pipeline();
        if (pipeline.get(IdleStateHandler.class) != null) {
            pipeline.remove(IdleStateHandler.class);
        }
        pipeline.addBefore("handler", "idle", new IdleStateHandler(0, 0, millis, TimeUnit.MILLISECONDS));
    }

    private static void ignore(@Nullable Throwable broken) {
        // the close that follows covers it
    }
}
