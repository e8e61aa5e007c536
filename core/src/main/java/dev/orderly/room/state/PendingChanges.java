package dev.orderly.room.state;

import dev.orderly.room.VisitorId;
import dev.orderly.room.state.RoomStateMachine.Delta;
import dev.orderly.room.store.UserPlace;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The changes of a room since it was last made durable, the latest of each part. Not thread-safe. */
final class PendingChanges {
    private final Map<Long, PlaceRecord> places = new LinkedHashMap<>();
    private final Map<VisitorId, Revocation> revoked = new HashMap<>();
    private final Map<Instant, Integer> admissions = new HashMap<>();
    private final Map<Long, byte[]> leaves = new LinkedHashMap<>();
    private final Map<VisitorId, Optional<UserPlace>> users = new HashMap<>();
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

    /** @param place null if the user has none any more */
    void user(VisitorId user, @Nullable UserPlace place) {
        users.put(user, Optional.ofNullable(place));
    }

    void admission(Instant at) {
        admissions.merge(at, 1, Integer::sum);
    }

    void beginEpoch() {
        newEpoch = true;
        places.clear();
        revoked.clear();
        leaves.clear();
        users.clear();
    }

    /** Removes and returns all pending changes. */
    Delta drain(Supplier<RoomRecord> record) {
        Delta delta = new Delta(room ? record.get() : null, newEpoch, places.values(), revoked, admissions,
                leaves, users);
        room = false;
        newEpoch = false;
        places.clear();
        revoked.clear();
        admissions.clear();
        leaves.clear();
        users.clear();
        return delta;
    }
}
