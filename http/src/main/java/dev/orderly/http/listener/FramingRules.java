package dev.orderly.http.listener;

import dev.orderly.flow.FatalErrors;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.function.BooleanSupplier;

/**
 * The rules of RFC 9112 for servers beyond parsing: no request is served after an answer that closes its connection or
 * switches its protocol, an unsupported version is refused in a supported one, a body with malformed chunks is answered
 * 400, and a connection that breaks while requests wait for their turn is closed. Runs on the connection's event loop.
 */
final class FramingRules extends ChannelDuplexHandler {
    private static final AttributeKey<Boolean> CLOSING = AttributeKey.valueOf("orderly-closing");
    private static final String HANDLER = "handler";

    /** Requests whose answer is not complete. */
    private int unanswered;
    private final BooleanSupplier draining;
    /** Whether the body of the last request is read to its end. */
    private boolean read = true;
    private boolean last;
    private boolean answering;
    private boolean broken;

    /** The failure of a request with an unsupported version. */
    static final class UnknownVersionException extends Exception {
        UnknownVersionException() {
            super("not HTTP/1.1 or HTTP/1.0", null, false, false);
        }
    }

    private FramingRules(BooleanSupplier draining) {
        this.draining = draining;
    }

    /**
     * Adds the rules to a new connection of a client.
     *
     * @param draining whether each answer to a complete request is the last of its connection
     */
    static void keep(HttpConnection connection, BooleanSupplier draining) {
        connection.exceptionHandler(_ -> {});
        if (connection.protocolVersion() == io.vertx.core.http.HttpVersion.HTTP_2) { // framed by RFC 9113
            Http2HostRule.keep((ConnectionBase) connection);
        } else if (connection instanceof ConnectionBase base && base.channel().pipeline().get(HANDLER) != null) {
            base.channel().pipeline().addBefore(HANDLER, "rules", new FramingRules(draining));
        }
    }

    /**
     * Whether an answer has announced the end of the connection, or of HTTP on it: later requests are not served (RFC
     * 9112, section 9.6; RFC 9110, section 7.8).
     */
    static boolean isClosing(HttpConnection connection) {
        return connection instanceof ConnectionBase base
                && Boolean.TRUE.equals(base.channel().attr(CLOSING).get());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (broken) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request) {
            unanswered++;
            read = false;
            HttpVersion version = request.protocolVersion();
            if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
                request.setProtocolVersion(HttpVersion.HTTP_1_1);
                request.setDecoderResult(DecoderResult.failure(new UnknownVersionException()));
            }
        } else if (message instanceof HttpContent content && content.decoderResult().isFailure() && unanswered == 1
                && !answering) {
            refuse(context, content);
            return;
        }
        read |= message instanceof LastHttpContent;
        context.fireChannelRead(message);
    }

    private void refuse(ChannelHandlerContext context, HttpContent content) {
        broken = true;
        content.release();
        byte[] body = new Problem(ProblemType.BAD_REQUEST,
                "The chunks of the body are not framed as RFC 9112 has it: correct them, or send a Content-Length")
                .json("");
        FullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST,
                Unpooled.wrappedBuffer(body));
        answer.headers().set(HttpHeaderNames.CONNECTION, "close")
                .set(HttpHeaderNames.CONTENT_TYPE, Problem.CONTENT_TYPE)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store").set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (broken) {
            ReferenceCountUtil.release(message);
            promise.tryFailure(new IllegalStateException("The request was refused"));
            return;
        }
        if (message instanceof HttpResponse switched && switched.status().code() == 101) {
            closing(context.channel()); // what follows is not HTTP, nor are requests that were read before
        } else if (message instanceof HttpResponse answer && answer.status().code() >= 200) {
            answering = true;
            if (draining.getAsBoolean() && read && HttpUtil.isKeepAlive(answer)) {
                HttpUtil.setKeepAlive(answer, false);
                last = true;
            }
            if (!HttpUtil.isKeepAlive(answer)) {
                closing(context.channel());
            }
        }
        if (answering && message instanceof LastHttpContent) {
            answering = false;
            unanswered--;
            if (last) {
                var _ = context.write(message, promise.unvoid().addListener(ChannelFutureListener.CLOSE));
                return;
            }
        }
        var _ = context.write(message, promise);
    }

    /** Vert.x reports a failure to the last request that was read, and fails itself if its turn has not come. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (unanswered > 1) {
            FatalErrors.report("a connection", cause);
            var _ = context.close();
        } else {
            context.fireExceptionCaught(cause);
        }
    }

    private static void closing(Channel channel) {
        channel.attr(CLOSING).set(true);
    }
}
