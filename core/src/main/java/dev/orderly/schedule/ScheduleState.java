package dev.orderly.schedule;

import dev.orderly.job.JobId;
import dev.orderly.job.store.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of a schedule, as stores keep it. Moments are in milliseconds.
 *
 * @param timing the form of {@link Timing#toString}
 * @param version grows by one with every change; a change is accepted only for the version that its caller has seen
 * @param reached instants up to here have fired or were skipped; of a timing that counts from the end of each run, the
 *     end of the last one, unless an instant has fired since
 * @param fired the last instant that pushed a job; null if none did
 * @param skipped the last instant that was skipped because a run was under way; null if none was
 * @param job the last job, of an instant or by hand; null if there was none
 * @param history its pause, and its last runs
 */
public record ScheduleState(ScheduleName name, String timing, long version, Instant reached, @Nullable Instant fired,
        @Nullable Instant skipped, @Nullable JobId job, ScheduleHistory history) {
    /** The largest clock error that a schedule waits out, so that no instant fires twice. */
    public static final Duration OVERRUN_MAX = Duration.ofDays(1);

    public ScheduleState {
        reached = reached.truncatedTo(ChronoUnit.MILLIS);
    }

    /** The state of a schedule that is declared for the first time. */
    public static ScheduleState first(ScheduleName name, String timing, Instant now) {
        return new ScheduleState(name, timing, 1, now, null, null, null, ScheduleHistory.EMPTY);
    }

    /**
     * The state after a declaration. The same timing leaves it as it is; another timing, or a clock that
     * {@link #overran}, makes the schedule start anew. A pause stays.
     *
     * @param replaces whether the declaration replaces the stored one; if not, another timing has no effect
     */
    public ScheduleState declared(String newTiming, boolean replaces, Instant now) {
        boolean anew = newTiming.equals(timing) ? overran(now) : replaces;
        return anew ? new ScheduleState(name, newTiming, version + 1, now, fired, null, job, history) : this;
    }

    /**
     * Whether the last instant fired while the clock was more than {@link #OVERRUN_MAX} ahead, which would silence the
     * schedule.
     */
    public boolean overran(Instant now) {
        return reached.isAfter(now.plus(OVERRUN_MAX));
    }

    /** {@link Timing#countsFromEnd} of the timing. */
    public boolean countsFromEnd() {
        return Interval.countsFromEnd(timing);
    }

    /** Whether no instant comes before the end of the last run is recorded, from which the timing counts. */
    public boolean awaitsEnd() {
        return countsFromEnd() && history.underWay() != null;
    }

    /** The pause; null while the schedule fires. */
    public @Nullable SchedulePause pause() {
        return history.pause();
    }

    /**
     * Whether a step from the state {@code seen} is valid: the version is unchanged, an instant that fires or is
     * skipped is later and not in a pause, only a pause ends, and no run begins that {@link #awaitsEnd} keeps back.
     */
    public boolean allows(ScheduleState seen, ScheduleStep step) {
        boolean paused = pause() != null;
        return version == seen.version && switch (step) {
            case ScheduleStep.Fire fire -> !paused && fire.instant().isAfter(reached) && !awaitsEnd();
            case ScheduleStep.Skip skip -> !paused && skip.instant().isAfter(reached);
            case ScheduleStep.Run _ -> !awaitsEnd();
            case ScheduleStep.End _ -> true;
            case ScheduleStep.Pause _ -> !paused;
            case ScheduleStep.Resume _ -> paused;
        };
    }

    /**
     * The state after a step.
     *
     * @param pushed the job of the step, null if it has none
     * @param now moment of the step
     */
    public ScheduleState after(ScheduleStep step, @Nullable JobId pushed, Instant now) {
        return switch (step) {
            case ScheduleStep.Fire(Instant at, NewJob _) ->
                next(at, at, skipped, pushed, history.with(PastRun.of(at, now, pushed)));
            case ScheduleStep.Skip(Instant at) ->
                next(at, fired, at, job, history.with(PastRun.skipped(at, now)));
            case ScheduleStep.Run _ ->
                next(reached, fired, skipped, pushed, history.with(PastRun.of(null, now, pushed)));
            case ScheduleStep.Pause(SchedulePause pause) -> next(reached, fired, skipped, job, history.paused(pause));
            case ScheduleStep.Resume(Instant at) ->
                next(later(at), fired, skipped, job, history.paused(null));
            case ScheduleStep.End(JobId run, PastRun.Outcome outcome, Instant at) ->
                next(countsFromEnd() && run.equals(job) ? later(at == null ? now : at) : reached, fired, skipped, job,
                        history.ended(run, outcome, at));
        };
    }

    private Instant later(Instant moment) {
        return moment.isAfter(reached) ? moment : reached;
    }

    private ScheduleState next(Instant newReached, @Nullable Instant newFired, @Nullable Instant newSkipped,
            @Nullable JobId newJob, ScheduleHistory newHistory) {
        return new ScheduleState(name, timing, version + 1, newReached, newFired, newSkipped, newJob, newHistory);
    }
}
