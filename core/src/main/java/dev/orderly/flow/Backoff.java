package dev.orderly.flow;

import java.time.Duration;

/** Pauses between tries that become longer. */
public final class Backoff {
    private Backoff() {}

    /** The pause after another one: twice as long, at most this long. */
    public static Duration longer(Duration pause, Duration most) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(most) < 0 ? twice : most;
    }
}
