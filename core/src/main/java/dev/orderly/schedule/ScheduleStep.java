package dev.orderly.schedule;

import dev.orderly.job.JobId;
import dev.orderly.job.store.NewJob;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A change of a schedule's state. */
public sealed interface ScheduleStep {
    /** The job that is pushed with the step; null for none. */
    @Nullable
    NewJob job();

    /** An instant fires: its job is pushed. */
    record Fire(Instant instant, NewJob job) implements ScheduleStep {}

    /** An instant is skipped because a run is under way. */
    record Skip(Instant instant) implements ScheduleStep {
        @Override
        public @Nullable NewJob job() {
            return null;
        }
    }

    /** A run by hand, which does not affect the timing, unless the timing counts from the end of each run. */
    record Run(NewJob job) implements ScheduleStep {}

    /** A pause begins: no instant fires, and none is skipped, until {@link Resume}. Runs by hand go on. */
    record Pause(SchedulePause pause) implements ScheduleStep {
        @Override
        public @Nullable NewJob job() {
            return null;
        }
    }

    /**
     * A pause ends.
     *
     * @param at instants up to here are passed over
     */
    record Resume(Instant at) implements ScheduleStep {
        @Override
        public @Nullable NewJob job() {
            return null;
        }
    }

    /**
     * The end of a run is recorded. A timing that counts from the end counts from this one if it is of the last run.
     *
     * @param run the job of the run
     * @param at null if it is not known; the moment of the step stands for it
     */
    record End(JobId run, PastRun.Outcome outcome, @Nullable Instant at) implements ScheduleStep {
        @Override
        public @Nullable NewJob job() {
            return null;
        }
    }
}
