package dev.orderly.testkit.jobsim;

import dev.orderly.job.EventResult;
import dev.orderly.job.JobId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Judges the events of jobs, by what their senders and the handlers were told. */
final class EventReferee {
    /** The name of the event that some jobs await. */
    static final String NAME = "go";
    /** The length of the wait. */
    static final Duration WAIT = Duration.ofSeconds(15);

    /** An event that has come starts its job within this time, which is less than the wait. */
    private static final long LATE = Duration.ofSeconds(10).toNanos();

    private final Turns turns;
    private final RunTimeline timeline;
    private final Map<JobId, Seen> jobs = new HashMap<>();

    private static final class Seen {
        /** The values that were sent, each with the moment; one of them may be kept that has no answer. */
        final Map<Integer, Long> sent = new HashMap<>();
        @Nullable
        Integer accepted;
        long acceptedAt;
        @Nullable
        Integer told;
        boolean timedOut;
        /** When an attempt asked first. */
        long waitsFrom = Long.MAX_VALUE;
    }

    EventReferee(Turns turns, RunTimeline timeline) {
        this.turns = turns;
        this.timeline = timeline;
    }

    private Seen seen(JobId id) {
        return jobs.computeIfAbsent(id, _ -> new Seen());
    }

    /** An event is about to be sent. */
    void sending(JobId id, int value) {
        seen(id).sent.putIfAbsent(value, turns.now());
    }

    void answered(SimulatedNode node, TrackedJob job, int value, EventResult result) {
        timeline.note(node, job.subject(), "event " + value + " for " + job.number + " answered " + result);
        Seen seen = seen(job.id);
        if (result == EventResult.UNKNOWN) {
            timeline.broken("was acknowledged and is unknown", job);
        }
        if (result != EventResult.ENDED && job.endedAt < seen.sent.getOrDefault(value, Long.MIN_VALUE)) {
            timeline.broken("has ended, and an event that was sent later is answered " + result, job);
        }
        if (result == EventResult.ACCEPTED) {
            accepted(seen, job, value);
        }
    }

    private void accepted(Seen seen, TrackedJob job, int value) {
        if (seen.accepted != null) {
            timeline.broken("has accepted two events, " + seen.accepted + " and " + value, job);
        }
        seen.acceptedAt = turns.now();
        seen.accepted = value;
        if (seen.timedOut) {
            timeline.broken("has accepted an event after its handler was told that its wait is over", job);
        }
        agree(seen, job);
    }

    /** An attempt is about to ask. */
    void asking(JobId id) {
        Seen seen = seen(id);
        seen.waitsFrom = Math.min(seen.waitsFrom, turns.now());
    }

    /** An attempt has the value of the event. */
    void told(@Nullable SimulatedNode node, TrackedJob job, int value) {
        timeline.note(node, job.subject(), job.number + " has event " + value);
        Seen seen = seen(job.id);
        Integer before = seen.told;
        seen.told = value;
        if (before != null && before != value) {
            timeline.broken("has event " + value + ", and had " + before, job);
        }
        if (seen.timedOut) {
            timeline.broken("has an event after its handler was told that its wait is over", job);
        }
        if (!seen.sent.containsKey(value)) {
            timeline.broken("has event " + value + ", which nobody sent", job);
        }
        agree(seen, job);
    }

    private void agree(Seen seen, TrackedJob job) {
        if (seen.accepted != null && seen.told != null && !seen.told.equals(seen.accepted)) {
            timeline.broken("has event " + seen.told + ", and " + seen.accepted + " was accepted as the first", job);
        }
    }

    /** An attempt was told that the wait is over, and the event has not come. */
    void timedOut(@Nullable SimulatedNode node, TrackedJob job) {
        timeline.note(node, job.subject(), job.number + " is told that its wait is over");
        Seen seen = seen(job.id);
        seen.timedOut = true;
        if (seen.accepted != null || seen.told != null) {
            timeline.broken("has lost its event", job);
        }
        if (turns.now() < seen.waitsFrom + WAIT.toNanos()) {
            timeline.broken("is told that its wait is over before its end", job);
        }
    }

    /**
     * An attempt starts after one that waits for the event.
     *
     * @param calm whether nothing keeps jobs that are due
     */
    void started(TrackedJob job, boolean calm) {
        Seen seen = seen(job.id);
        long late = turns.now() - Math.max(job.lastEnd, seen.acceptedAt);
        if (calm && seen.accepted != null && late > LATE) {
            timeline.broken("starts " + late / 1e9 + " s after its event was accepted", job);
        }
        if (seen.sent.isEmpty() && turns.now() < seen.waitsFrom + WAIT.toNanos()) {
            timeline.broken("starts before its event has come, and before the end of its wait", job);
        }
    }
}
