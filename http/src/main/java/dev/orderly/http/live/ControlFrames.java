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
 * Takes the frames that carry no content: pings, pongs and empty ones. They come at the pace of messages, or end the
 * connection, with or without a token. A ping is answered once the answer before it is out, the newest of several alone,
 * as RFC 6455, section 5.5.3, allows: so a client that does not read makes nothing pile up.
 */
final class ControlFrames extends ChannelInboundHandlerAdapter {
    private final Socket socket;
    private final TokenBucket bucket;
    private boolean answering;
    private byte @Nullable [] unanswered;

    ControlFrames(Socket socket, TokenBucket.Pace pace) {
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
            socket.heard();
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
            unanswered = content;
            return;
        }
        answering = true;
        ByteBuf pong = channel.alloc().buffer(content.length).writeBytes(content);
        channel.writeAndFlush(new PongWebSocketFrame(pong)).addListener(_ -> {
            answering = false;
            byte[] next = unanswered;
            unanswered = null;
            if (next != null && !socket.isOver()) {
                answer(channel, next);
            }
        });
    }
}
