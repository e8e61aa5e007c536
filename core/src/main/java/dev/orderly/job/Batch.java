package dev.orderly.job;

import dev.orderly.job.transaction.CallersTransaction;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A batch: jobs of any queues that belong together, its members, with one further job, its callback, which is pushed
 * exactly once when all members have ended. Durable. A handle is cheap, and may be made anew at any time with
 * {@link dev.orderly.Orderly#batch}. Thread-safe.
 *
 * {@snippet :
 * Batch batch = orderly.batch("import-42").then(reports, new Summary(42));
 * emails.in(batch).pushAll(list);
 * batch.close();
 * }
 */
public final class Batch {
    private final Target target;
    private final BatchLink link;
    private final @Nullable JobId member;

    /** The engine behind handles of batches. */
    public interface Target {
        /** The batch as it is now; throws {@link BatchRefusedException} if it is not kept any more. */
        BatchView view(BatchLink batch);

        /** As {@link Batch#deadLetters}. */
        List<JobView> deadLetters(BatchLink batch, @Nullable JobId after, int limit);

        /** As {@link Batch#close}. */
        BatchView close(BatchLink batch);

        /** As {@link Batch#cancel}. */
        BatchView cancel(BatchLink batch);

        /** As {@link BatchOpening#then(StandardQueue, Object)}. */
        BatchView open(BatchName name, WhenDead whenDead, PushRequest callback);

        /** The request for a push of a callback. */
        <T> PushRequest request(JobQueue<T> queue, T payload);

        /** The same engine, whose changes are part of a transaction of the caller. */
        Target in(CallersTransaction transaction);
    }

    /**
     * Called by the engine.
     *
     * @param member the running member that the handle was given to; null for none
     */
    public Batch(Target target, BatchLink link, @Nullable JobId member) {
        this.target = Objects.requireNonNull(target, "target");
        this.link = Objects.requireNonNull(link, "link");
        this.member = member;
    }

    public BatchName name() {
        return link.name();
    }

    /**
     * The batch as it is now. Reads the store.
     *
     * @throws BatchRefusedException if the batch is not kept any more
     */
    public BatchView view() {
        return target.view(link);
    }

    /** The members in numbers, as {@link #view} has them. */
    public BatchCounts counts() {
        return view().counts();
    }

    /**
     * A page of the members that are dead letters now, by id.
     *
     * @param after the last id of the page before, null for the first page
     * @param limit 1 to 1,000
     */
    public List<JobView> deadLetters(@Nullable JobId after, int limit) {
        return target.deadLetters(link, after, limit);
    }

    /**
     * Ends the pushes of members: from now on only a running member pushes further ones. The callback is pushed when
     * the last member has ended; of a batch without members at once. Closing a batch again changes nothing.
     *
     * @throws BatchRefusedException if the batch is not kept any more
     */
    public void close() {
        var _ = target.close(link);
    }

    /**
     * Closes the batch, refuses further members from everybody, cancels members that wait, and asks those that run to
     * end, by and by. The callback is pushed when all have ended. A batch that is finished stays as it is.
     *
     * @throws BatchRefusedException if the batch is not kept any more
     */
    public void cancel() {
        var _ = target.cancel(link);
    }

    /** The link of a member of this batch. */
    BatchLink link() {
        return new BatchLink(link.name(), link.number(), false);
    }

    /** The running member that pushes through this handle; null for none. */
    @Nullable
    JobId member() {
        return member;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Batch batch && link.number() == batch.link.number() && name().equals(batch.name());
    }

    @Override
    public int hashCode() {
        return Objects.hash(link.name(), link.number());
    }

    @Override
    public String toString() {
        return "Batch " + name();
    }
}
