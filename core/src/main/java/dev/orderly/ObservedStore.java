package dev.orderly;

import dev.orderly.job.store.JobObserver;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.ObservedJobStore;
import dev.orderly.room.store.ObservedRoomStore;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.ObservedCalls;
import dev.orderly.store.StorePart;
import java.util.List;

/** A store whose calls about jobs and rooms are observed. The other ports are those of the store behind it. */
final class ObservedStore extends ForwardingStore {
    private final JobStore jobs;
    private final RoomStore rooms;

    ObservedStore(Store store, ObservedCalls calls, JobObserver observer) {
        super(store);
        this.jobs = ObservedJobStore.of(store.jobs(), calls, observer);
        this.rooms = new ObservedRoomStore(store.rooms(), calls);
    }

    @Override
    public JobStore jobs() {
        return jobs;
    }

    @Override
    public RoomStore rooms() {
        return rooms;
    }

    @Override
    public List<StorePart> parts() {
        return inside().parts();
    }
}
