package dev.orderly.servlet.room;

import dev.orderly.time.Time;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.room.WaitingStreams;
import java.util.Objects;

/**
 * Settings of a {@link RoomFilter}. Applications change the {@link #defaults}: the constructor may get more parameters.
 *
 * @param trusted proxies whose {@code X-Forwarded-For} and {@code X-Forwarded-Proto} count, where the container does
 *     not read these headers itself
 * @param streams the bound on event streams of waiting visitors; fewer than the container takes connections
 * @param waits threads of the container that may wait for the store at a time, of all that it has
 * @param endsWithSession whether a visitor leaves the room when the {@code HttpSession} ends, as by a logout
 */
public record RoomFilterOptions(TrustedProxies trusted, WaitingStreams streams, int waits, boolean endsWithSession,
        Time time) {
    private static final int WAITS = 32;

    /** @throws IllegalArgumentException if no thread may wait */
    public RoomFilterOptions {
        Objects.requireNonNull(streams, "streams");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(trusted, "trusted");
        if (waits < 1) {
            throw new IllegalArgumentException("Of the container's threads " + waits + " may wait for the store: let at"
                    + " least 1 wait");
        }
    }

    /** No proxies, streams by default, 32 waiting threads, stays that end by themselves. */
    public static RoomFilterOptions defaults() {
        return new RoomFilterOptions(TrustedProxies.NONE, WaitingStreams.byDefault(), WAITS, false, Time.system());
    }

    public RoomFilterOptions withTrusted(TrustedProxies value) {
        Objects.requireNonNull(value, "value");
        return new RoomFilterOptions(value, streams, waits, endsWithSession, time);
    }

    public RoomFilterOptions withStreams(WaitingStreams value) {
        Objects.requireNonNull(value, "value");
        return new RoomFilterOptions(trusted, value, waits, endsWithSession, time);
    }

    public RoomFilterOptions withWaits(int value) {
        return new RoomFilterOptions(trusted, streams, value, endsWithSession, time);
    }

    public RoomFilterOptions withEndBySession(boolean value) {
        return new RoomFilterOptions(trusted, streams, waits, value, time);
    }

    /** @param value monotonic time of the measured answers */
    public RoomFilterOptions withTime(Time value) {
        Objects.requireNonNull(value, "value");
        return new RoomFilterOptions(trusted, streams, waits, endsWithSession, value);
    }
}
