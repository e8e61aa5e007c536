package dev.orderly.http.live;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/**
 * Answers invalid frames, such as a frame that is too large, with the reason. Further data of the client is read and
 * dropped for a while: an immediate close would reset the connection and lose the reason.
 */
final class ProtocolViolations extends ChannelInboundHandlerAdapter {
    private final LiveWebSocket socket;

    ProtocolViolations(LiveWebSocket socket) {
        this.socket = socket;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channel, Throwable cause) {
        if (!(cause instanceof CorruptedWebSocketFrameException violation)) {
            channel.fireExceptionCaught(cause);
        } else if (socket.closing()) {
            WebSocketCloseStatus status = violation.closeStatus();
            channel.writeAndFlush(new CloseWebSocketFrame(status, status.reasonText()))
                    .addListener((ChannelFutureListener) _ -> {
                        if (channel.channel() instanceof DuplexChannel duplex) {
                            var _ = duplex.shutdownOutput();
                        }
                    });
        }
    }
}
