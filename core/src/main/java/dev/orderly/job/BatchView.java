package dev.orderly.job;

import dev.orderly.user.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A read-only copy of a batch, out of date at once. Implemented by Orderly; equal copies are equal. */
public interface BatchView {
    BatchName name();

    /** The number of the batch in its store: a later batch of the name has another one. */
    long number();

    /** What dead letters mean for its end. */
    WhenDead whenDead();

    /** The queue of the callback. */
    QueueName queue();

    /** The user of the callback, who follows the batch from a browser; null for none. */
    @Nullable
    UserId user();

    /** The members in numbers, a moment behind while they end. */
    BatchCounts counts();

    Instant openedAt();

    /** The moment from which only running members push further ones; null while the batch is open. */
    @Nullable
    Instant closedAt();

    /** The moment of the request to cancel; null for none. */
    @Nullable
    Instant cancelledAt();

    /** The moment at which the callback was pushed; null before. */
    @Nullable
    Instant finishedAt();

    /** The callback; null before the batch is finished. */
    @Nullable
    JobId callback();

    /** The state of a batch. */
    enum State {
        /** Anybody may push members. */
        OPEN,
        /** Only running members may push further ones; the callback comes when all have ended. */
        CLOSED,
        /** Nobody pushes members; those that wait are cancelled, and the callback comes when all have ended. */
        CANCELLED,
        /** The callback was pushed. */
        FINISHED
    }

    /** The state, by the moments. */
    default State state() {
        return finishedAt() != null
                ? State.FINISHED
                : cancelledAt() != null ? State.CANCELLED : closedAt() != null ? State.CLOSED : State.OPEN;
    }

    /** Whether a member that is a dead letter, and is kept, has not ended. A cancelled batch waits for none. */
    default boolean waitsForDeadLetters() {
        return whenDead() == WhenDead.WAIT && cancelledAt() == null;
    }

    /** The link of a member. */
    default BatchLink member() {
        return new BatchLink(name(), number(), false);
    }

    /** The link of the callback. */
    default BatchLink ofCallback() {
        return new BatchLink(name(), number(), true);
    }
}
