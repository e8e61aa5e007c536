package dev.orderly.testkit;

import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Clocks that stand still until a test moves them.
 *
 * <p>{@link #advance} lets time pass; {@link #jump} sets only the wall clock, as an operator or a time server does.
 * {@link #park} waits for the monotonic clock, so it returns when the test has advanced far enough. Thread-safe.
 *
 * <p>{@code advance} returns when each released thread rests again, parked for its next deadline or blocked by
 * something else, at most 2 seconds later. So these clocks do not run ahead of the threads that use them, however slow
 * the machine is. Not guaranteed, and a wait for the test: that a thread has finished work of more than 2 seconds, or
 * that another thread has finished work handed to it.
 */
public final class ManualTime implements Time {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofNanos(20_000);

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Parked> parked = new ArrayList<>();
    private Instant now;
    private long nanos;

    /** Starts at a fixed moment, so that equal tests see equal times. */
    public ManualTime() {
        this(Instant.parse("2026-03-01T12:00:00Z"));
    }

    public ManualTime(Instant start) {
        Objects.requireNonNull(start, "start");
        now = start;
    }

    @Override
    public Instant now() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long nanos() {
        lock.lock();
        try {
            return nanos;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves both clocks forward, releases every thread whose deadline has come, and lets it run.
     *
     * @throws IllegalArgumentException if {@code step} is negative: use {@link #jump} to set the wall clock back
     */
    public void advance(Duration step) {
        if (step.isNegative()) {
            throw new IllegalArgumentException("A step of time is " + step + ": use zero or more, or jump to set the"
                    + " wall clock back");
        }
        List<Thread> released;
        lock.lock();
        try {
            now = now.plus(step);
            nanos += step.toNanos();
            released = due();
            released.forEach(LockSupport::unpark);
        } finally {
            lock.unlock();
        }
        if (!released.isEmpty()) {
            letRun(released);
        }
    }

    /** Parked threads whose deadline has come. The caller holds the lock. */
    private List<Thread> due() {
        if (parked.isEmpty()) {
            return List.of(); // the usual case of simulations, which advance for each event
        }
        return parked.stream().filter(each -> nanos - each.deadline >= 0).map(Parked::thread).toList();
    }

    private void letRun(List<Thread> released) {
        Time machine = Time.system();
        long end = machine.deadline(PATIENCE);
        while (!rest(released) && !machine.reached(end) && !Thread.currentThread().isInterrupted()) {
            machine.park(machine.deadline(LOOK));
        }
    }

    /** Whether all threads have left the wait they were released from and wait again. */
    private boolean rest(List<Thread> released) {
        lock.lock();
        try {
            if (!due().isEmpty()) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        return released.stream().noneMatch(
                thread -> thread.getState() == Thread.State.RUNNABLE && !thread.equals(Thread.currentThread()));
    }

    /** Moves only the wall clock, by any amount in either direction. Releases no thread. */
    public void jump(Duration step) {
        Objects.requireNonNull(step, "step");
        lock.lock();
        try {
            now = now.plus(step);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void park(long deadline) {
        Parked me = new Parked(Thread.currentThread(), deadline);
        lock.lock();
        try {
            if (nanos - deadline >= 0) {
                return;
            }
            parked.add(me);
        } finally {
            lock.unlock();
        }
        try {
            // An advance between the lock above and this line has left a permit, so that park returns at once.
            LockSupport.park(this);
        } finally {
            lock.lock();
            try {
                parked.remove(me);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Number of parked threads. */
    public int parked() {
        lock.lock();
        try {
            return parked.size();
        } finally {
            lock.unlock();
        }
    }

    /** A wait of a thread. A thread waits once at a time, so its entry is unique. */
    private record Parked(Thread thread, long deadline) {}
}
