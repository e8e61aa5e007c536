package dev.orderly.room.state;

import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * The stored record of a place that was admitted, or whose ticket is used up.
 *
 * @param until when its pass ends or ended
 * @param usedUp whether its ticket is used up
 */
public record PlaceRecord(long place, VisitorId visitor, Instant until, boolean usedUp) {}
