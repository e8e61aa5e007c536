package dev.orderly.job;

import java.time.Duration;
import java.time.Instant;

/** When a node counts as dead that is not heard of any more. */
public final class Liveness {
    private static final Duration DEAD_AFTER = Duration.ofSeconds(30);

    private Liveness() {}

    /**
     * Nodes whose last beat is older are dead. Counted back from now, unless the node that asks has missed a beat itself,
     * then from its last one: after a suspended machine wakes or a clock jumps, it must not take itself and everyone else
     * for dead.
     *
     * @param lastBeat of the node that asks
     * @param every how often it beats
     */
    public static Instant deadBefore(Instant now, Instant lastBeat, Duration every) {
        boolean missed = now.isAfter(lastBeat.plus(every.multipliedBy(2)));
        return (missed ? lastBeat : now).minus(DEAD_AFTER);
    }
}
