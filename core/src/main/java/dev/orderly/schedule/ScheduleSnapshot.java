package dev.orderly.schedule;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state at one moment. */
record ScheduleSnapshot(ScheduleName name, Timing timing, QueueName queue, @Nullable String group,
        @Nullable Instant next, @Nullable Instant last, @Nullable JobId lastJob, @Nullable JobState lastState,
        @Nullable Instant lastSkipped, @Nullable SchedulePause pause, List<PastRun> runs) implements ScheduleView {
    ScheduleSnapshot {
        runs = List.copyOf(runs);
    }

    @Override
    public boolean awaitsEnd() {
        return timing.countsFromEnd() && next == null && pause == null;
    }

    @Override
    public List<Instant> upcoming(int most) {
        if (timing.countsFromEnd()) {
            return next == null || most == 0 ? List.of() : List.of(next);
        }
        return Stream.iterate(Optional.ofNullable(next), Optional::isPresent,
                instant -> instant.flatMap(timing::next)).limit(most).flatMap(Optional::stream).toList();
    }
}
