package dev.orderly.live;

import dev.orderly.Internal;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An authenticated connection, through which its transport reports to the engine. The transport calls one method at a
 * time; none blocks.
 */
@Internal(to = "dev.orderly")
public final class LiveSession {
    private static final Message TOO_FAST = Message.error("Messages come too fast: wait a moment and send it again");

    private final UserId user;
    private final LiveConnection transport;
    private final LiveEngine engine;
    private final Instant since;
    private @Nullable Inbox inbox; // most connections only listen

    LiveSession(UserId user, LiveConnection transport, LiveEngine engine, Instant since) {
        this.user = user;
        this.transport = transport;
        this.engine = engine;
        this.since = since;
    }

    public UserId user() {
        return user;
    }

    OpenConnection view() {
        return new OpenConnection(transport.id(), transport.transport(), since);
    }

    LiveConnection transport() {
        return transport;
    }

    /**
     * Accepts a message of the client, or answers that messages come too fast.
     *
     * @param message as the transport received it; text that is a JSON document is recognised later
     */
    public void received(Message message) {
        Objects.requireNonNull(message, "message");
        Inbox box = inbox;
        if (box == null) {
            box = new Inbox(this, engine);
            inbox = box;
        }
        switch (box.add(message)) {
            case TAKEN -> {
            }
            case TOO_FAST -> transport.send(TOO_FAST);
            case FLOOD -> transport.close(CloseCode.TOO_MANY, "A flood of messages: send fewer");
        }
    }

    /**
     * Reports that the connection is closed, by either side. Idempotent. Messages received before are still handled.
     */
    public void closed() {
        engine.closed(this);
    }

    void error(String text) {
        transport.send(Message.error(text));
    }
}
