package dev.orderly.testkit.jobsim;

import dev.orderly.job.JobId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges the events of jobs, by what their senders and the handlers were told. An answer is the broken rule. */
final class EventReferee {
    /** The name of the event that some jobs await. */
    static final String NAME = "go";
    /** The length of the wait. */
    static final Duration WAIT = Duration.ofSeconds(15);

    /** An event that has come starts its job within this time, which is less than the wait. */
    private static final long LATE = Duration.ofSeconds(10).toNanos();

    private final Map<JobId, Seen> jobs = new HashMap<>();

    private static final class Seen {
        /** The values that were sent; one of them may be kept that has no answer. */
        final Set<Integer> sent = new HashSet<>();
        @Nullable
        Integer accepted;
        long acceptedAt;
        @Nullable
        Integer told;
        boolean timedOut;
        /** When a handler asked first. */
        long waitsFrom = Long.MAX_VALUE;
    }

    private Seen seen(JobId id) {
        return jobs.computeIfAbsent(id, _ -> new Seen());
    }

    /** An event is about to be sent. */
    void sending(JobId id, int value) {
        seen(id).sent.add(value);
    }

    /** The answer was that the event is kept, and is the first. */
    @Nullable
    String accepted(JobId id, int value, long now) {
        Seen seen = seen(id);
        seen.acceptedAt = now;
        Integer before = seen.accepted;
        seen.accepted = value;
        if (before != null) {
            return "has accepted two events, " + before + " and " + value;
        }
        return seen.timedOut ? "has accepted an event after its handler was told that its wait is over" : told(seen);
    }

    /** A handler is about to ask. */
    void asking(JobId id, long now) {
        Seen seen = seen(id);
        seen.waitsFrom = Math.min(seen.waitsFrom, now);
    }

    /** A handler has the value of the event. */
    @Nullable
    String told(JobId id, int value) {
        Seen seen = seen(id);
        Integer before = seen.told;
        seen.told = value;
        if (before != null && before != value) {
            return "has event " + value + ", and had " + before;
        }
        if (seen.timedOut) {
            return "has an event after its handler was told that its wait is over";
        }
        return seen.sent.contains(value) ? told(seen) : "has event " + value + ", which nobody sent";
    }

    private static @Nullable String told(Seen seen) {
        return seen.accepted == null || seen.told == null || seen.told.equals(seen.accepted)
                ? null
                : "has event " + seen.told + ", and " + seen.accepted + " was accepted as the first";
    }

    /** A handler was told that the wait is over, and the event has not come. */
    @Nullable
    String timedOut(JobId id, long now) {
        Seen seen = seen(id);
        seen.timedOut = true;
        if (seen.accepted != null || seen.told != null) {
            return "has lost its event";
        }
        return now < seen.waitsFrom + WAIT.toNanos() ? "is told that its wait is over before its end" : null;
    }

    /**
     * An attempt starts after one that waits for the event.
     *
     * @param since when that one ended
     * @param calm whether nothing keeps jobs that are due
     */
    @Nullable
    String started(JobId id, long since, long now, boolean calm) {
        Seen seen = seen(id);
        long late = now - Math.max(since, seen.acceptedAt);
        if (calm && seen.accepted != null && late > LATE) {
            return "starts " + late / 1e9 + " s after its event was accepted";
        }
        return seen.sent.isEmpty() && now < seen.waitsFrom + WAIT.toNanos()
                ? "starts before its event has come, and before the end of its wait"
                : null;
    }
}
