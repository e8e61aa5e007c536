package dev.orderly.live;

import dev.orderly.Internal;

/** Why the server closes a connection, with the code of the WebSocket close frame. */
@Internal(to = "dev.orderly")
public enum CloseCode {
    /** A normal end. */
    DONE(1000),
    /** This server stops; another server, or this one after its restart, accepts a new connection. */
    STOPPING(1001),
    /** A text message was not UTF-8. */
    MALFORMED(1007),
    /** A message was larger than {@link Message#MAX}. */
    TOO_LARGE(1009),
    /** The token could not be verified now, for example because its keys are out of reach. */
    TRY_LATER(1013),
    /** No token came in time, the token did not verify, or it has expired. */
    UNAUTHENTICATED(4401),
    /** The client sent nothing for too long, not even an answer to a ping. */
    NO_SIGN_OF_LIFE(4408),
    /** Too many connections of the user or the address, or a flood of messages. */
    TOO_MANY(4429);

    private final short value;

    CloseCode(int value) {
        this.value = (short) value;
    }

    public short value() {
        return value;
    }
}
