package dev.orderly.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A steady clock corrected by another clock. The other clock is asked several times, and the quickest answer counts:
 * its error is at most half of the time it took.
 */
final class AlignedTime implements Time {
    private static final Logger LOG = LoggerFactory.getLogger(AlignedTime.class);
    private static final int QUESTIONS = 5;
    private static final Duration EVERY = Duration.ofMinutes(1);
    /** More than a time server corrects at once. */
    private static final Duration DRIFT = Duration.ofSeconds(2);

    private final Time steady;
    private final Supplier<Instant> other;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile Duration ahead;
    private volatile long askAgain;
    /** The machine's wall clock minus the steady clock, at the last question. */
    private volatile Duration wallAhead;

    AlignedTime(Time time, Supplier<Instant> other) {
        this.steady = Time.steady(time, Instant.MIN);
        this.other = other;
        this.wallAhead = wallAhead();
        this.ahead = ask();
        this.askAgain = steady.deadline(EVERY);
    }

    @Override
    public Instant now() {
        if (steady.reached(askAgain) || wallAhead().minus(wallAhead).abs().compareTo(DRIFT) > 0) {
            realign();
        }
        return steady.now().plus(ahead);
    }

    @Override
    public Instant wall() {
        return steady.wall();
    }

    @Override
    public void realign() {
        if (asking.compareAndSet(false, true)) {
            askAgain = steady.deadline(EVERY);
            wallAhead = wallAhead();
            Thread.ofVirtual().name("orderly-clock").start(this::askLater);
        }
    }

    private Duration wallAhead() {
        return Duration.between(steady.now(), steady.wall());
    }

    @Override
    public long nanos() {
        return steady.nanos();
    }

    @Override
    public Time machine() {
        return steady.machine();
    }

    @Override
    public ThreadFactory threads(String name) {
        return steady.threads(name);
    }

    @Override
    public void park(long deadline) {
        steady.park(deadline);
    }

    private void askLater() {
        try {
            ahead = ask();
        } catch (RuntimeException e) {
            LOG.debug("The clock of the store cannot be asked now", e);
        } finally {
            asking.set(false);
        }
    }

    private Duration ask() {
        Duration best = Duration.ZERO;
        long quickest = Long.MAX_VALUE;
        for (int n = 0; n < QUESTIONS; n++) {
            Instant asked = steady.now();
            long before = steady.nanos();
            Instant answer = other.get();
            long took = steady.nanos() - before;
            if (took < quickest) {
                quickest = took;
                best = Duration.between(asked.plusNanos(took / 2), answer);
            }
        }
        return best;
    }
}
