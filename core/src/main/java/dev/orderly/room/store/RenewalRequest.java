package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * A request to renew a pass.
 *
 * @param until the new end
 * @param revive whether an ended pass may be revived if capacity allows: for a pass that ran out while the store was
 *     out of reach
 */
public record RenewalRequest(VisitorId visitor, long epoch, long place, Instant until, boolean revive) {}
