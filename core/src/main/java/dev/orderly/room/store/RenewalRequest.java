package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * A pass that is to live longer.
 *
 * @param until its new end
 * @param revive whether a pass that has ended may live again if capacity allows: for one that ran out while the store
 *     was out of reach
 */
public record RenewalRequest(VisitorId visitor, long epoch, long place, Instant until, boolean revive) {}
