package dev.orderly.room;

import dev.orderly.room.RoomUpdates.PlaceRecord;
import dev.orderly.room.RoomUpdates.RoomRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What changed in a room's parts since it was last made durable; the latest word on each. Not thread-safe. */
final class Unkept {
    private final Map<Long, PlaceRecord> places = new LinkedHashMap<>();
    private final Map<VisitorId, Instant> voided = new HashMap<>();
    private final Map<Instant, Integer> admissions = new HashMap<>();
    private boolean newEpoch;

    void place(PlaceRecord place) {
        places.put(place.place(), place);
    }

    void voided(VisitorId visitor, Instant until) {
        voided.put(visitor, until);
    }

    void admission(Instant at) {
        admissions.merge(at, 1, Integer::sum);
    }

    void beginAnew() {
        newEpoch = true;
        places.clear();
        voided.clear();
    }

    /** All of it, to be forgotten here. */
    RoomUpdates drain(@Nullable RoomRecord room) {
        RoomUpdates updates = new RoomUpdates(room, newEpoch, places.values(), voided, admissions);
        newEpoch = false;
        places.clear();
        voided.clear();
        admissions.clear();
        return updates;
    }
}
