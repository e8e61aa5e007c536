package dev.orderly.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells a handler that it should end. Raised once, for one reason, and stays raised. Thread-safe.
 */
public final class CancellationSignal {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Runnable> listeners = new ArrayList<>();
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
     * Runs the action once when the signal is raised, on the thread that raises it; at once if it is already raised.
     * For closing what an interrupt does not wake. Must not block.
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

    /** Raises the signal; false if it was raised before. */
    boolean raise(Reason why) {
        List<Runnable> toRun;
        lock.lock();
        try {
            if (reason != null) {
                return false;
            }
            reason = why;
            toRun = List.copyOf(listeners);
            listeners.clear();
        } finally {
            lock.unlock();
        }
        toRun.forEach(Runnable::run);
        return true;
    }
}
