package dev.orderly.spring.boot;

import dev.orderly.Internal;
import dev.orderly.Orderly;
import dev.orderly.spring.StartRefusedException;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.context.SmartLifecycle;

/**
 * Start and stop of the handlers, in the right order: they start before the web server takes requests, and stop when it
 * has stopped. The store closes with the beans, after that.
 */
@Internal(to = "dev.orderly")
public final class OrderlyLifecycle implements SmartLifecycle {
    /** Below the phases of the web server, which are {@code DEFAULT_PHASE - 2048} and above. */
    public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    private final Orderly orderly;
    private final WaitingPayloads payloads;
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

    private enum State {
        NEW, STARTED, STOPPED
    }

    /** @param payloads checked before the handlers start */
    OrderlyLifecycle(Orderly orderly, WaitingPayloads payloads) {
        this.orderly = orderly;
        this.payloads = payloads;
    }

    @Override
    public void start() {
        State before = state.getAndSet(State.STARTED);
        if (before == State.STOPPED) {
            throw new StartRefusedException("This application context was stopped, and with it the handlers of Orderly",
                    "Refresh a new context: handlers start once.");
        }
        if (before == State.NEW) {
            payloads.check();
            orderly.start();
        }
    }

    /** Blocks until the handlers have ended, or were interrupted after {@code orderly.stop-grace}. */
    @Override
    public void stop() {
        if (state.getAndSet(State.STOPPED) == State.STARTED) {
            orderly.stop();
        }
    }

    @Override
    public boolean isRunning() {
        return state.get() == State.STARTED;
    }

    /** Not paused between tests, since a stop is for good. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
