package dev.orderly.web.room.page;

import dev.orderly.room.forecast.PeopleAhead;
import dev.orderly.room.forecast.WaitEstimate;
import org.jspecify.annotations.Nullable;

/**
 * A visitor's position in the line.
 *
 * @param place from 1
 * @param ahead the people before this visitor
 * @param progress of the way from the end of the line to admission, 0 to 1
 * @param estimate of the remaining wait; null if unknown
 * @param cause the reason for the pace of the line
 * @param drawn whether the place is that of a draw, so that the visitor has a receipt
 * @param tier the name of the visitor's line; null for the first one
 */
public record ShownPosition(long place, PeopleAhead ahead, double progress, @Nullable ShownWait estimate,
        WaitEstimate.Cause cause, boolean drawn, @Nullable String tier) {
    /** A position in the order of arrival. */
    public ShownPosition(long place, PeopleAhead ahead, double progress, @Nullable ShownWait estimate,
            WaitEstimate.Cause cause) {
        this(place, ahead, progress, estimate, cause, false, null);
    }

    /** @throws IllegalArgumentException if a value is out of its bounds */
    public ShownPosition {
        if (place < 1 || !(progress >= 0 && progress <= 1)) {
            throw new IllegalArgumentException(
                    "A position has a place from 1 and a progress of 0 to 1, not " + place + " and " + progress);
        }
    }
}
