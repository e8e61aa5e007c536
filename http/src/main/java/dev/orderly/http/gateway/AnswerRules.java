package dev.orderly.http.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import org.jspecify.annotations.Nullable;

/**
 * Separates an origin's answer from the next answer on the same connection. The end of an answer is held back until all
 * bytes that came with it are read. If more bytes follow, the connection is closed instead of reused, so that they
 * cannot become the answer to the next visitor. Interim answers (1xx) that no request awaits are dropped. Runs on the
 * connection's event loop.
 */
final class AnswerRules extends ChannelDuplexHandler {
    private static final String CODEC = "codec";
    private static final String HANDLER = "handler";

    private boolean asked;
    private boolean interim;
    private boolean tainted;
    private @Nullable HttpResponse head;
    private @Nullable LastHttpContent last;

    private AnswerRules() {}

    /** Adds the rules to a new connection to an origin. A failure of the connection is reported to its requests. */
    static void keep(HttpConnection connection) {
        connection.exceptionHandler(_ -> {});
        if (connection instanceof ConnectionBase base) {
            Channel channel = base.channel();
            AnswerRules rules = new AnswerRules();
            if (channel.pipeline().get(CODEC) != null && channel.pipeline().get(HANDLER) != null) {
                channel.pipeline().addBefore(CODEC, "bytes", rules.new Bytes());
                channel.pipeline().addBefore(HANDLER, "answers", rules);
            }
        }
    }

    /** Runs before the codec and detects bytes after the end of an answer. */
    private final class Bytes extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!asked && head == null) {
                ReferenceCountUtil.release(message);
                var _ = context.close(); // no request awaits these bytes
                return;
            }
            context.fireChannelRead(message);
            if (last != null && message instanceof ByteBuf bytes && bytes.refCnt() > 0 && bytes.isReadable()) {
                tainted = true;
            }
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        asked |= message instanceof HttpRequest;
        var _ = context.write(message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof HttpObject part)) {
            context.fireChannelRead(message);
        } else if (last != null || (head == null && !asked)) {
            tainted = true;
            ReferenceCountUtil.release(message);
        } else if (part.decoderResult().isFailure()) {
            context.fireChannelRead(message);
        } else if (isInterim(part)) {
            ReferenceCountUtil.release(message);
        } else {
            pass(context, part);
        }
    }

    private boolean isInterim(HttpObject part) {
        if (part instanceof HttpResponse response) {
            int status = response.status().code();
            interim = status < 200 && status != 100 && status != 101 && status != 103;
        }
        boolean dropped = interim;
        interim &= !(part instanceof LastHttpContent);
        return dropped;
    }

    private void pass(ChannelHandlerContext context, HttpObject part) {
        if (part instanceof HttpResponse response && response.status().code() >= 200) {
            head = response;
            asked = false;
            tainted |= response.status().code() == 204 && announcesBody(response);
        }
        if (part instanceof LastHttpContent end && head != null) {
            last = end;
        } else {
            context.fireChannelRead(part);
        }
    }

    private static boolean announcesBody(HttpResponse response) {
        String length = response.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        return response.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)
                || (length != null && !length.equals("0"));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        release(context);
        context.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        release(context);
        context.fireChannelInactive();
    }

    /**
     * Passes on the end of an answer. If the connection is tainted, the answer is first marked as the connection's
     * last.
     */
    private void release(ChannelHandlerContext context) {
        LastHttpContent end = last;
        HttpResponse answer = head;
        if (end == null || answer == null) {
            return;
        }
        last = null;
        head = null;
        if (tainted) {
            answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        context.fireChannelRead(end);
        if (tainted) {
            var _ = context.close();
        }
    }
}
