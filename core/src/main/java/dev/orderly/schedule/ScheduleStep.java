package dev.orderly.schedule;

import dev.orderly.job.NewJob;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What happens to a schedule. */
public sealed interface ScheduleStep {
    /** The job that is pushed with the step; null if none is. */
    @Nullable
    NewJob job();

    /** An instant pushes its job. */
    record Fire(Instant instant, NewJob job) implements ScheduleStep {}

    /** An instant is passed over because a run is under way. */
    record Skip(Instant instant) implements ScheduleStep {
        @Override
        public @Nullable NewJob job() {
            return null;
        }
    }

    /** A run by hand, which leaves the timing as it is. */
    record Run(NewJob job) implements ScheduleStep {}
}
