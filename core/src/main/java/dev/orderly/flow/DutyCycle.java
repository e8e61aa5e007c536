package dev.orderly.flow;

import dev.orderly.time.Time;
import java.time.Duration;

/**
 * Pauses between rounds of background work that grow with its cost, until it takes a fiftieth of the time. A round may
 * also have waited for a store that was out of reach, which is no cost: so a pause is at most twice the one before, and
 * a round that failed makes it no longer. Thread-safe.
 */
public final class DutyCycle {
    private static final int SHARE = 50;

    private final Time time;
    private volatile Duration rest = Duration.ZERO;

    public DutyCycle(Time time) {
        this.time = time;
    }

    /**
     * The pause after a round that succeeds now.
     *
     * @param least the usual pause
     * @param began the monotonic time at which the round began
     */
    public Duration done(Duration least, long began) {
        Duration most = atLeast(least).multipliedBy(2);
        Duration share = Duration.ofNanos(time.nanos() - began).multipliedBy(SHARE);
        rest = share.compareTo(most) < 0 ? share : most;
        return atLeast(least);
    }

    /** The pause after a round that failed: as after the last one that did not. */
    public Duration failed(Duration least) {
        return atLeast(least);
    }

    private Duration atLeast(Duration least) {
        Duration rare = rest;
        return rare.compareTo(least) > 0 ? rare : least;
    }
}
