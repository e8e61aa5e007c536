package dev.orderly.room.store;

import java.time.Duration;
import java.time.Instant;

/**
 * What a gate may do while it alone does not reach a store that other gates may still reach: passes that end after
 * {@code from} stay good at that gate until {@code until}, and the store keeps their places inside for as long. A gate in
 * touch with the store takes a new lease each second, so that {@code from} stays ahead of the clock and no place is kept.
 *
 * @param from not after the end of any pass that the gate lets go on
 * @param until by the clock that the calls of the store name
 */
public record GateLease(Instant from, Instant until) {
    /** Nothing: for a gate that stops, or whose store no other process can reach. */
    public static final GateLease NONE = new GateLease(Instant.EPOCH, Instant.EPOCH);

    /** A store that lost its leases in a crash keeps the places of all passes that end for this long. */
    public static final Duration LONGEST;

    private static final Duration LIFE = Duration.ofSeconds(60);
    /** Longer than two rounds of a gate: a gate that is merely late keeps no places. */
    private static final Duration SILENCE = Duration.ofSeconds(3);
    /** By so much the clocks of two processes may differ. */
    private static final Duration SKEW = Duration.ofSeconds(3);

    static {
        LONGEST = LIFE.plus(SKEW);
    }

    public static GateLease taken(Instant now) {
        return new GateLease(now.plus(SILENCE), now.plus(LONGEST));
    }

    /** Whether the gate lets a pass with this end go on. */
    public boolean covers(Instant end, Instant now) {
        return end.isAfter(from) && now.isBefore(until.minus(SKEW));
    }
}
