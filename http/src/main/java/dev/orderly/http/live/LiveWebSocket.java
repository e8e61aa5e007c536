package dev.orderly.http.live;

import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveConnection;
import dev.orderly.live.Message;
import dev.orderly.web.live.LiveHandler;
import dev.orderly.web.live.SocketRules;
import dev.orderly.web.live.SocketWire;
import dev.orderly.web.user.Authentication;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.internal.http.WebSocketInternal;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A WebSocket. Non-volatile fields belong to the connection's event loop. Messages are written to the channel directly,
 * so that one array serves all receivers.
 */
final class LiveWebSocket implements LiveConnection, SocketWire {
    private static final Logger LOG = LoggerFactory.getLogger(LiveWebSocket.class);
    /** The maximum number of bytes that wait for one client. */
    private static final int BUFFER = 256 << 10;
    /** The memory of a waiting message beside its bytes. */
    private static final int EACH = 256;

    private final LiveHandler door;
    private final ServerWebSocket socket;
    private final ChannelHandlerContext channel;
    private final String address;
    private final Runnable gone;
    private final long id = ThreadLocalRandom.current().nextLong();
    private final AtomicInteger waiting = new AtomicInteger();
    private final MessageFragments fragments = new MessageFragments();
    private final SocketRules rules;
    private volatile boolean closed;

    /** @param gone runs once, when the connection is closed */
    LiveWebSocket(LiveHandler door, ServerWebSocket socket, String address, Runnable gone) {
        this.door = door;
        this.address = address;
        this.socket = socket;
        this.channel = ((WebSocketInternal) socket).channelHandlerContext();
        this.gone = gone;
        this.rules = new SocketRules(door, this, this);
    }

    void begin(Authentication.@Nullable Known known) {
        if (channel.pipeline().get(IdleStateHandler.class) != null) {
            channel.pipeline().remove(IdleStateHandler.class); // the heartbeat replaces it
        }
        channel.pipeline().addBefore(channel.name(), "control", new ControlFrames(this, door.engine().pace()));
        channel.pipeline().addBefore(channel.name(), "violations", new ProtocolViolations(this));
        socket.exceptionHandler(_ -> {}); // the close that follows covers it
        socket.closeHandler(_ -> closed());
        socket.shutdownHandler(_ -> channel.executor().execute(this::shutDown));
        socket.frameHandler(this::frame);
        rules.begin(known);
    }

    @Override
    public String id() {
        return Long.toHexString(id);
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public String transport() {
        return "websocket";
    }

    // ---- from the client

    /** Records a sign of life of the client. */
    void signOfLife() {
        rules.signOfLife();
    }

    boolean isOver() {
        return rules.isOver();
    }

    private void frame(WebSocketFrame frame) {
        signOfLife();
        boolean data = frame.isText() || frame.isBinary() || frame.isContinuation();
        if (isOver() || !data) {
            return;
        }
        switch (fragments.add(frame)) {
            case MessageFragments.Result.Partial _ -> {
            }
            case MessageFragments.Result.Whole(Message message) -> rules.received(message);
            case MessageFragments.Result.TooLarge _ ->
                close(CloseCode.TOO_LARGE, "A message has at most " + Message.MAX + " bytes");
            case MessageFragments.Result.Malformed _ -> close(CloseCode.MALFORMED, "The text is not UTF-8");
        }
    }

    @Override
    public void execute(Runnable action) {
        channel.executor().execute(action);
    }

    @Override
    public void pause() {
        socket.pause();
    }

    @Override
    public void resume() {
        socket.resume();
    }

    private void closed() {
        closed = true;
        rules.closed();
        gone.run();
    }

    /** The server stops, or the client has sent a close frame. Vert.x distinguishes the two only a moment later. */
    private void shutDown() {
        if (!closed && socket.isClosed()) {
            Short code = socket.closeStatusCode();
            boolean isValid = code != null && (code >= 3_000 || (code >= 1_000 && code <= 1_003));
            closing();
            socket.close(isValid ? code : CloseCode.DONE.value(), "");
        } else {
            close(CloseCode.STOPPING, "The server stops");
        }
    }

    // ---- to the client

    @Override
    public boolean send(Message message) {
        if (isOver()) {
            return false;
        }
        int size = message.bytes().length + EACH;
        if (waiting.addAndGet(size) > BUFFER) {
            LOG.debug("A live connection is cut, since its reader is too slow");
            cut();
            return false;
        }
        ByteBuf bytes = Unpooled.wrappedBuffer(message.bytes());
        channel.writeAndFlush(message instanceof Message.Bytes
                ? new BinaryWebSocketFrame(bytes)
                : new TextWebSocketFrame(bytes)).addListener(_ -> waiting.addAndGet(-size));
        return true;
    }

    @Override
    public void close(CloseCode code, String reason) {
        if (channel.executor().inEventLoop()) {
            closeNow(code, reason);
        } else {
            channel.executor().execute(() -> closeNow(code, reason));
        }
    }

    private void closeNow(CloseCode code, String reason) {
        if (!isOver() && closing()) {
            socket.shutdownHandler(null);
            socket.close(code.value(), reason.length() <= 120 ? reason : reason.substring(0, 120));
            if (rules.isVerifying()) {
                socket.resume(); // to read the client's close frame
            }
        }
    }

    /** Ends the connection's work: only the close is awaited. False if the connection is closed already. */
    boolean closing() {
        rules.closing();
        return !closed && !socket.isClosed();
    }

    @Override
    public void cut() {
        rules.cut();
        channel.executor().execute(() -> {
            var _ = channel.close(); // Vert.x would send a close frame first, which a slow reader never reads
        });
    }

    @Override
    public void ping() {
        var _ = channel.writeAndFlush(new PingWebSocketFrame(Unpooled.EMPTY_BUFFER));
    }
}
