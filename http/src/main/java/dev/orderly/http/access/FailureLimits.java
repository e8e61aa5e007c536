package dev.orderly.http.access;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Failed credentials by address. After {@value #BURST} failures an address has one failure in ten seconds; the delay of
 * an answer grows from the fourth failure on. Remembers the last 10,000 addresses. Thread-safe; never blocks.
 */
final class FailureLimits {
    /** Failures at once. */
    static final int BURST = 10;
    static final Duration EACH = Duration.ofSeconds(10);

    private static final int UNDELAYED = 3;
    private static final Duration DELAY = Duration.ofMillis(125);
    private static final int DOUBLED_MAX = 4;
    private static final int ADDRESSES_MAX = 10_000;

    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    /** The monotonic time at which all failures of an address are forgiven. */
    private final Map<String, Long> forgiven = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > ADDRESSES_MAX;
        }
    };

    FailureLimits(Time time) {
        this.time = time;
    }

    /** Whether further failures of an address are answered 429. */
    boolean isExhausted(String address) {
        return failures(address) >= BURST;
    }

    /** Counts a failure, and returns the delay of its answer. */
    Duration failed(String address) {
        lock.lock();
        try {
            long now = time.nanos();
            Long until = forgiven.get(address);
            long from = until == null || until - now < 0 ? now : until;
            long most = now + EACH.multipliedBy(BURST).toNanos();
            forgiven.put(address, Math.min(from + EACH.toNanos(), most));
        } finally {
            lock.unlock();
        }
        int over = failures(address) - UNDELAYED;
        return over <= 0 ? Duration.ZERO : DELAY.multipliedBy(1L << Math.min(over, DOUBLED_MAX));
    }

    private int failures(String address) {
        lock.lock();
        try {
            Long until = forgiven.get(address);
            long left = until == null ? 0 : until - time.nanos();
            return left <= 0 ? 0 : Math.toIntExact(Math.ceilDiv(left, EACH.toNanos()));
        } finally {
            lock.unlock();
        }
    }

    /** The number of remembered addresses. */
    int size() {
        lock.lock();
        try {
            return forgiven.size();
        } finally {
            lock.unlock();
        }
    }
}
