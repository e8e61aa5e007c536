package dev.orderly.room.invitation;

import java.util.Locale;

/** Why an invitation gives no place. */
public enum InvitationRefusal {
    /** The code was not issued here for a tier of this room. */
    UNKNOWN,
    /** Its time is over, or the room began a new epoch. */
    ENDED,
    /** It has given a place. */
    USED,
    /** An operator revoked its series. */
    REVOKED,
    /** It belongs to another user, or the visitor is not signed in. */
    OTHER_USER,
    /** The visitor is expected to enter sooner with the present place. The code stays good. */
    SOONER,
    /** It gave its place to this device, and the place is over: the visitor entered, left or moved it. */
    SPENT;

    private final String wire = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The name for visitors' clients, such as {@code other-user}. */
    public String wire() {
        return wire;
    }
}
