package dev.orderly.job.store;

import dev.orderly.job.JobEvent;
import dev.orderly.job.NodeId;
import dev.orderly.time.StoredTime;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Question of an attempt for an event.
 *
 * @param node as in {@link Settlement}
 * @param until the end of the wait, if this is the first question for the name
 */
public record EventWait(@Nullable NodeId node, AttemptId attempt, String name, Instant until) {
    /** @throws IllegalArgumentException if the name breaks its rule */
    public EventWait {
        Objects.requireNonNull(attempt, "attempt");
        JobEvent.checkName(name);
        Objects.requireNonNull(until, "until");
    }

    /** The same question with its moment in the precision of a store. */
    public EventWait in(StoredTime time, Instant now) {
        return new EventWait(node, attempt, name, time.stored(until, now));
    }

    /**
     * The event after this question: it fixes the end of the wait, and notes that the wait is over if it is.
     *
     * @param before null if there is none of this name
     */
    public JobEvent asked(@Nullable JobEvent before, Instant now) {
        if (before != null && before.arrival() != null) {
            return before;
        }
        JobEvent.Awaited awaited = before == null || before.awaited() == null
                ? new JobEvent.Awaited(until, 0, false)
                : before.awaited();
        boolean over = awaited.over() || !awaited.until().isAfter(now);
        return new JobEvent(name, new JobEvent.Awaited(awaited.until(), awaited.attempt(), over), null);
    }
}
