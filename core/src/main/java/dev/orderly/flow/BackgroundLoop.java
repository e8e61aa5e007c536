package dev.orderly.flow;

import dev.orderly.text.DurationText;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a step on a platform thread of its own: the form of every background loop. Computation on virtual threads
 * therefore delays no loop.
 *
 * <p>The step returns the wait until the next step; a ring shortens the wait. A step that throws, even an Error, is
 * logged and repeated after a second: no failure ends a loop. A fatal error is reported to {@link FatalErrors}.
 *
 * <p>A round is due when its wait has ended, and overdue until a step has returned. A step that hangs, a step that
 * always fails, and a thread that gets no core therefore look the same.
 */
public final class BackgroundLoop {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundLoop.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    /** Several times the longest wait for a working store. */
    private static final Duration LATE = Duration.ofSeconds(30);

    private final String name;
    private final Time time;
    private final Supplier<Duration> step;
    private final Wakeup wakeup = new Wakeup();
    private volatile boolean stopping;
    private volatile boolean started;
    /** The monotonic time since which a round is due; may be in the future. */
    private volatile long due;
    private volatile boolean over;
    private final Awaited end = new Awaited();

    public BackgroundLoop(String name, Time time, Supplier<Duration> step) {
        this.name = name;
        this.time = time;
        this.step = step;
    }

    /** Starts the loop; its first step runs at once. Called once. */
    public void start() {
        due = time.nanos();
        started = true;
        time.threads("orderly-" + name).newThread(this::run).start();
    }

    /** Makes the next step run at once. Never blocks. */
    public void ring() {
        wakeup.ring();
    }

    /** The time for which a round is overdue. Zero if none is, before the start, and from the stop on. */
    public Duration overdue() {
        return started && !stopping ? Duration.ofNanos(Math.max(0, time.nanos() - due)) : Duration.ZERO;
    }

    /** A line for the operator if a round is overdue by more than 30 s. */
    public Optional<String> stall() {
        return stall(LATE);
    }

    /** A line for the operator if a round is overdue by more than {@code most}. */
    public Optional<String> stall(Duration most) {
        Duration overdue = overdue();
        return overdue.compareTo(most) <= 0
                ? Optional.empty()
                : Optional.of("The " + name + " loop has made no round for " + DurationText.rounded(overdue));
    }

    /** Lets the current step finish, starts no other, and waits for the end, at most {@code patience}. Idempotent. */
    public void stop(Duration patience) {
        stopping = true;
        wakeup.ring();
        end.await(() -> over || !started, time.machine(), patience);
    }

    private void run() {
        try {
            repeat();
        } finally {
            over = true;
            end.changed();
        }
    }

    private void repeat() {
        Duration wait = Duration.ZERO;
        boolean missing = true;
        while (!stopping) {
            try {
                if (wait.isPositive()) {
                    wakeup.await(time, time.deadline(wait));
                }
                if (!missing) {
                    due = time.nanos(); // a ring may have come before the end of the wait
                    missing = true;
                }
                wait = stopping ? Duration.ZERO : step.get();
                due = time.deadline(wait);
                missing = false;
            } catch (Throwable e) { // an Error too: nothing else restarts this loop
                wait = AFTER_FAILURE;
                failed(e);
            }
        }
    }

    @SuppressWarnings("EmptyCatch")
    private void failed(Throwable thrown) {
        FatalErrors.report("the " + name + " loop", thrown);
        try {
            LOG.error("The {} loop failed; retry in {} s", name, AFTER_FAILURE.toSeconds(), thrown);
        } catch (Throwable _) {
            // without memory nothing can be logged, and the error is reported already
        }
    }
}
