package dev.orderly.job.engine;

import dev.orderly.flow.CachedThreads;
import dev.orderly.flow.FatalErrors;
import dev.orderly.job.CancellationSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The signal of one run, and the thread that it interrupts. Thread-safe. */
final class CancellationSource implements CancellationSignal {
    private static final Logger LOG = LoggerFactory.getLogger(CancellationSource.class);
    private static final int AT_ONCE = 64;
    private static final CachedThreads ACTIONS = new CachedThreads("cancellation", AT_ONCE);

    private final ReentrantLock lock = new ReentrantLock();
    private List<Runnable> actions = new ArrayList<>(1);
    private @Nullable Thread thread;
    private volatile @Nullable Reason reason;

    @Override
    public Optional<Reason> reason() {
        return Optional.ofNullable(reason);
    }

    @Override
    public void onRaise(Runnable action) {
        lock.lock();
        try {
            if (reason == null) {
                actions.add(action);
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    /** From now on the signal interrupts this thread; none for null. */
    void interrupts(@Nullable Thread handler) {
        lock.lock();
        try {
            thread = handler;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Raises the signal, unless it was raised before: interrupts first, so that no action can keep the handler from it.
     * Never throws, and waits for no action.
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
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
        for (Runnable action : due) {
            try {
                ACTIONS.execute(action);
            } catch (Throwable e) { // no thread for this one: the next signal is raised all the same
                FatalErrors.report("what a cancelled job's handler asked for", e);
                LOG.error("What was asked for at the end of a job was not done: no thread can be started", e);
            }
        }
    }
}
