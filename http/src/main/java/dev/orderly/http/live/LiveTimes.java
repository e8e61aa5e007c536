package dev.orderly.http.live;

import java.time.Duration;

/**
 * How long what may take. Kept to within a second.
 *
 * @param token until a WebSocket that came without one has sent a valid token
 * @param ping between two signs of life from this side
 * @param silence after which a WebSocket that says nothing, not even to a ping, is given up; longer than {@code ping}
 */
public record LiveTimes(Duration token, Duration ping, Duration silence) {
    /** 10 s, 25 s, 60 s. */
    public static final LiveTimes DEFAULT = new LiveTimes(Duration.ofSeconds(10), Duration.ofSeconds(25),
            Duration.ofSeconds(60));

    /** @throws IllegalArgumentException if silence is not longer than ping */
    public LiveTimes {
        if (silence.compareTo(ping) <= 0) {
            throw new IllegalArgumentException("Live connections are given up after " + silence + " and pinged every "
                    + ping + ": ping more often than that");
        }
    }
}
