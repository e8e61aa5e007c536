package dev.orderly.schedule;

import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A schedule as this node declares it. The last seen state is used by the engine's loop only. */
final class DeclaredSchedule {
    private static final Logger LOG = LoggerFactory.getLogger(DeclaredSchedule.class);

    final ScheduleName name;
    final Timing timing;
    final PushRequest job;
    /** Whether this node has declared the schedule in the store. */
    volatile boolean declared;

    /** Monotonic time of the next look at a run under way, or at a pause. */
    long nextLook;

    private @Nullable ScheduleState state;
    private @Nullable Instant next;
    private @Nullable String trouble;

    DeclaredSchedule(ScheduleName name, Timing timing, PushRequest job) {
        this.name = name;
        this.timing = timing;
        this.job = job;
    }

    QueueName queue() {
        return new QueueName(job.queue());
    }

    /** The push for an instant. The job belongs to no user, even if a user started it by hand. */
    PushRequest request(Instant instant, String dedupeId) {
        return job.withDedupeId(dedupeId).withParams(Map.of(ScheduledRun.SCHEDULE, name.value(), ScheduledRun.CRON,
                timing.text(), ScheduledRun.INSTANT, instant.toString()));
    }

    /** The state that this node saw last; null if it has to be read again. */
    @Nullable
    ScheduleState state() {
        return state;
    }

    /** The next instant after the state that was seen; null if none comes. */
    @Nullable
    Instant next() {
        return next;
    }

    void sees(@Nullable ScheduleState seen) {
        if (seen != null && (state == null || !seen.reached().equals(state.reached()))) {
            next = timing.next(seen.reached()).orElse(null);
        }
        state = seen;
    }

    /** Logs a new obstacle once; a null kind ends the obstacle. */
    void trouble(@Nullable String kind, String message) {
        if (kind != null && !kind.equals(trouble)) {
            LOG.warn("Schedule {} {}", name, message);
        }
        trouble = kind;
    }
}
