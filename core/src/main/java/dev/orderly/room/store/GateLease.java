package dev.orderly.room.store;

import java.time.Duration;
import java.time.Instant;

/**
 * The permission of a gate to continue passes while it alone does not reach a store that other gates may still reach:
 * passes that end after {@code from} stay good at that gate until {@code until}, and the store keeps their places
 * inside for as long. A connected gate takes a new lease each second, so that {@code from} stays ahead of the clock and
 * no place is kept needlessly.
 *
 * @param from not after the end of any pass that the gate continues
 * @param until by the clock whose moments callers give to the store
 */
public record GateLease(Instant from, Instant until) {
    /** The empty lease: of a gate that stops, or whose store no other process can reach. */
    public static final GateLease NONE = new GateLease(Instant.EPOCH, Instant.EPOCH);

    /**
     * The longest lifetime of a lease. A store that lost its leases in a crash keeps the places of all ended passes for
     * this long.
     */
    public static final Duration LONGEST;

    private static final Duration LIFE = Duration.ofSeconds(60);
    /** Longer than two rounds of a gate: a gate that is merely late causes no place to be kept. */
    private static final Duration SILENCE = Duration.ofSeconds(3);
    /** Largest difference between the clocks of two processes. */
    private static final Duration SKEW = Duration.ofSeconds(3);

    static {
        LONGEST = LIFE.plus(SKEW);
    }

    public static GateLease taken(Instant now) {
        return new GateLease(now.plus(SILENCE), now.plus(LONGEST));
    }

    /** Whether the gate continues a pass with this end. */
    public boolean covers(Instant end, Instant now) {
        return end.isAfter(from) && now.isBefore(until.minus(SKEW));
    }
}
