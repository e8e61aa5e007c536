package dev.orderly.job;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A read-only copy of a batch, out of date at once.
 *
 * @param number the number of the batch in its store
 * @param whenDead what dead letters mean for its end
 * @param queue the queue of the callback
 * @param counts the members in numbers, a moment behind while they end
 * @param closedAt the moment from which only running members push further members; null while the batch is open
 * @param cancelledAt the moment of the request to cancel; null for none
 * @param finishedAt the moment at which the callback was pushed; null before
 * @param callback the callback; null before
 */
public record BatchView(BatchName name, long number, WhenDead whenDead, QueueName queue, BatchCounts counts,
        Instant openedAt, @Nullable Instant closedAt, @Nullable Instant cancelledAt, @Nullable Instant finishedAt,
        @Nullable JobId callback) {
    public BatchView {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(whenDead, "whenDead");
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(counts, "counts");
        Objects.requireNonNull(openedAt, "openedAt");
    }

    /** The state of a batch. */
    public enum State {
        /** Anybody may push members. */
        OPEN,
        /** Only running members may push further ones; the callback comes when all have ended. */
        CLOSED,
        /** Nobody pushes members; those that wait are cancelled, and the callback comes when all have ended. */
        CANCELLED,
        /** The callback was pushed. */
        FINISHED
    }

    /** The state, of the moments. */
    public State state() {
        return finishedAt != null
                ? State.FINISHED
                : cancelledAt != null ? State.CANCELLED : closedAt != null ? State.CLOSED : State.OPEN;
    }

    /** The link of a member. */
    public BatchLink member() {
        return new BatchLink(name, number, false);
    }

    /** The link of the callback. */
    public BatchLink ofCallback() {
        return new BatchLink(name, number, true);
    }
}
