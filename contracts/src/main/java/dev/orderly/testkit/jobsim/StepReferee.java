package dev.orderly.testkit.jobsim;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges the step of jobs, whose value is the number of the attempt that has done it. */
final class StepReferee {
    /** The name of the step that some jobs do. */
    static final String NAME = "work";

    private final RunTimeline timeline;
    private final Map<TrackedJob, Integer> kept = new HashMap<>();
    /** Attempts that did the step after a later one had started. */
    private final Set<Stale> stale = new HashSet<>();

    private record Stale(TrackedJob job, int attempt) {}

    StepReferee(RunTimeline timeline) {
        this.timeline = timeline;
    }

    /** An attempt does the step. */
    void doing(@Nullable SimulatedNode node, TrackedJob job, int attempt) {
        timeline.note(node, job.subject(), "step of " + job.number + ", attempt " + attempt);
        int before = kept.getOrDefault(job, attempt);
        if (before < attempt) {
            timeline.broken("repeats its step in attempt " + attempt + ", which attempt " + before + " has done", job);
        }
        if (job.lastAttempt > attempt) {
            stale.add(new Stale(job, attempt));
        }
    }

    /** An attempt has the value of the step, its own or that of an earlier attempt. */
    void has(TrackedJob job, int attempt, int value) {
        int before = kept.getOrDefault(job, value);
        if (before != value) {
            timeline.broken("has the step of attempt " + value + ", and had that of attempt " + before, job);
        }
        if (value == attempt && stale.contains(new Stale(job, attempt))) {
            timeline.broken("keeps the step of attempt " + attempt + ", which it did after a later attempt had started",
                    job);
        }
        kept.put(job, value);
    }
}
