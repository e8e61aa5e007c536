package dev.orderly.flow;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A rate limit for each of many keys, such as addresses: {@code count} events at once, and as many again in each span,
 * evenly. Bounded: beyond {@value #KEYS_MAX} keys in use, all are forgotten. Thread-safe, never blocks.
 *
 * @param <K> what is limited
 */
public final class RateLimiter<K> {
    static final int KEYS_MAX = 200_000;

    private final Time time;
    private final long nanosEach;
    private final long burstNanos;
    /** The monotonic time at which each key has all its events again; a key that has them already is absent or past. */
    private final ConcurrentMap<K, Long> fullAt = new ConcurrentHashMap<>();

    /**
     * A limit that no key has used yet.
     *
     * @param count events at once, and in a span, 1 or more
     */
    public RateLimiter(Time time, int count, Duration span) {
        this.time = time;
        this.nanosEach = Math.max(1, span.toNanos() / count);
        this.burstNanos = nanosEach * (count - 1L);
    }

    /**
     * Counts an event of a key. Empty if it is allowed; otherwise nothing is counted, and the next is after this time.
     */
    public Optional<Duration> refuse(K key) {
        long now = time.nanos();
        long[] wait = new long[1];
        fullAt.compute(key, (_, before) -> {
            long from = before == null || before - now < 0 ? now : before;
            wait[0] = Math.max(0, from - now - burstNanos);
            return wait[0] > 0 ? before : from + nanosEach;
        });
        if (wait[0] > 0) {
            return Optional.of(Duration.ofNanos(wait[0]));
        }
        if (fullAt.size() > KEYS_MAX) {
            tidy(now);
        }
        return Optional.empty();
    }

    private void tidy(long now) {
        fullAt.values().removeIf(at -> at - now <= 0);
        if (fullAt.size() > KEYS_MAX) {
            fullAt.clear();
        }
    }

    /** The number of keys that are remembered. */
    public int keys() {
        return fullAt.size();
    }
}
