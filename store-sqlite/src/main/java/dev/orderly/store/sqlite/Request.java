package dev.orderly.store.sqlite;

import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One question to the writer, and the caller that waits for its answer. Made by the calling thread.
 *
 * @param <T> the answer
 */
abstract class Request<T> {
    /** How a request goes with others. */
    enum Kind {
        /** Writes; shares its transaction with others. */
        SHARED,
        /** Writes, in a transaction of its own. */
        ALONE,
        /** Changes memory at most. */
        LIGHT
    }

    private enum Phase {
        ASKED, TAKEN, ANSWERED, ABANDONED
    }

    private final Thread caller = Thread.currentThread();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.ASKED);
    private @Nullable T answer;
    private @Nullable RuntimeException failure;

    abstract Kind kind();

    /** How many jobs it is about. */
    int weight() {
        return 1;
    }

    /**
     * Writes rows; changes nothing in memory that outlives a rollback. May be run again after one.
     *
     * @throws SQLException if the request cannot be done; the transaction is rolled back
     */
    void write(Desk desk) throws SQLException {}

    /** Changes memory and makes the answer. What was written is committed by now, so only a light one may fail. */
    abstract T answer(Desk desk) throws SQLException;

    /** Nobody took the answer: the caller gave up. */
    void untaken(Desk desk, T unheard) {}

    // The writer's side.

    /** False if the caller gave up before. */
    final boolean take() {
        return phase.compareAndSet(Phase.ASKED, Phase.TAKEN);
    }

    final void serve(Desk desk) throws SQLException {
        T made = answer(desk);
        answer = made;
        if (phase.compareAndSet(Phase.TAKEN, Phase.ANSWERED)) {
            LockSupport.unpark(caller);
        } else {
            untaken(desk, made);
        }
    }

    /** Does nothing to one that was answered. */
    final void fail(RuntimeException reason) {
        if (phase.get() == Phase.ANSWERED) {
            return;
        }
        failure = reason;
        if (phase.compareAndSet(Phase.TAKEN, Phase.ANSWERED) || phase.compareAndSet(Phase.ASKED, Phase.ANSWERED)) {
            LockSupport.unpark(caller);
        }
    }

    // The caller's side.

    /**
     * Waits for the answer. An interrupt takes back a request the writer has not taken yet; later it changes nothing,
     * for the answer is about to come. The interrupt flag is kept.
     */
    final T await(Time time, long deadline) {
        boolean interrupted = false;
        try {
            while (phase.get() != Phase.ANSWERED) {
                interrupted |= Thread.interrupted();
                if (interrupted && phase.compareAndSet(Phase.ASKED, Phase.ABANDONED)) {
                    throw new StoreException.Unavailable("The calling thread was interrupted before the store began",
                            null);
                }
                if (time.reached(deadline)) {
                    giveUp();
                } else {
                    time.park(deadline);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return result();
    }

    private void giveUp() {
        if (phase.compareAndSet(Phase.ASKED, Phase.ABANDONED)) {
            throw new StoreException.Unavailable("The store is too busy to begin; push less or wait", null);
        }
        if (phase.compareAndSet(Phase.TAKEN, Phase.ABANDONED)) {
            throw new StoreException.OutcomeUnknown("The store began and did not end in time: check the disk", null);
        }
    }

    private T result() {
        if (failure != null) {
            throw failure;
        }
        if (answer == null) {
            throw new IllegalStateException("Answered with nothing: " + this);
        }
        return answer;
    }
}
