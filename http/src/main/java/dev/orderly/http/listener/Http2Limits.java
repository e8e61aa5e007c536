package dev.orderly.http.listener;

import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
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

    private Http2Limits() {}

    /** @param headBytes all headers of one request; larger ones are answered 431 */
    static void apply(HttpServerOptions options, int headBytes) {
        options.setInitialSettings(new Http2Settings().setMaxConcurrentStreams(STREAMS).setMaxHeaderListSize(headBytes)
                .setInitialWindowSize(STREAM_WINDOW).setPushEnabled(false))
                .setHttp2ConnectionWindowSize(CONNECTION_WINDOW).setHttp2RstFloodMaxRstFramePerWindow(RESETS)
                .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
                .setHttp2RstFloodWindowDuration(RESET_SECONDS).setHttp2MaxSmallContinuationFrames(SMALL_CONTINUATIONS);
    }
}
