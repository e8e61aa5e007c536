package dev.orderly.flow;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls one step again and again on a virtual thread of its own: the only starter and stopper of background threads.
 *
 * <p>The step returns how long to wait until the next; a ring shortens the wait. A step that throws is logged and
 * repeated after a second, so no failure ends a loop.
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
        thread = Thread.ofVirtual().name("orderly-" + name).start(this::run);
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
        while (!stopping) {
            Duration wait;
            try {
                wait = step.get();
            } catch (RuntimeException e) {
                LOG.error("The {} loop failed; it goes on in {} s", name, AFTER_FAILURE.toSeconds(), e);
                wait = AFTER_FAILURE;
            }
            if (wait.isPositive() && !stopping) {
                wakeup.await(time, time.deadline(wait));
            }
        }
    }
}
