package dev.orderly.testkit.contract;

import dev.orderly.Store;
import dev.orderly.job.JobStore;
import dev.orderly.job.JobViews;
import dev.orderly.room.RoomStore;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.testkit.MemoryStore;

/** A memory store of which one port gets one thing wrong. */
abstract class BuggedStore implements Store {
    final MemoryStore store;
    private final Enum<?> planted;

    BuggedStore(MemoryStore store, Enum<?> planted) {
        this.store = store;
        this.planted = planted;
    }

    @Override
    public JobStore jobs() {
        return store.jobs();
    }

    @Override
    public JobViews jobViews() {
        return store.jobViews();
    }

    @Override
    public RoomStore rooms() {
        return store.rooms();
    }

    @Override
    public ScheduleStore schedules() {
        return store.schedules();
    }

    @Override
    public String name() {
        return store.name() + ", " + planted;
    }

    @Override
    public void close() {
        store.close();
    }
}
