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
 */
public record ShownOpening(ZonedDateTime opens, Duration until, @Nullable ZonedDateTime lobby, Change change,
        @Nullable Crowd crowd) {
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
