package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import org.jspecify.annotations.Nullable;

/**
 * What a place in line is used for.
 *
 * @param holder the visitor with a live pass of the place; null if there is none
 * @param usedUp whether the ticket of the place is used up: its visitor has shown the pass, or gave the place back
 */
public record PlaceUse(@Nullable VisitorId holder, boolean usedUp) {
    /** A place that nobody has used yet. */
    public static final PlaceUse NONE = new PlaceUse(null, false);
}
