package dev.orderly.testkit;

import dev.orderly.room.Rate;
import dev.orderly.room.VisitorId;
import dev.orderly.room.state.LobbyLeaves;
import dev.orderly.room.state.PlaceRecord;
import dev.orderly.room.state.PlaceSet;
import dev.orderly.room.state.Revocation;
import dev.orderly.room.state.RoomRecord;
import dev.orderly.room.state.RoomStateMachine;
import dev.orderly.room.state.RoomStateMachine.Delta;
import dev.orderly.room.state.RoomStateMachine.Snapshot;
import dev.orderly.room.store.UserPlace;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The durable part of a room, collected from the deltas of its state machine. */
final class MemoryRoom {
    private final Map<Long, PlaceRecord> places = new TreeMap<>();
    private final Map<VisitorId, Revocation> revoked = new HashMap<>();
    private final TreeMap<Instant, Integer> admissions = new TreeMap<>();
    private final Map<Long, byte[]> leaves = new TreeMap<>();
    private final Map<VisitorId, UserPlace> users = new HashMap<>();
    private @Nullable RoomRecord room;
    private Instant endedBy = Instant.EPOCH;

    void keep(RoomStateMachine machine) {
        Delta delta = machine.drain();
        endedBy = machine.endedBy().isAfter(endedBy) ? machine.endedBy() : endedBy;
        if (delta.newEpoch()) {
            places.clear();
            revoked.clear();
            leaves.clear();
            users.clear();
        }
        if (delta.room() != null) {
            room = delta.room();
        }
        delta.places().forEach(place -> places.put(place.place(), place));
        revoked.putAll(delta.revoked());
        leaves.putAll(delta.leaves());
        delta.users().forEach((user, place) -> place.ifPresentOrElse(has -> users.put(user, has),
                () -> users.remove(user)));
        delta.admissions().forEach((at, count) -> admissions.merge(at, count, Integer::sum));
        if (!delta.admissions().isEmpty()) {
            admissions.headMap(admissions.lastKey().minus(Rate.LONGEST), true).clear();
        }
    }

    /** The state machine as another process restores it. */
    RoomStateMachine restored() {
        RoomRecord last = Objects.requireNonNull(room, "The first delta brings the room");
        RoomRecord now = new RoomRecord(last.room(), last.epoch(), last.length(), last.cursor(), last.crowded(),
                last.mode(), last.message(), last.granted(), last.override(),
                last.openings(), last.draws(), last.tiers(), endedBy);
        LobbyLeaves lobby = new LobbyLeaves();
        leaves.forEach(lobby::put);
        RoomStateMachine machine = new RoomStateMachine(
                new Snapshot(now, new PlaceSet(), List.copyOf(places.values()), revoked, admissions, lobby,
                        users));
        machine.leasesUnknown();
        return machine;
    }
}
