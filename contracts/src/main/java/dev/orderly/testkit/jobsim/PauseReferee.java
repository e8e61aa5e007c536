package dev.orderly.testkit.jobsim;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Judges pauses of queues, keys and groups. An answer is the broken rule. */
final class PauseReferee {
    private final Turns turns;
    private final RunTimeline timeline;
    /** By queue, or {@link TrackedJob#subject subject} for one of its keys or groups. */
    private final Map<String, Pause> pauses = new HashMap<>();

    private static final class Pause {
        boolean paused;
        int resumes;
        int resuming;
        long at;
        @Nullable
        SimulatedNode by;
    }

    PauseReferee(Turns turns, RunTimeline timeline) {
        this.turns = turns;
        this.timeline = timeline;
    }

    private Pause pause(String what) {
        return pauses.computeIfAbsent(what, _ -> new Pause());
    }

    /** A number for {@link #answered}; negative for a pause that is asked while a resume is under way. */
    int asked(String what, boolean on) {
        Pause pause = pause(what);
        if (!on) {
            pause.paused = false;
            pause.resumes++;
            pause.resuming++;
        }
        return on && pause.resuming > 0 ? -1 : pause.resumes;
    }

    /** A pause binds from its answer on, unless a resume was under way beside it. */
    void answered(SimulatedNode node, String what, boolean on, int asked) {
        timeline.note(node, what, on ? "pause answered" : "resume answered");
        Pause pause = pause(what);
        if (on && !pause.paused && pause.resumes == asked && pause.resuming == 0) {
            pause.paused = true;
            pause.at = turns.now();
            pause.by = node;
        }
    }

    /** A request to pause or resume has an answer, or none will come. */
    void over(String what, boolean on) {
        if (!on) {
            pause(what).resuming--;
        }
    }

    /** A number that depends on what is paused. */
    long state() {
        long hash = 0;
        for (Pause pause : pauses.values()) {
            hash = hash * 31 + (pause.paused ? 1 : 0);
        }
        return hash;
    }

    @Nullable
    String started(SimulatedNode node, String queue) {
        Pause pause = pause(queue);
        boolean here = pause.by == node;
        return pause.paused && (here || turns.now() - pause.at > JobReferee.HEARD)
                ? "starts " + (turns.now() - pause.at) / 1e9 + " s after a pause was answered"
                        + (here ? " on this node" : "")
                : null;
    }

    @Nullable
    String leased(String queue, long asked) {
        Pause pause = pause(queue);
        return pause.paused && asked > pause.at
                ? "is leased by a request that was sent after a pause was answered"
                : null;
    }

    /** Nobody gets a job whose key or group was paused when it was asked for, or pushed and handed off. */
    @Nullable
    String startedOfKey(TrackedJob job, long asked) {
        String key = job.keyOrGroup();
        Pause pause = key == null ? null : pauses.get(TrackedJob.subject(job.queue, key));
        return pause != null && pause.paused && asked > pause.at
                ? "starts by a claim or push that was sent after a pause of " + key + " was answered"
                : null;
    }
}
