package dev.orderly.room.forecast;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Of the visitors who entered at this gate in the last hour, the share whose wait was not longer than the end of the
 * range announced first. Visitors who gave up do not count. In a long line only every n-th place is followed, so that
 * long waits count as often as short ones. Thread-safe.
 */
final class EstimateScore {
    /** A share of fewer visitors would say nothing. */
    static final int LEAST = 20;

    private static final int FOLLOWED = 4_096;
    private static final int MINUTES = 60;
    private static final long MINUTE = 60_000;
    /** Waits and announcements below this many milliseconds are ignored: every one of them would hold. */
    private static final long SHORTEST = 4_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Announced> followed = new HashMap<>();
    private final long[] minutes = new long[MINUTES];
    private final int[] kept = new int[MINUTES];
    private final int[] entered = new int[MINUTES];
    private long every = 1;
    private volatile OptionalInt ofTen = OptionalInt.empty();

    private record Announced(long at, long end) {}

    /** Of ten visitors the number whose announced wait held, rounded down; empty while too few are known. */
    OptionalInt ofTen() {
        return ofTen;
    }

    /**
     * Follows a visitor.
     *
     * @param at the moment of the first announcement, in milliseconds
     * @param end the announced end of the wait, in milliseconds
     */
    void announced(long place, long at, long end) {
        lock.lock();
        try {
            if (followed.size() >= FOLLOWED) {
                every *= 2;
                followed.keySet().removeIf(other -> other % every != 0);
            }
            if (place % every == 0) {
                followed.putIfAbsent(place, new Announced(at, end));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Compares the wait of an admitted visitor with the announced end. */
    void entered(long place, long at) {
        lock.lock();
        try {
            Announced announced = followed.remove(place);
            if (announced != null && Math.max(at, announced.end()) - announced.at() >= SHORTEST) {
                int index = slot(at);
                entered[index]++;
                kept[index] += at <= announced.end() ? 1 : 0;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Counts the last hour, and forgets visitors who should have entered an hour ago. Called once a second. */
    void round(long now) {
        lock.lock();
        try {
            followed.values().removeIf(announced -> announced.end() + MINUTES * MINUTE < now);
            int all = 0;
            int held = 0;
            for (int n = 0; n < MINUTES; n++) {
                if (minutes[n] > now / MINUTE - MINUTES) {
                    all += entered[n];
                    held += kept[n];
                }
            }
            ofTen = all < LEAST ? OptionalInt.empty() : OptionalInt.of(10 * held / all);
        } finally {
            lock.unlock();
        }
    }

    void beginEpoch() {
        lock.lock();
        try {
            followed.clear();
            every = 1;
        } finally {
            lock.unlock();
        }
    }

    private int slot(long at) {
        long minute = at / MINUTE;
        int index = (int) (minute % MINUTES);
        if (minutes[index] != minute) {
            minutes[index] = minute;
            entered[index] = 0;
            kept[index] = 0;
        }
        return index;
    }
}
