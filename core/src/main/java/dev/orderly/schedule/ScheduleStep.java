package dev.orderly.schedule;

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

    /** A run by hand, which does not affect the timing. */
    record Run(NewJob job) implements ScheduleStep {}
}
