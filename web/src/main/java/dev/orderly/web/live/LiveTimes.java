package dev.orderly.web.live;

import java.time.Duration;

/**
 * Time limits of live connections, kept to within a second.
 *
 * @param token until a WebSocket that came without a token has sent a valid one
 * @param ping interval of pings and of comments in event streams
 * @param silence after which a WebSocket that sends nothing, not even pongs, is closed; longer than {@code ping}
 */
public record LiveTimes(Duration token, Duration ping, Duration silence) {
    /** 10 s, 25 s, 60 s. */
    public static final LiveTimes DEFAULT = new LiveTimes(Duration.ofSeconds(10), Duration.ofSeconds(25),
            Duration.ofSeconds(60));

    /** @throws IllegalArgumentException if silence is not longer than ping */
    public LiveTimes {
        if (silence.compareTo(ping) <= 0) {
            throw new IllegalArgumentException("Live connections are closed after a silence of " + silence
                    + " and pinged every " + ping + ": use a ping that is shorter than the silence");
        }
    }
}
