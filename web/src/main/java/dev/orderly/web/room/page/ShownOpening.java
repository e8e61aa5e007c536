package dev.orderly.web.room.page;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The opening that a visitor waits for.
 *
 * @param opens the moment
 * @param until the time until then, by the clock of the server
 * @param lobby the moment from which visitors take places; null if they do already
 * @param change what has changed since it was announced
 * @param crowd the visitors who wait, and about how many there is something for; null if there is enough for all, or
 *     nobody knows
 * @param draw the draw of the lobby's places; null if they are those of the order of arrival
 */
public record ShownOpening(ZonedDateTime opens, Duration until, @Nullable ZonedDateTime lobby, Change change,
        @Nullable Crowd crowd, @Nullable Draw draw) {
    /** An opening whose places are those of the order of arrival. */
    public ShownOpening(ZonedDateTime opens, Duration until, @Nullable ZonedDateTime lobby, Change change,
            @Nullable Crowd crowd) {
        this(opens, until, lobby, change, crowd, null);
    }

    /**
     * A draw.
     *
     * @param commitment in hexadecimal digits; null as long as there is none
     * @param drawing whether the lobby is over and the places are being drawn
     * @param wantsNonce whether the visitor's ticket has a nonce of the server, so that the browser may send its own
     */
    public record Draw(@Nullable String commitment, boolean drawing, boolean wantsNonce) {}

    /**
     * What an operator has changed.
     *
     * @param instead the moment announced before; null if it has not changed
     * @param cancelled the moment of an earlier opening that was cancelled; null for none
     */
    public record Change(@Nullable ZonedDateTime instead, @Nullable ZonedDateTime cancelled) {
        /** No change. */
        public static final Change NONE = new Change(null, null);
    }

    /**
     * More visitors than there is something for.
     *
     * @param waiting visitors with a place
     * @param stock about how many of them get something
     */
    public record Crowd(long waiting, long stock) {}

    public ShownOpening {
        Objects.requireNonNull(opens, "opens");
        Objects.requireNonNull(change, "change");
        until = until.isNegative() ? Duration.ZERO : until;
    }
}
