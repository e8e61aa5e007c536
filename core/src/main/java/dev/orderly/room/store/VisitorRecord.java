package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a store keeps of a visitor.
 *
 * @param pass the live pass; null for none
 * @param voidUntil the moment until which the visitor's tokens are listed as void; null if they are not
 * @param movedTo the visitor who has the place now; null if the place was not moved
 */
public record VisitorRecord(@Nullable LivePass pass, @Nullable Instant voidUntil, @Nullable VisitorId movedTo) {
    public static final VisitorRecord NONE = new VisitorRecord(null, null, null);

    /**
     * A live pass.
     *
     * @param place its place in line
     * @param until its end, unless it is renewed
     * @param taken whether its visitor has shown it
     */
    public record LivePass(long place, Instant until, boolean taken) {}
}
