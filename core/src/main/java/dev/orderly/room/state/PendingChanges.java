package dev.orderly.room.state;

import dev.orderly.room.VisitorId;
import dev.orderly.room.state.RoomStateMachine.Delta;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The changes of a room since it was last made durable, the latest of each part. Not thread-safe. */
final class PendingChanges {
    private final Map<Long, PlaceRecord> places = new LinkedHashMap<>();
    private final Map<VisitorId, Revocation> revoked = new HashMap<>();
    private final Map<Instant, Integer> admissions = new HashMap<>();
    private final Map<Long, byte[]> leaves = new LinkedHashMap<>();
    private boolean room;
    private boolean newEpoch;

    /** Marks the room's own record as changed. */
    void room() {
        room = true;
    }

    void place(PlaceRecord place) {
        places.put(place.place(), place);
    }

    void revoked(VisitorId visitor, Revocation revocation) {
        revoked.put(visitor, revocation);
    }

    void leaf(long place, byte[] leaf) {
        leaves.put(place, leaf);
    }

    void admission(Instant at) {
        admissions.merge(at, 1, Integer::sum);
    }

    void beginEpoch() {
        newEpoch = true;
        places.clear();
        revoked.clear();
        leaves.clear();
    }

    /** Removes and returns all pending changes. */
    Delta drain(Supplier<RoomRecord> record) {
        Delta delta = new Delta(room ? record.get() : null, newEpoch, places.values(), revoked, admissions,
                leaves);
        room = false;
        newEpoch = false;
        places.clear();
        revoked.clear();
        admissions.clear();
        leaves.clear();
        return delta;
    }
}
