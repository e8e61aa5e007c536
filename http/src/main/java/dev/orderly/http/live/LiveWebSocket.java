package dev.orderly.http.live;

import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveConnection;
import dev.orderly.live.LiveSession;
import dev.orderly.live.Message;
import dev.orderly.time.Time;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A WebSocket. Non-volatile fields belong to the connection's event loop. Messages are written to the channel directly,
 * so that one array serves all receivers.
 */
final class LiveWebSocket implements LiveConnection, Heartbeat.Beating {
    private static final Logger LOG = LoggerFactory.getLogger(LiveWebSocket.class);
    /** The maximum number of bytes that wait for one client. */
    private static final int BUFFER = 256 << 10;
    /** The memory of a waiting message beside its bytes. */
    private static final int EACH = 256;
    private static final Message READY = new Message.Json("{\"orderly\":\"ready\"}".getBytes(StandardCharsets.UTF_8));
    /** The time in which the other end has to confirm the close. */
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final LiveHandler door;
    private final ServerWebSocket socket;
    private final ChannelHandlerContext channel;
    private final String address;
    private final Runnable gone;
    private final long id = ThreadLocalRandom.current().nextLong();
    private final AtomicInteger waiting = new AtomicInteger();
    private final MessageFragments fragments = new MessageFragments();
    private @Nullable LiveSession session;
    private boolean first = true;
    private boolean verifying;
    private volatile boolean over;
    private volatile boolean closed;
    private volatile long signOfLifeAt;
    private long pingedAt;
    /** The end of the time for a token, of the token itself, or of the closing handshake. */
    private volatile long deadline;

    /** @param gone runs once, when the connection is closed */
    LiveWebSocket(LiveHandler door, ServerWebSocket socket, String address, Runnable gone) {
        this.door = door;
        this.address = address;
        this.socket = socket;
        this.channel = ((WebSocketInternal) socket).channelHandlerContext();
        this.gone = gone;
        Time time = door.heartbeat().time();
        this.signOfLifeAt = time.nanos();
        this.pingedAt = signOfLifeAt;
        this.deadline = time.deadline(door.times().token());
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
        door.heartbeat().add(this);
        if (known != null) {
            enter(known, READY); // tells the page that it need not send a token: it cannot see its cookie
        }
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
        signOfLifeAt = door.heartbeat().time().nanos();
    }

    boolean isOver() {
        return over;
    }

    private void frame(WebSocketFrame frame) {
        signOfLife();
        boolean data = frame.isText() || frame.isBinary() || frame.isContinuation();
        if (over || !data) {
            return;
        }
        switch (fragments.add(frame)) {
            case MessageFragments.Result.Partial _ -> {
            }
            case MessageFragments.Result.Whole(Message message) -> received(message);
            case MessageFragments.Result.TooLarge _ ->
                close(CloseCode.TOO_LARGE, "A message has at most " + Message.MAX + " bytes");
            case MessageFragments.Result.Malformed _ -> close(CloseCode.MALFORMED, "The text is not UTF-8");
        }
    }

    private void received(Message message) {
        LiveSession known = session;
        String token = first ? TokenMessage.read(message).orElse(null) : null;
        first = false;
        if (token != null) {
            verify(token);
        } else if (known != null) {
            known.received(message);
        } else {
            close(CloseCode.UNAUTHENTICATED, "The first message has to contain a token");
        }
    }

    private void verify(String token) {
        socket.pause();
        verifying = true;
        Thread.ofVirtual().name("orderly-live-token").start(() -> {
            Authentication sender = door.verify(token);
            channel.executor().execute(() -> verified(sender));
        });
    }

    private void verified(Authentication sender) {
        verifying = false;
        signOfLife(); // none could be read during verification
        if (over) {
            return;
        }
        socket.resume();
        LiveSession before = session;
        switch (sender) {
            case Authentication.Known known when before == null -> enter(known, READY);
            case Authentication.Known known when before.user().equals(known.user()) -> {
                expireAt(known);
                send(READY);
            }
            case Authentication.Known _ ->
                close(CloseCode.UNAUTHENTICATED, "The token belongs to another user than the connection");
            case Authentication.Rejected rejected -> close(CloseCode.UNAUTHENTICATED, rejected.reason());
            case Authentication.Unavailable unavailable -> close(CloseCode.TRY_LATER, unavailable.reason());
            case Authentication.Anonymous _ -> close(CloseCode.UNAUTHENTICATED, "The token names no user");
        }
    }

    private void enter(Authentication.Known known, @Nullable Message welcome) {
        expireAt(known);
        session = door.engine().connect(known.user(), this, welcome).orElse(null);
        if (session == null) {
            close(CloseCode.TOO_MANY, "Too many connections of this user are open");
        }
    }

    private void expireAt(Authentication.Known known) {
        Time time = door.heartbeat().time();
        deadline = time.deadline(Duration.between(time.now(), known.until()));
    }

    private void closed() {
        over = true;
        closed = true;
        door.heartbeat().remove(this);
        LiveSession left = session;
        if (left != null) {
            left.closed();
        }
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
        if (over) {
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
        if (!over && closing()) {
            socket.shutdownHandler(null);
            socket.close(code.value(), reason.length() <= 120 ? reason : reason.substring(0, 120));
            if (verifying) {
                socket.resume(); // to read the client's close frame
            }
        }
    }

    /** Ends the connection's work: only the close is awaited. False if the connection is closed already. */
    boolean closing() {
        over = true;
        deadline = door.heartbeat().time().deadline(CLOSING);
        return !closed && !socket.isClosed();
    }

    private void cut() {
        over = true;
        channel.executor().execute(() -> {
            var _ = channel.close(); // Vert.x would send a close frame first, which a slow reader never reads
        });
    }

    @Override
    public void beat(long now) {
        if (now - deadline >= 0) {
            if (over) {
                cut();
            } else {
                close(CloseCode.UNAUTHENTICATED, session == null ? "No token came in time" : "The token has expired");
            }
        } else if (!over && now - signOfLifeAt >= door.times().silence().toNanos()) {
            close(CloseCode.NO_SIGN_OF_LIFE, "No sign of life for too long");
        } else if (!over && now - pingedAt >= door.times().ping().toNanos()) {
            pingedAt = now;
            var _ = channel.writeAndFlush(new PingWebSocketFrame(Unpooled.EMPTY_BUFFER));
        }
    }
}
