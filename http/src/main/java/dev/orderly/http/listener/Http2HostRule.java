package dev.orderly.http.listener;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.List;

/**
 * Keeps the Host fields of requests over HTTP/2 together: Vert.x takes the first of several and drops the others, so
 * they become one value, which names no host and is refused. Runs on the connection's event loop.
 */
final class Http2HostRule extends Http2FrameListenerDecorator {
    private Http2HostRule(Http2FrameListener next) {
        super(next);
    }

    /** Adds the rule to a new connection of a client. */
    static void keep(ConnectionBase connection) {
        Http2ConnectionHandler handler = connection.channel().pipeline().get(Http2ConnectionHandler.class);
        Http2ConnectionDecoder decoder = handler.decoder();
        decoder.frameListener(new Http2HostRule(decoder.frameListener()));
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext context, int stream, Http2Headers headers, int padding,
            boolean last) throws Http2Exception {
        join(headers);
        super.onHeadersRead(context, stream, headers, padding, last);
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext context, int stream, Http2Headers headers, int dependency,
            short weight, boolean exclusive, int padding, boolean last) throws Http2Exception {
        join(headers);
        super.onHeadersRead(context, stream, headers, dependency, weight, exclusive, padding, last);
    }

    private static void join(Http2Headers headers) {
        List<CharSequence> hosts = headers.getAll(HttpHeaderNames.HOST);
        if (hosts.size() > 1) {
            headers.set(HttpHeaderNames.HOST, String.join(",", hosts));
        }
    }
}
