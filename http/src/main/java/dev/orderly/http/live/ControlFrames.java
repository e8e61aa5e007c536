package dev.orderly.http.live;

import dev.orderly.flow.TokenBucket;
import dev.orderly.live.CloseCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Handles frames without content: pings, pongs and empty frames. They are limited to the rate of messages, with or
 * without a token; a faster client is closed. A pong is sent only after the previous pong is written, and only for the
 * newest of several pings, as RFC 6455, section 5.5.3, allows: a client that does not read makes nothing pile up.
 */
final class ControlFrames extends ChannelInboundHandlerAdapter {
    private final LiveWebSocket socket;
    private final TokenBucket bucket;
    private boolean answering;
    private byte @Nullable [] pending;

    ControlFrames(LiveWebSocket socket, TokenBucket.Pace pace) {
        this.socket = socket;
        this.bucket = new TokenBucket(pace);
    }

    @Override
    public void channelRead(ChannelHandlerContext channel, Object message) {
        if (!(message instanceof WebSocketFrame frame) || !isControl(frame)) {
            channel.fireChannelRead(message);
        } else if (socket.isOver()) {
            ReferenceCountUtil.release(frame);
        } else if (!bucket.take()) {
            ReferenceCountUtil.release(frame);
            socket.close(CloseCode.TOO_MANY, "A flood of frames without content: send fewer");
        } else if (frame instanceof PingWebSocketFrame) {
            byte[] content = ByteBufUtil.getBytes(frame.content());
            ReferenceCountUtil.release(frame);
            socket.signOfLife();
            answer(channel, content);
        } else {
            channel.fireChannelRead(frame);
        }
    }

    private static boolean isControl(WebSocketFrame frame) {
        return frame instanceof PingWebSocketFrame || frame instanceof PongWebSocketFrame
                || (!(frame instanceof CloseWebSocketFrame) && !frame.content().isReadable());
    }

    private void answer(ChannelHandlerContext channel, byte[] content) {
        if (answering) {
            pending = content;
            return;
        }
        answering = true;
        ByteBuf pong = channel.alloc().buffer(content.length).writeBytes(content);
        channel.writeAndFlush(new PongWebSocketFrame(pong)).addListener(_ -> {
            answering = false;
            byte[] next = pending;
            pending = null;
            if (next != null && !socket.isOver()) {
                answer(channel, next);
            }
        });
    }
}
