package dev.orderly.job;

import dev.orderly.flow.CachedThreads;
import dev.orderly.flow.FatalErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a handler that it should end. Raised once, for one reason, and stays raised. Thread-safe.
 */
public final class CancellationSignal {
    private static final Logger LOG = LoggerFactory.getLogger(CancellationSignal.class);
    private static final int AT_ONCE = 64;
    private static final CachedThreads ACTIONS = new CachedThreads("cancellation", AT_ONCE);

    private final ReentrantLock lock = new ReentrantLock();
    private List<Runnable> listeners = new ArrayList<>(1);
    private volatile @Nullable Reason reason;

    CancellationSignal() {}

    /** Why a handler should end. */
    public enum Reason {
        /** The attempt took longer than its queue allows; counts as a failure. */
        TIMEOUT,
        /** Someone cancelled the job. */
        CANCELLED,
        /** This node is stopping; the job goes back uncounted. */
        STOPPING,
        /** This node was declared dead; the job runs elsewhere and nothing done here is taken any more. */
        LEASE_LOST
    }

    public boolean isRaised() {
        return reason != null;
    }

    public Optional<Reason> reason() {
        return Optional.ofNullable(reason);
    }

    /** @throws CancellationException if the signal is raised */
    public void throwIfRaised() {
        Reason why = reason;
        if (why != null) {
            throw new CancellationException("The job should end: " + why);
        }
    }

    /**
     * Runs the action once when the signal is raised, on a thread of its own; at once, on the calling thread, if it is
     * already raised. For closing what an interrupt does not wake. What it throws is logged.
     */
    public void onRaise(Runnable action) {
        lock.lock();
        try {
            if (reason == null) {
                listeners.add(action);
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    /**
     * Raises the signal, unless it was raised before: interrupts first, so that no action can keep the handler from it.
     * Never throws, and waits for no action.
     */
    void raise(Reason why, Runnable interrupt) {
        List<Runnable> actions;
        lock.lock();
        try {
            if (reason != null) {
                return;
            }
            reason = why;
            actions = listeners;
            listeners = List.of();
        } finally {
            lock.unlock();
        }
        interrupt.run();
        for (Runnable action : actions) {
            try {
                ACTIONS.execute(action);
            } catch (Throwable e) { // no thread for this one: the next signal is raised all the same
                FatalErrors.report("what a cancelled job's handler asked for", e);
                LOG.error("What was asked for at the end of a job was not done: no thread can be started", e);
            }
        }
    }
}
