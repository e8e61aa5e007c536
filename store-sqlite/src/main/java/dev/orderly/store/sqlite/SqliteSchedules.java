package dev.orderly.store.sqlite;

import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.time.StoredTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The schedules port: changes are requests to the writer, the list is read beside it. Instants of schedules are moments of
 * the clock; only the jobs they push are stored by the stored time.
 */
final class SqliteSchedules implements ScheduleStore {
    private final Mailbox mailbox;
    private final Readers readers;
    private final long salt;
    private final StoredTime time;

    SqliteSchedules(Mailbox mailbox, Readers readers, Desk desk) {
        this.mailbox = mailbox;
        this.readers = readers;
        this.salt = desk.salt;
        this.time = desk.time;
    }

    @Override
    public ScheduleState declare(ScheduleName name, String timing, Instant now) {
        return mailbox.ask(new DeclareSchedule(name, timing, now), Mailbox.PATIENCE);
    }

    @Override
    public Optional<ScheduleState> take(ScheduleState seen, ScheduleStep step, Instant now) {
        return mailbox.ask(new TakeStep(seen, step, time.stored(now)), Mailbox.PATIENCE);
    }

    @Override
    public List<ScheduleState> states() {
        return readers.read(connection -> ScheduleTable.all(connection, salt));
    }
}
