package dev.orderly.web.room.check;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A circuit breaker: after {@value #FAILURES} failures in a row it lets nothing through for ten seconds, then one call
 * at a time until one succeeds. Thread-safe, never blocks.
 */
final class CheckBreaker {
    static final int FAILURES = 5;
    private static final Duration REST = Duration.ofSeconds(10);

    private final Time time;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong closedUntil;

    CheckBreaker(Time time) {
        this.time = time;
        this.closedUntil = new AtomicLong(time.nanos());
    }

    /** Whether a call may be made. After the rest it is let through to one caller for each further rest. */
    boolean lets() {
        if (failures.get() < FAILURES) {
            return true;
        }
        long until = closedUntil.get();
        return time.reached(until) && closedUntil.compareAndSet(until, time.deadline(REST));
    }

    /** Records a call that succeeded. Returns whether the breaker was open. */
    boolean succeeded() {
        return failures.getAndSet(0) >= FAILURES;
    }

    /** Records a call that failed. Returns whether the breaker opens by it. */
    boolean failed() {
        boolean opens = failures.incrementAndGet() == FAILURES;
        if (opens) {
            closedUntil.set(time.deadline(REST));
        }
        return opens;
    }
}
