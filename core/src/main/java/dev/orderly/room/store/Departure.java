package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * A visitor who goes, or is made to go: pass and ticket are void from now on.
 *
 * @param place from the ticket or pass; 0 if it is not known
 * @param voidUntil when no token of this visitor is worth anything any more; of a known place, no pass: its ticket is
 *     used up
 */
public record Departure(VisitorId visitor, long epoch, long place, Instant voidUntil) {}
