package dev.orderly.job.store;

import dev.orderly.job.PushResult;
import dev.orderly.job.StepWork;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Port of a store that can take pushes and settlements into a transaction of the caller: they take effect if, and only
 * if, the caller commits.
 *
 * <p>No method commits, rolls back or leaves a setting of the session behind. After a {@link StoreException} the caller
 * has to roll back. Every method throws {@link IllegalStateException} if there is no open transaction, and
 * {@link UnsupportedOperationException} if the store cannot take part in one; both name the remedy.
 */
public interface TransactionalJobs {
    /**
     * Stores jobs as {@link JobStore#push} does, but hands none off. Jobs of a group hold the group until the
     * transaction ends.
     *
     * @param jobs 1 or more
     * @param whenEnded runs soon after the end of the transaction, by a commit or not, as far as the store notices it;
     *     neither blocks nor throws. Null if the caller knows of the commit
     */
    List<PushResult> push(CallersTransaction transaction, List<NewJob> jobs, Instant now,
            @Nullable Runnable whenEnded);

    /**
     * Records the outcome of an attempt as {@link JobStore#settle} does. A job of a group holds the group until the
     * transaction ends.
     */
    SettleResult settle(CallersTransaction transaction, Settlement settlement, Instant now);

    /**
     * Keeps a step in a transaction of {@link #transact}, as {@link JobStore#keep} does; but a step that is kept
     * already is {@link StepResult#TAKEN} whatever its value, since the effect would take place again. The job is held
     * until the transaction ends.
     *
     * @throws IllegalStateException if the work has ended the transaction that it was given
     */
    StepResult keep(CallersTransaction transaction, StepReport report, Instant now);

    /**
     * Runs work in a READ COMMITTED transaction of its own, over a connection to the store's database as its user has
     * it, and commits; rolls back if the work throws. Waits some seconds for a connection.
     *
     * @param silence longest wait of the work for an answer of the database; a connection of the application that has
     *     a bound of its own keeps that
     * @throws StoreException also if there was no connection, and then the work has not begun, or if the commit failed
     */
    <T extends @Nullable Object, E extends Exception> T transact(StepWork.TransactionCall<T, E> work, Duration silence)
            throws E;

    /**
     * The port of a store that cannot take part in transactions of the application.
     *
     * @param reason what the store is and why; a clause
     */
    static TransactionalJobs unsupported(String reason) {
        return new TransactionalJobs() {
            @Override
            public List<PushResult> push(CallersTransaction transaction, List<NewJob> jobs, Instant now,
                    @Nullable Runnable whenEnded) {
                throw new UnsupportedOperationException("A push cannot be part of your transaction: " + reason
                        + ". Push after the commit, or use PostgreSQL for the queues (orderly-store-postgres)");
            }

            @Override
            public SettleResult settle(CallersTransaction transaction, Settlement settlement, Instant now) {
                throw new UnsupportedOperationException("A job cannot be completed in your transaction: " + reason
                        + ". Return from the handler after the commit, or use PostgreSQL for the queues"
                        + " (orderly-store-postgres)");
            }

            @Override
            public StepResult keep(CallersTransaction transaction, StepReport report, Instant now) {
                throw noTransaction();
            }

            @Override
            public <T extends @Nullable Object, E extends Exception> T transact(StepWork.TransactionCall<T, E> work,
                    Duration silence) {
                throw noTransaction();
            }

            private UnsupportedOperationException noTransaction() {
                return new UnsupportedOperationException("A step cannot have a transaction: " + reason
                        + ". Use a step without a connection, whose work may run twice, or PostgreSQL for the queues"
                        + " (orderly-store-postgres)");
            }
        };
    }
}
