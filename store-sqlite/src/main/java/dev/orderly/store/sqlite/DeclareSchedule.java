package dev.orderly.store.sqlite;

import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStore;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link ScheduleStore#declare}. */
final class DeclareSchedule extends Request<ScheduleState> {
    private final ScheduleName name;
    private final String timing;
    private final Instant now;
    private @Nullable ScheduleState made;

    DeclareSchedule(ScheduleName name, String timing, Instant now) {
        this.name = name;
        this.timing = timing;
        this.now = now;
    }

    @Override
    Kind kind() {
        return Kind.SHARED;
    }

    @Override
    void write(Desk desk) throws SQLException {
        ScheduleState before = desk.tables.schedules.find(name, desk.salt);
        ScheduleState after = before == null
                ? ScheduleState.first(name, timing, now)
                : before.declared(timing, now);
        if (!after.equals(before)) {
            desk.tables.schedules.write(after);
        }
        made = after;
    }

    @Override
    ScheduleState answer(Desk desk) {
        return Objects.requireNonNull(made, "Answered before it was written");
    }
}
