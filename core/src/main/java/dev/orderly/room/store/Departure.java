package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * The end of a visitor's stay or wait, by the visitor or by an operator: pass and ticket are void from now on.
 *
 * @param place from the ticket or pass; 0 if unknown
 * @param voidUntil when all tokens of this visitor have expired; with a known place, all passes, since the ticket is
 *     used up
 */
public record Departure(VisitorId visitor, long epoch, long place, Instant voidUntil) {}
