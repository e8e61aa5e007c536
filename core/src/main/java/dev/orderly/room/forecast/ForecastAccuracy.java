package dev.orderly.room.forecast;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How well the waits that were told first held: makes the next ranges wider after misses and narrower while all is well.
 * Follows some thousand visitors at a time. Thread-safe.
 */
final class ForecastAccuracy {
    private static final int FOLLOWED = 4_096;
    /** Seconds; shorter waits say nothing. */
    private static final double SHORTEST = 4;
    private static final double WIDER = 1.06;
    /** In balance when one in seven is missed. */
    private static final double NARROWER = Math.pow(WIDER, -1 / 6.0);
    private static final double LEAST = 0.5;
    private static final double MOST = 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Told> followed = new HashMap<>();
    private volatile double factor = 1;

    private record Told(long at, double low, double high) {}

    /** What ranges are to be widened by. */
    double factor() {
        return factor;
    }

    /** @param at milliseconds */
    void told(long place, double low, double high, long at) {
        lock.lock();
        try {
            if (followed.size() < FOLLOWED) {
                followed.putIfAbsent(place, new Told(at, low, high));
            }
        } finally {
            lock.unlock();
        }
    }

    /** The visitor of this place is in. */
    void entered(long place, long at) {
        lock.lock();
        try {
            Optional.ofNullable(followed.remove(place)).ifPresent(told -> {
                double wait = (at - told.at()) / 1_000.0;
                if (Math.max(wait, told.high()) >= SHORTEST) {
                    boolean kept = wait >= told.low() && wait <= told.high();
                    factor = Math.clamp(factor * (kept ? NARROWER : WIDER), LEAST, MOST);
                }
            });
        } finally {
            lock.unlock();
        }
    }

    /** Forgets who was told before this moment, and is not expected any more. */
    void forget(long before) {
        lock.lock();
        try {
            followed.values().removeIf(told -> told.at() + 3 * (long) (told.high() * 1_000) < before);
        } finally {
            lock.unlock();
        }
    }

    void beginAnew() {
        lock.lock();
        try {
            followed.clear();
        } finally {
            lock.unlock();
        }
    }
}
