package dev.orderly.flow;

import dev.orderly.time.Time;
import java.time.Duration;

/** Pauses between rounds of background work that grow with its cost: it takes at most a fiftieth of the time. */
public final class DutyCycle {
    private static final int SHARE = 50;

    private DutyCycle() {}

    /**
     * The pause after a round that ends now.
     *
     * @param least the usual pause
     * @param began the monotonic time at which the round began
     */
    public static Duration pause(Duration least, long began, Time time) {
        Duration rare = Duration.ofNanos(time.nanos() - began).multipliedBy(SHARE);
        return rare.compareTo(least) > 0 ? rare : least;
    }
}
