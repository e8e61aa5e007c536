package dev.orderly.http.room.page;

import org.jspecify.annotations.Nullable;

/**
 * Where a visitor stands in the line.
 *
 * @param place from 1
 * @param ahead how many people are before this one, from 0
 * @param progress of the way from the end of the line to the door, 0 to 1
 * @param estimate of the wait that is left; null while it is not known
 * @param cause why it is as it is
 */
public record Standing(long place, long ahead, double progress, @Nullable Estimate estimate, Cause cause) {
    /** @throws IllegalArgumentException if a value is out of its bounds */
    public Standing {
        if (place < 1 || ahead < 0 || !(progress >= 0 && progress <= 1)) {
            throw new IllegalArgumentException(
                    "A standing has a place from 1, people ahead from 0 and a progress of 0 to"
                            + " 1, not " + place + ", " + ahead + " and " + progress);
        }
    }
}
