package dev.orderly.room.state;

import dev.orderly.room.VisitorId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored record of a visitor whose tokens are void.
 *
 * @param until when the tokens have expired
 * @param movedTo the visitor who has the place now; null if the place was not moved
 */
public record Revocation(Instant until, @Nullable VisitorId movedTo) {}
