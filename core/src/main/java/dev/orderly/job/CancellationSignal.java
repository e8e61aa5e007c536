package dev.orderly.job;

import dev.orderly.Registration;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/** The request to a handler to end. Raised once, for one reason, and stays raised. Thread-safe. */
public interface CancellationSignal {
    /** Why a handler should end. */
    enum Reason {
        /** The attempt took longer than its queue allows; counts as a failure. */
        TIMEOUT,
        /** The job was cancelled from outside. */
        CANCELLED,
        /** This node is stopping; the job is given back and no failure is counted. */
        STOPPING,
        /**
         * This node was declared dead, or did not reach the store for 20 s: another node may run the job. The outcome
         * of this attempt does not count.
         */
        LEASE_LOST
    }

    /** The reason; empty while the signal is not raised. */
    Optional<Reason> reason();

    /**
     * Runs the action once when the signal is raised, on a thread of its own; at once, on the calling thread, if it is
     * already raised. For closing resources whose blocking calls ignore interrupts. Exceptions of an action that runs
     * on its own thread are logged. An action whose registration is closed before does not run.
     */
    Registration onRaise(Runnable action);

    default boolean isRaised() {
        return reason().isPresent();
    }

    /** @throws CancellationException if the signal is raised */
    default void throwIfRaised() {
        reason().ifPresent(reason -> {
            throw new CancellationException("The job should end: " + reason);
        });
    }
}
