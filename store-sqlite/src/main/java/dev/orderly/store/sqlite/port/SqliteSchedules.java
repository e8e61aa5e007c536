package dev.orderly.store.sqlite.port;

import dev.orderly.job.store.NewJob;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.sql.JobIds;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.ScheduleTable;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.WriteRequest;
import dev.orderly.time.StoredTime;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The schedules port: changes are requests to the writer, the list is read beside it. Instants of schedules are moments of
 * the clock; only the jobs they push are stored by the stored time.
 */
public final class SqliteSchedules implements ScheduleStore {
    private final RequestQueue mailbox;
    private final ReaderPool readers;
    private final JobIds ids;
    private final StoredTime time;

    public SqliteSchedules(RequestQueue mailbox, ReaderPool readers, WriterState desk) {
        this.mailbox = mailbox;
        this.readers = readers;
        this.ids = desk.ids;
        this.time = desk.time;
    }

    @Override
    public ScheduleState declare(ScheduleName name, String timing, Instant now) {
        return mailbox.ask(WriteRequest.shared(1, desk -> {
            ScheduleState before = desk.tables.schedules.find(name, ids);
            ScheduleState after = before == null
                    ? ScheduleState.first(name, timing, now)
                    : before.declared(timing, now);
            if (!after.equals(before)) {
                desk.tables.schedules.write(after);
            }
            return () -> after;
        }));
    }

    @Override
    public Optional<ScheduleState> take(ScheduleState seen, ScheduleStep step, Instant now) {
        Instant storedNow = time.stored(now);
        return mailbox.ask(WriteRequest.shared(1, desk -> take(desk, seen, step, storedNow)));
    }

    /** The step and the push that belongs to it, in one transaction. */
    private Supplier<Optional<ScheduleState>> take(WriterState desk, ScheduleState seen, ScheduleStep step,
            Instant storedNow)
            throws SQLException {
        ScheduleState before = desk.tables.schedules.find(seen.name(), ids);
        if (before == null || !before.allows(seen, step)) {
            return Optional::empty;
        }
        PushJobs push = new PushJobs(desk, storedNow);
        NewJob job = step.job();
        ScheduleState after = before.after(step, job == null ? null : push.write(job).id());
        desk.tables.schedules.write(after);
        return () -> {
            push.committed();
            return Optional.of(after);
        };
    }

    @Override
    public List<ScheduleState> states() {
        return readers.read(connection -> ScheduleTable.all(connection, ids));
    }
}
