package dev.orderly.schedule;

import dev.orderly.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a store keeps of a schedule. Moments are in milliseconds.
 *
 * @param timing as {@link Timing#toString} says it
 * @param version grows by one with every change: who changes a schedule names the version that was seen
 * @param reached instants up to here are dealt with
 * @param fired the last instant that pushed a job; null if none did
 * @param skipped the last instant that was skipped because a run was under way; null if none was
 * @param job the last job, of an instant or by hand; null if there was none
 */
public record ScheduleState(ScheduleName name, String timing, long version, Instant reached, @Nullable Instant fired,
        @Nullable Instant skipped, @Nullable JobId job) {
    /** A schedule waits for a clock that was set back by up to this long, so that no instant fires twice. */
    public static final Duration OVERRUN_MAX = Duration.ofDays(1);

    public ScheduleState {
        reached = reached.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A schedule nobody declared before. */
    public static ScheduleState first(ScheduleName name, String timing, Instant now) {
        return new ScheduleState(name, timing, 1, now, null, null, null);
    }

    /**
     * This, declared again: as it is under the same timing; it starts anew with another timing, and when a clock that was
     * wrong has {@link #overran} it.
     */
    public ScheduleState declared(String newTiming, Instant now) {
        return newTiming.equals(timing) && !overran(now)
                ? this
                : new ScheduleState(name, newTiming, version + 1, now, fired, null, job);
    }

    /** Whether the clock was {@link #OVERRUN_MAX} ahead when the last instant fired, which would silence the schedule. */
    public boolean overran(Instant now) {
        return reached.isAfter(now.plus(OVERRUN_MAX));
    }

    /** Whether a step may be taken by one who saw that state: nothing has changed since, and time goes forward. */
    public boolean allows(ScheduleState seen, ScheduleStep step) {
        return version == seen.version && switch (step) {
            case ScheduleStep.Fire fire -> fire.instant().isAfter(reached);
            case ScheduleStep.Skip skip -> skip.instant().isAfter(reached);
            case ScheduleStep.Run _ -> true;
        };
    }

    /**
     * This, after a step.
     *
     * @param pushed the job of the step, null if it has none
     */
    public ScheduleState after(ScheduleStep step, @Nullable JobId pushed) {
        return switch (step) {
            case ScheduleStep.Fire fire ->
                new ScheduleState(name, timing, version + 1, fire.instant(), fire.instant(), skipped, pushed);
            case ScheduleStep.Skip skip ->
                new ScheduleState(name, timing, version + 1, skip.instant(), fired, skip.instant(), job);
            case ScheduleStep.Run _ -> new ScheduleState(name, timing, version + 1, reached, fired, skipped, pushed);
        };
    }
}
