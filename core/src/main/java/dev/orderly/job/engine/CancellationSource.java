package dev.orderly.job.engine;

import dev.orderly.Registration;
import dev.orderly.flow.CachedThreads;
import dev.orderly.flow.FatalErrors;
import dev.orderly.job.CancellationSignal;
import dev.orderly.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Raises the cancellation signal of one attempt and interrupts what runs it. Thread-safe. */
final class CancellationSource implements CancellationSignal {
    private static final Logger LOG = LoggerFactory.getLogger(CancellationSource.class);
    private static final int AT_ONCE = 64;
    private static final CachedThreads ACTIONS = new CachedThreads("cancellation", AT_ONCE, Time.system());

    private final ReentrantLock lock = new ReentrantLock();
    private List<Runnable> actions = new ArrayList<>(1);
    private @Nullable Runnable interrupt;
    private volatile @Nullable Reason reason;

    @Override
    public Optional<Reason> reason() {
        return Optional.ofNullable(reason);
    }

    @Override
    public Registration onRaise(Runnable action) {
        lock.lock();
        try {
            if (reason == null) {
                actions.add(action);
                return Registration.of(() -> remove(action));
            }
        } finally {
            lock.unlock();
        }
        action.run();
        return Registration.of(() -> {});
    }

    private void remove(Runnable action) {
        lock.lock();
        try {
            if (reason == null) {
                actions.remove(action);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sets how the signal interrupts what runs the attempt, without a wait; null for not at all. */
    void interrupts(@Nullable Runnable by) {
        lock.lock();
        try {
            interrupt = by;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Raises the signal, unless it was raised before. The interrupt comes first, so that no action can delay it. Never
     * throws, and waits for no action.
     */
    void raise(Reason why) {
        List<Runnable> due;
        lock.lock();
        try {
            if (reason != null) {
                return;
            }
            reason = why;
            due = actions;
            actions = List.of();
            if (interrupt != null) {
                interrupt.run();
            }
        } finally {
            lock.unlock();
        }
        for (Runnable action : due) {
            try {
                ACTIONS.execute(action);
            } catch (Throwable e) { // no thread can be started for this action: the other actions still run
                FatalErrors.report("an action of a cancellation signal", e);
                LOG.error("An action of a cancellation signal did not run: no thread can be started", e);
            }
        }
    }
}
