package dev.orderly.http.room.page;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a room as visitors are told them. That who comes first is served first, and that who was away comes back
 * to the front, holds always.
 *
 * @param rate null if there is none
 * @param capacity how many may be inside at once; null if there is no limit
 */
public record LineRule(@Nullable Rate rate, @Nullable Long capacity) {
    /** No limits to tell of. */
    public static final LineRule NONE = new LineRule(null, null);

    /**
     * So many visitors in each period. Shown per minute, or per hour if that is less than one a minute.
     *
     * @param visitors at least 1
     * @param per longer than nothing
     */
    public record Rate(long visitors, Duration per) {
        /** @throws IllegalArgumentException if it is no rate */
        public Rate {
            if (visitors < 1 || per.toMillis() < 1) {
                throw new IllegalArgumentException("A rate lets in at least one visitor in a period, not " + visitors
                        + " in " + per);
            }
        }

        long perMinute() {
            return visitors * 60_000 / per.toMillis();
        }

        long perHour() {
            return visitors * 3_600_000 / per.toMillis();
        }
    }
}
