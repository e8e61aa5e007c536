package dev.orderly.job.transaction;

import java.util.Optional;

/**
 * The transaction that a framework has opened on the calling thread. Pushes that name no transaction are part of it.
 * Must be thread-safe; the methods neither block nor open anything.
 */
public interface AmbientTransaction {
    /** No framework: a push is a transaction of its own unless it names one. */
    AmbientTransaction NONE = new AmbientTransaction() {
        @Override
        public Optional<CallersTransaction> current() {
            return Optional.empty();
        }

        @Override
        public void afterCommit(Runnable action) {}
    };

    /** The open transaction of this thread on the store's database; empty if there is none. */
    Optional<CallersTransaction> current();

    /**
     * Runs an action once the transaction of this thread is committed, and not if it is rolled back. Does nothing if no
     * transaction is open on this thread.
     *
     * @param action a hint at new jobs, which neither blocks nor throws
     */
    void afterCommit(Runnable action);
}
