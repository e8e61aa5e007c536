package dev.orderly.room.forecast;

import dev.orderly.room.RoomObserver.AnnouncedWait;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Accuracy of first announced waits: widens the next ranges after misses, and narrows them while they hold. Follows
 * some thousand visitors at a time. Thread-safe.
 */
final class ForecastAccuracy {
    private static final int FOLLOWED = 4_096;
    /** Shorter waits are ignored. */
    private static final Duration SHORTEST = Duration.ofSeconds(4);
    private static final double WIDER = 1.06;
    /** Balances {@link #WIDER} when one range in seven is missed. */
    private static final double NARROWER = Math.pow(WIDER, -1 / 6.0);
    private static final double LEAST = 0.5;
    private static final double MOST = 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, AnnouncedRange> followed = new HashMap<>();
    private volatile double factor = 1;

    private record AnnouncedRange(long at, double low, double high) {}

    /** The factor by which ranges are widened. */
    double factor() {
        return factor;
    }

    /**
     * Follows a visitor from the first announced range.
     *
     * @param low seconds
     * @param high seconds
     * @param at milliseconds
     */
    void announced(long place, double low, double high, long at) {
        lock.lock();
        try {
            if (followed.size() < FOLLOWED) {
                followed.putIfAbsent(place, new AnnouncedRange(at, low, high));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Compares the wait of an admitted visitor with the announced range; empty if the visitor is not followed. */
    Optional<AnnouncedWait> entered(long place, long at) {
        lock.lock();
        try {
            Optional<AnnouncedWait> compared = Optional.ofNullable(followed.remove(place))
                    .map(announced -> new AnnouncedWait(millis(announced.low()), millis(announced.high()),
                            Duration.ofMillis(Math.max(0, at - announced.at()))));
            compared.filter(wait -> longer(wait.waited(), wait.high()).compareTo(SHORTEST) >= 0)
                    .ifPresent(wait -> factor = Math.clamp(factor * (wait.isKept() ? NARROWER : WIDER), LEAST, MOST));
            return compared;
        } finally {
            lock.unlock();
        }
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    private static Duration millis(double seconds) {
        return Duration.ofMillis((long) (seconds * 1_000));
    }

    /** Forgets visitors whose admission is long overdue at this moment, in milliseconds. */
    void forget(long before) {
        lock.lock();
        try {
            followed.values().removeIf(announced -> announced.at() + 3 * (long) (announced.high() * 1_000) < before);
        } finally {
            lock.unlock();
        }
    }

    void beginEpoch() {
        lock.lock();
        try {
            followed.clear();
        } finally {
            lock.unlock();
        }
    }
}
