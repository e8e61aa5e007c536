package dev.orderly.flow;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls one step again and again on a platform thread of its own: the only starter and stopper of background threads.
 * What computes on virtual threads therefore keeps no loop from its deadlines.
 *
 * <p>The step returns how long to wait until the next; a ring shortens the wait. A step that throws, whatever it
 * throws, is logged and repeated after a second: no failure ends a loop. What is fatal is reported to {@link FatalErrors}.
 */
public final class Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final String name;
    private final Time time;
    private final Supplier<Duration> step;
    private final Wakeup wakeup = new Wakeup();
    private volatile boolean stopping;
    private @Nullable Thread thread;

    public Loop(String name, Time time, Supplier<Duration> step) {
        this.name = name;
        this.time = time;
        this.step = step;
    }

    /** Starts the loop; its first step runs at once. Called once. */
    public void start() {
        thread = Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false).name("orderly-" + name)
                .start(this::run);
    }

    /** Lets the next step come at once. Never blocks. */
    public void ring() {
        wakeup.ring();
    }

    /** Lets the step under way finish, starts no other, and waits for the end, at most {@code patience}. Idempotent. */
    public void stop(Duration patience) {
        stopping = true;
        wakeup.ring();
        Thread running = thread;
        if (running != null) {
            try {
                running.join(patience);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        Duration wait = Duration.ZERO;
        while (!stopping) {
            try {
                if (wait.isPositive()) {
                    wakeup.await(time, time.deadline(wait));
                }
                wait = stopping ? Duration.ZERO : step.get();
            } catch (Throwable e) { // an Error too: nothing else starts this loop again
                wait = AFTER_FAILURE;
                failed(e);
            }
        }
    }

    @SuppressWarnings("EmptyCatch")
    private void failed(Throwable thrown) {
        FatalErrors.report("the " + name + " loop", thrown);
        try {
            LOG.error("The {} loop failed; it goes on in {} s", name, AFTER_FAILURE.toSeconds(), thrown);
        } catch (Throwable _) {
            // without memory nothing can be logged, and it is reported already
        }
    }
}
