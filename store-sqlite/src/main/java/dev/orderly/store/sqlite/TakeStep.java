package dev.orderly.store.sqlite;

import dev.orderly.job.JobId;
import dev.orderly.job.NewJob;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.schedule.ScheduleStore;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link ScheduleStore#take}: a push and the schedule it belongs to, in one transaction. */
final class TakeStep extends Request<Optional<ScheduleState>> {
    private final ScheduleState seen;
    private final ScheduleStep step;
    private final @Nullable PushJobs push;
    private @Nullable ScheduleState made;

    TakeStep(ScheduleState seen, ScheduleStep step, Instant now) {
        this.seen = seen;
        this.step = step;
        NewJob job = step.job();
        push = job == null ? null : new PushJobs(List.of(job), now);
    }

    @Override
    Kind kind() {
        return Kind.SHARED;
    }

    @Override
    void write(Desk desk) throws SQLException {
        made = null;
        ScheduleState before = desk.tables.schedules.find(seen.name(), desk.salt);
        if (before != null && before.allows(seen, step)) {
            ScheduleState after = before.after(step, pushed(desk));
            desk.tables.schedules.write(after);
            made = after;
        }
    }

    private @Nullable JobId pushed(Desk desk) throws SQLException {
        if (push == null) {
            return null;
        }
        push.write(desk);
        return push.results().getFirst().id();
    }

    @Override
    Optional<ScheduleState> answer(Desk desk) {
        if (made != null && push != null) {
            push.answer(desk);
        }
        return Optional.ofNullable(made);
    }
}
