package dev.orderly.schedule;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a schedule, for pages and APIs.
 *
 * @param queue of its jobs
 * @param group of its jobs; null on a standard queue
 * @param next the next instant; null if none comes, as while it is paused, and before the end of the run under way if
 *     the timing counts from it
 * @param last the last instant that pushed a job; null if none did
 * @param lastJob of an instant or by hand; null if there was none
 * @param lastState the state of the last job; null if there was none or it is no longer kept
 * @param lastSkipped the last instant that was skipped because a run was under way; null if none was
 * @param pause null while it fires
 * @param runs its last runs, the newest first, {@value ScheduleHistory#RUNS_MAX} at most
 */
public record ScheduleView(ScheduleName name, Timing timing, QueueName queue, @Nullable String group,
        @Nullable Instant next, @Nullable Instant last, @Nullable JobId lastJob, @Nullable JobState lastState,
        @Nullable Instant lastSkipped, @Nullable SchedulePause pause, List<PastRun> runs) {
    public ScheduleView {
        runs = List.copyOf(runs);
    }

    /** Whether the next instant follows the end of the run under way, so that it is not known yet. */
    public boolean awaitsEnd() {
        return timing.countsFromEnd() && next == null && pause == null;
    }

    /**
     * The next instants after {@link #next}, that one included, at most {@code most}; empty while it is paused. A
     * timing that counts from the end has one at most.
     */
    public List<Instant> upcoming(int most) {
        if (timing.countsFromEnd()) {
            return next == null || most == 0 ? List.of() : List.of(next);
        }
        return Stream.iterate(Optional.ofNullable(next), Optional::isPresent,
                instant -> instant.flatMap(timing::next)).limit(most).flatMap(Optional::stream).toList();
    }
}
