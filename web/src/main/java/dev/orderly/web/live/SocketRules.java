package dev.orderly.web.live;

import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveConnection;
import dev.orderly.live.LiveSession;
import dev.orderly.live.Message;
import dev.orderly.time.Time;
import dev.orderly.web.user.Authentication;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one WebSocket on any transport: a token first and whenever the client sends one, messages of a known
 * user, pings, and an end when the token expires or the client is silent. Methods that take events of the connection
 * are called in their order, one at a time.
 */
public final class SocketRules implements Heartbeat.Beating {
    private static final Message READY = new Message.Json("{\"orderly\":\"ready\"}".getBytes(StandardCharsets.UTF_8));
    private static final Message TOO_FAST = Message.error("Tokens come too fast: wait a moment and send it again");
    /** The shortest time between two tokens of a connection, since each costs the check of a signature. */
    private static final Duration TOKEN_EACH = Duration.ofSeconds(1);
    private static final int EARLY_TOKENS = 40;
    /** The time in which the other end has to confirm the close. */
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final LiveHandler door;
    private final LiveConnection connection;
    private final SocketWire wire;
    private @Nullable LiveSession session;
    /** Monotonic time from which on a further token is verified. */
    private long nextTokenAt;
    /** The tokens since the last one that was verified. */
    private int earlyTokens;
    private volatile boolean verifying;
    private volatile boolean over;
    private volatile long signOfLifeAt;
    private long pingedAt;
    /** The end of the time for a token, of the token itself, or of the closing handshake. */
    private volatile long deadline;

    public SocketRules(LiveHandler door, LiveConnection connection, SocketWire wire) {
        this.door = door;
        this.connection = connection;
        this.wire = wire;
        Time time = door.heartbeat().time();
        this.signOfLifeAt = time.nanos();
        this.pingedAt = signOfLifeAt;
        this.nextTokenAt = signOfLifeAt;
        this.deadline = time.deadline(door.times().token());
    }

    /** @param known null for a client that sends its token as the first message */
    public void begin(Authentication.@Nullable Known known) {
        door.heartbeat().add(this);
        if (known != null) {
            enter(known, READY); // tells the page that it need not send a token: it cannot see its cookie
        }
    }

    /** Records a sign of life of the client. */
    public void signOfLife() {
        signOfLifeAt = door.heartbeat().time().nanos();
    }

    /** Whether only the end of the connection is awaited. */
    public boolean isOver() {
        return over;
    }

    /** Whether a token is being verified, so that the transport is paused. */
    public boolean isVerifying() {
        return verifying;
    }

    /** A whole message of the client. A message of the form of a token is a token at any time, and nothing else. */
    public void received(Message message) {
        LiveSession known = session;
        String token = TokenMessage.read(message).orElse(null);
        if (token != null) {
            verifyInTime(token);
        } else if (known != null) {
            known.received(message);
        } else {
            wire.close(CloseCode.UNAUTHENTICATED, "The first message has to contain a token");
        }
    }

    private void verifyInTime(String token) {
        Time time = door.heartbeat().time();
        if (time.reached(nextTokenAt)) {
            nextTokenAt = time.deadline(TOKEN_EACH);
            earlyTokens = 0;
            verify(token);
        } else if (++earlyTokens <= EARLY_TOKENS) {
            connection.send(TOO_FAST);
        } else {
            wire.close(CloseCode.TOO_MANY, "A flood of tokens: send one before the last one expires");
        }
    }

    private void verify(String token) {
        wire.pause();
        verifying = true;
        Thread.ofVirtual().name("orderly-live-token").start(() -> {
            Authentication sender = door.verify(token);
            wire.execute(() -> verified(sender));
        });
    }

    private void verified(Authentication sender) {
        verifying = false;
        signOfLife(); // none could be read during verification
        if (over) {
            return;
        }
        wire.resume();
        LiveSession before = session;
        switch (sender) {
            case Authentication.Known known when before == null -> enter(known, READY);
            case Authentication.Known known when before.user().equals(known.user()) -> {
                expireAt(known);
                connection.send(READY);
            }
            case Authentication.Known _ ->
                wire.close(CloseCode.UNAUTHENTICATED, "The token belongs to another user than the connection");
            case Authentication.Rejected rejected -> wire.close(CloseCode.UNAUTHENTICATED, rejected.reason());
            case Authentication.Unavailable unavailable -> wire.close(CloseCode.TRY_LATER, unavailable.reason());
            case Authentication.Anonymous _ -> wire.close(CloseCode.UNAUTHENTICATED, "The token names no user");
        }
    }

    private void enter(Authentication.Known known, @Nullable Message welcome) {
        expireAt(known);
        session = door.engine().connect(known.user(), connection, welcome).orElse(null);
        if (session == null) {
            wire.close(CloseCode.TOO_MANY, "Too many connections of this user are open");
        }
    }

    private void expireAt(Authentication.Known known) {
        Time time = door.heartbeat().time();
        deadline = time.deadline(Duration.between(time.now(), known.until()));
    }

    /** The closing handshake begins: the connection's work ends, and the handshake has a deadline. */
    public void closing() {
        over = true;
        deadline = door.heartbeat().time().deadline(CLOSING);
    }

    /** The connection is cut: nothing is awaited. */
    public void cut() {
        over = true;
    }

    /** The connection is closed. Called once. */
    public void closed() {
        over = true;
        door.heartbeat().remove(this);
        LiveSession left = session;
        if (left != null) {
            left.closed();
        }
    }

    @Override
    public void beat(long now) {
        if (now - deadline >= 0) {
            if (over) {
                wire.cut();
            } else {
                wire.close(CloseCode.UNAUTHENTICATED,
                        session == null ? "No token came in time" : "The token has expired");
            }
        } else if (!over && now - signOfLifeAt >= door.times().silence().toNanos()) {
            wire.close(CloseCode.NO_SIGN_OF_LIFE, "No sign of life for too long");
        } else if (!over && now - pingedAt >= door.times().ping().toNanos()) {
            pingedAt = now;
            wire.ping();
        }
    }
}
