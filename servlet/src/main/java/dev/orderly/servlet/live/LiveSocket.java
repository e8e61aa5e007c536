package dev.orderly.servlet.live;

import dev.orderly.Internal;
import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveConnection;
import dev.orderly.live.Message;
import dev.orderly.web.live.LiveHandler;
import dev.orderly.web.live.SocketRules;
import dev.orderly.web.live.SocketWire;
import dev.orderly.web.user.Authentication;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.PongMessage;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendHandler;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A WebSocket of the container. Public for containers, which make endpoints accessible by their class. */
@Internal(to = "dev.orderly")
public final class LiveSocket extends Endpoint implements LiveConnection, SocketWire {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSocket.class);
    /** The maximum number of bytes that wait for one client. */
    private static final int BUFFER = 256 << 10;
    /** The memory of a waiting message beside its bytes. */
    private static final int EACH = 256;
    private static final int REASON_MAX = 120;

    private final LiveHandler door;
    private final String address;
    private final Authentication.@Nullable Known known;
    private final SocketRules rules;
    private final AtomicBoolean left = new AtomicBoolean();
    private final Queue<Message> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger bytes = new AtomicInteger();
    private final AtomicBoolean sending = new AtomicBoolean();
    /** Keeps the events of the connection in order. */
    private final ReentrantLock order = new ReentrantLock();
    private volatile @Nullable Session session;

    /** For an address that has entered; it leaves when the connection ends, or cannot be opened. */
    LiveSocket(LiveHandler door, String address, Authentication.@Nullable Known known) {
        this.door = door;
        this.address = address;
        this.known = known;
        this.rules = new SocketRules(door, this, this);
    }

    void leave() {
        if (!left.getAndSet(true)) {
            door.engine().leave(address);
        }
    }

    // ---- from the client

    @Override
    public void onOpen(Session opened, EndpointConfig config) {
        session = opened;
        opened.setMaxIdleTimeout(0); // pings and their answers decide
        opened.setMaxTextMessageBufferSize(Message.MAX);
        opened.setMaxBinaryMessageBufferSize(Message.MAX);
        opened.addMessageHandler(String.class, (MessageHandler.Whole<String>) text -> received(
                new Message.Text(text.getBytes(StandardCharsets.UTF_8))));
        opened.addMessageHandler(byte[].class, (MessageHandler.Whole<byte[]>) data -> received(
                new Message.Bytes(data)));
        opened.addMessageHandler(PongMessage.class, (MessageHandler.Whole<PongMessage>) _ -> rules.signOfLife());
        execute(() -> rules.begin(known));
    }

    private void received(Message message) {
        rules.signOfLife();
        execute(() -> {
            if (rules.isOver()) {
                return;
            }
            if (message.bytes().length > Message.MAX) {
                close(CloseCode.TOO_LARGE, "A message has at most " + Message.MAX + " bytes");
            } else {
                rules.received(message);
            }
        });
    }

    @Override
    public void onClose(Session closed, CloseReason reason) {
        execute(rules::closed);
        leave();
    }

    @Override
    public void onError(Session failed, Throwable failure) {
        LOG.debug("A live connection failed: {}", failure.toString());
    }

    @Override
    public void execute(Runnable action) {
        order.lock();
        try {
            action.run();
        } finally {
            order.unlock();
        }
    }

    /** A container delivers what it has read: the rules refuse any second token. */
    @Override
    public void pause() {
        // nothing to stop
    }

    @Override
    public void resume() {
        // nothing was stopped
    }

    // ---- to the client

    @Override
    public String id() {
        return Integer.toHexString(System.identityHashCode(this));
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public String transport() {
        return "websocket";
    }

    @Override
    public boolean send(Message message) {
        if (rules.isOver()) {
            return false;
        }
        if (bytes.addAndGet(message.bytes().length + EACH) > BUFFER) {
            LOG.debug("A live connection is cut, since its reader is too slow");
            cut();
            return false;
        }
        waiting.add(message);
        sendNext();
        return true;
    }

    /** Sends one message at a time, as containers demand. */
    private void sendNext() {
        while (!waiting.isEmpty() && !sending.getAndSet(true)) {
            Message next = waiting.poll();
            Session open = session;
            if (next == null || open == null || !open.isOpen()) {
                sending.set(false);
                return;
            }
            Sent sent = new Sent(next.bytes().length + EACH);
            try {
                write(open.getAsyncRemote(), next, sent);
            } catch (IllegalStateException | IllegalArgumentException e) {
                LOG.debug("A live message was not sent: {}", e.toString());
                cut();
                return;
            }
            if (!sent.isDoneAtOnce()) {
                return; // its handler goes on
            }
        }
    }

    private static void write(RemoteEndpoint.Async remote, Message message, SendHandler sent) {
        switch (message) {
            case Message.Bytes(byte[] data) -> remote.sendBinary(ByteBuffer.wrap(data), sent);
            case Message.Json(byte[] json) -> remote.sendText(new String(json, StandardCharsets.UTF_8), sent);
            case Message.Text(byte[] text) -> remote.sendText(new String(text, StandardCharsets.UTF_8), sent);
        }
    }

    /** The end of one send: on the thread of the send itself, or later on another. */
    private final class Sent implements SendHandler {
        private final int size;
        private final AtomicBoolean second = new AtomicBoolean();

        Sent(int size) {
            this.size = size;
        }

        @Override
        public void onResult(SendResult result) {
            bytes.addAndGet(-size);
            if (!result.isOK()) {
                cut();
                return;
            }
            sending.set(false);
            if (second.getAndSet(true)) {
                sendNext();
            }
        }

        /** Whether the result came before the send returned, so that the sender goes on itself. */
        boolean isDoneAtOnce() {
            return second.getAndSet(true);
        }
    }

    @Override
    public void ping() {
        apart(open -> open.getBasicRemote().sendPing(ByteBuffer.allocate(0)));
    }

    @Override
    public void close(CloseCode code, String reason) {
        if (!rules.isOver()) {
            rules.closing();
            String shown = reason.length() <= REASON_MAX ? reason : reason.substring(0, REASON_MAX);
            apart(open -> open.close(new CloseReason(CloseReason.CloseCodes.getCloseCode(code.value()), shown)));
        }
    }

    @Override
    public void cut() {
        rules.cut();
        apart(Session::close);
    }

    /** A call of the container that may block. */
    @FunctionalInterface
    private interface Call {
        void on(Session open) throws IOException;
    }

    private void apart(Call call) {
        Session open = session;
        if (open != null) {
            Thread.ofVirtual().name("orderly-live-write").start(() -> {
                try {
                    call.on(open);
                } catch (IOException | IllegalStateException e) {
                    LOG.debug("A live connection is gone: {}", e.toString());
                }
            });
        }
    }
}
