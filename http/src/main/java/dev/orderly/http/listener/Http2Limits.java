package dev.orderly.http.listener;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.TimeUnit;

/**
 * The limits of a connection of HTTP/2. A client beyond them loses the connection with ENHANCE_YOUR_CALM, except beyond
 * the number of streams, where a new stream is refused. Netty bounds queued acknowledgements (a flood of PING or
 * SETTINGS) and empty frames by itself.
 */
final class Http2Limits {
    /** A browser shares one connection among all tabs of a site, each with its event streams. */
    private static final int STREAMS = 100;
    /** Streams that a client may reset in the period; a browser resets those of a page that is left. */
    private static final int RESETS = 200;
    private static final int RESET_SECONDS = 30;
    /** Frames smaller than the rest of a header list; a list of 16 KiB needs none. */
    private static final int SMALL_CONTINUATIONS = 16;
    /** Bytes of a body that a client may send ahead. */
    private static final int STREAM_WINDOW = 128 << 10;
    /** Bytes of all bodies that a client may send ahead. */
    private static final int CONNECTION_WINDOW = 512 << 10;

    /** Flushes that are gathered at most. */
    private static final int FLUSHES = 64;

    private Http2Limits() {}

    /**
     * Lets the frames that are written to a new connection in one round of its event loop leave together, as one record
     * of TLS: the answers of an origin come on connections of their own, each of which would flush.
     */
    static void gather(HttpConnection connection) {
        if (!Boolean.getBoolean("flush")) return;
        if (connection.protocolVersion() == HttpVersion.HTTP_2 && connection instanceof ConnectionBase base) {
            ChannelPipeline pipeline = base.channel().pipeline();
            ChannelHandlerContext tls = pipeline.context(SslHandler.class);
            if (tls != null) {
                pipeline.addAfter(tls.name(), "flushes", new FlushConsolidationHandler(FLUSHES, true));
            }
        }
    }

    /** @param headBytes all headers of one request; larger ones are answered 431 */
    static void apply(HttpServerOptions options, int headBytes) {
        options.setInitialSettings(new Http2Settings().setMaxConcurrentStreams(STREAMS).setMaxHeaderListSize(headBytes)
                .setInitialWindowSize(STREAM_WINDOW).setPushEnabled(false))
                .setHttp2ConnectionWindowSize(CONNECTION_WINDOW).setHttp2RstFloodMaxRstFramePerWindow(RESETS)
                .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
                .setHttp2RstFloodWindowDuration(RESET_SECONDS).setHttp2MaxSmallContinuationFrames(SMALL_CONTINUATIONS);
    }
}
