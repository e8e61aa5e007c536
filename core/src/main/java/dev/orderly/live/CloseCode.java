package dev.orderly.live;

/** Why a connection is closed from this side, with the code of a WebSocket close frame. */
public enum CloseCode {
    /** On purpose, all is well. */
    DONE(1000),
    /** This server stops; another one, or this one soon, takes the connection again. */
    STOPPING(1001),
    /** A text was not UTF-8. */
    MALFORMED(1007),
    /** A message was larger than {@link Message#MAX}. */
    TOO_LARGE(1009),
    /** It could not be found out whose the token is. */
    TRY_LATER(1013),
    /** No token came in time, it did not verify, or it has expired. */
    UNAUTHENTICATED(4401),
    /** Nothing came for too long, not even the answer to a ping. */
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
