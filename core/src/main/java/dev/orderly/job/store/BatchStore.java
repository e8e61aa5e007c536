package dev.orderly.job.store;

import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.transaction.CallersTransaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Port of batches, beside the jobs of a store ({@link JobStore#batches}). Each sentence below is a test in the contract
 * of the testkit. Thread-safe, blocking; failures as of {@link JobStore}.
 *
 * <p>The counts of a batch are those of its members: each member is counted when its push commits, and when it ends for
 * good, by the transaction that ends it; a redrive takes a dead letter off again. From the end of the batch on they
 * stay. What is pruned stays counted. Counts of views may be behind until {@link #finish}.
 */
public interface BatchStore {
    /**
     * Opens a batch, durably. A batch of the name that is open and {@linkplain NewBatch#repeats equal} is the answer;
     * any other batch of the name that is kept is answered as it is, and nothing changes.
     */
    Opening open(NewBatch batch, Instant now);

    /** The batch of a name that is kept. */
    Optional<BatchView> find(BatchName name);

    /** The batch of a number that is kept. */
    Optional<BatchView> find(long number);

    /**
     * A page of the batches that are kept, newest first.
     *
     * @param below only batches of a smaller number; {@link Long#MAX_VALUE} for the first page
     * @param limit 1 to 1,000
     */
    List<BatchView> list(long below, int limit);

    /**
     * A page of the members of a batch in a state, by id: waiting, delayed, running, or dead ones.
     *
     * @param after the last id of the page before, null for the first page
     * @param limit 1 to 1,000
     */
    List<JobView> members(long number, JobState state, @Nullable JobId after, int limit);

    /**
     * Closes a batch, durably: from then on only a running member pushes further ones. No push of another stores a
     * member after the answer. A closed batch stays as it is.
     *
     * @return the batch; empty if it is not kept
     */
    Optional<BatchView> close(long number, Instant now);

    /**
     * Closes a batch and notes that it is to be cancelled, durably: from then on nobody pushes members. The caller
     * cancels the members. A batch that is cancelled or finished stays as it is.
     *
     * @return the batch; empty if it is not kept
     */
    Optional<BatchView> cancel(long number, Instant now);

    /**
     * Counts what has ended, and finishes each closed batch of which no member is left: pushes its callback, in the
     * transaction that marks the batch as finished, so that there is one callback, whatever fails. A member is left
     * while it waits, is delayed or runs, and, if the batch {@linkplain BatchView#waitsForDeadLetters waits}, while it
     * is a dead letter that is kept. Any node may call it at any time, also concurrently. Batches that a foreign
     * transaction holds are left to a later round.
     */
    Finished finish(Instant now);

    /**
     * The port whose changes are part of a transaction of the caller: {@link #open}, {@link #close} and {@link #cancel}
     * take effect if, and only if, the caller commits.
     *
     * @throws UnsupportedOperationException if the store cannot take part in one; the message names the remedy
     */
    default BatchStore in(CallersTransaction transaction) {
        throw new UnsupportedOperationException("A batch cannot be part of your transaction in this store: open it"
                + " after the commit, or use PostgreSQL for the queues (orderly-store-postgres)");
    }

    /**
     * The answer to {@link #open}.
     *
     * @param accepted whether the batch is the one that was asked for, new or open since before; else it is another one
     *     of the name, or is not open any more
     */
    record Opening(BatchView batch, boolean accepted) {}

    /**
     * The result of a round of {@link #finish}.
     *
     * @param callbacks the queues of the callbacks that were pushed, one for each
     * @param cancelling batches that are cancelled and not finished
     * @param closed number of closed batches, and {@code open} of open ones, that are not finished
     */
    record Finished(List<QueueName> callbacks, List<BatchView> cancelling, int open, int closed) {
        public Finished {
            callbacks = List.copyOf(callbacks);
            cancelling = List.copyOf(cancelling);
        }
    }
}
