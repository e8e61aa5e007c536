package dev.orderly;

import dev.orderly.access.store.AuditStore;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.Bus;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreLoad;
import dev.orderly.store.StorePart;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.store.copy.MixedCopy;
import dev.orderly.time.Time;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A store in two parts: jobs, schedules and access in the first, rooms and live messages in the second. */
final class MixedStore extends ForwardingStore {
    private final Store jobStore;
    private final VisitorStore roomStore;

    MixedStore(Store jobStore, VisitorStore roomStore) {
        super(jobStore);
        this.jobStore = jobStore;
        this.roomStore = roomStore;
    }

    @Override
    public RoomStore rooms() {
        return roomStore.rooms();
    }

    /** In the first part; entries wait in the second while the first does not answer. */
    @Override
    public AuditStore audit() {
        return new DeferredAudit(jobStore.audit(), roomStore.keyValues(), Time.system());
    }

    @Override
    public OnlineUserStore presence() {
        return shared().presence();
    }

    @Override
    public Bus bus() {
        return shared().bus();
    }

    @Override
    public KeyValueStore keyValues() {
        return shared().keyValues();
    }

    @Override
    public Time clock(Time own) {
        return shared().clock(own);
    }

    @Override
    public Time roomClock(Time own) {
        return roomStore.roomClock(own);
    }

    @Override
    public CopyPort copying() {
        return new MixedCopy(jobStore.copying(), roomStore.copying(), shared().copying());
    }

    /** The part over which nodes find each other. */
    private VisitorStore shared() {
        return roomStore.bus().equals(Bus.ALONE) ? jobStore : roomStore;
    }

    @Override
    public void checkWritable() {
        jobStore.checkWritable();
        roomStore.checkWritable();
    }

    @Override
    public List<StorePart> parts() {
        return Stream.concat(jobStore.parts().stream().map(part -> part.with(StorePart.Content.JOBS)),
                roomStore.parts().stream().map(part -> part.with(StorePart.Content.ROOMS))).toList();
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>(jobStore.facts());
        roomStore.facts().forEach((name, value) -> facts.put("rooms: " + name, value));
        return facts;
    }

    @Override
    public StoreLoad load() {
        return jobStore.load().or(roomStore.load());
    }

    @Override
    public String name() {
        return jobStore.name() + ", rooms in " + roomStore.name();
    }

    @Override
    public void close() {
        try {
            jobStore.close();
        } finally {
            roomStore.close();
        }
    }
}
