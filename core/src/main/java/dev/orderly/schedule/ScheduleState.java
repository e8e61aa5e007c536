package dev.orderly.schedule;

import dev.orderly.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of a schedule, as stores keep it. Moments are in milliseconds.
 *
 * @param timing the form of {@link Timing#toString}
 * @param version grows by one with every change; a change is accepted only for the version that its caller has seen
 * @param reached instants up to here have fired or were skipped
 * @param fired the last instant that pushed a job; null if none did
 * @param skipped the last instant that was skipped because a run was under way; null if none was
 * @param job the last job, of an instant or by hand; null if there was none
 */
public record ScheduleState(ScheduleName name, String timing, long version, Instant reached, @Nullable Instant fired,
        @Nullable Instant skipped, @Nullable JobId job) {
    /** The largest clock error that a schedule waits out, so that no instant fires twice. */
    public static final Duration OVERRUN_MAX = Duration.ofDays(1);

    public ScheduleState {
        reached = reached.truncatedTo(ChronoUnit.MILLIS);
    }

    /** The state of a schedule that is declared for the first time. */
    public static ScheduleState first(ScheduleName name, String timing, Instant now) {
        return new ScheduleState(name, timing, 1, now, null, null, null);
    }

    /**
     * The state after a declaration. The same timing leaves it as it is; another timing, or a clock that
     * {@link #overran}, makes the schedule start anew.
     */
    public ScheduleState declared(String newTiming, Instant now) {
        return newTiming.equals(timing) && !overran(now)
                ? this
                : new ScheduleState(name, newTiming, version + 1, now, fired, null, job);
    }

    /**
     * Whether the last instant fired while the clock was more than {@link #OVERRUN_MAX} ahead, which would silence the
     * schedule.
     */
    public boolean overran(Instant now) {
        return reached.isAfter(now.plus(OVERRUN_MAX));
    }

    /**
     * Whether a step from the state {@code seen} is valid: the version is unchanged, and the step's instant is later.
     */
    public boolean allows(ScheduleState seen, ScheduleStep step) {
        return version == seen.version && switch (step) {
            case ScheduleStep.Fire fire -> fire.instant().isAfter(reached);
            case ScheduleStep.Skip skip -> skip.instant().isAfter(reached);
            case ScheduleStep.Run _ -> true;
        };
    }

    /**
     * The state after a step.
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
