package dev.orderly.testkit;

import dev.orderly.Internal;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.PlaceUse;
import dev.orderly.room.store.PresentPlaces;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.store.VisitorRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Base of decorators of the rooms port: forwards every call that a subclass does not override. */
@Internal(to = "dev.orderly")
public abstract class ForwardingRooms implements RoomStore {
    /** The inner port. */
    protected final RoomStore rooms;

    protected ForwardingRooms(RoomStore rooms) {
        this.rooms = rooms;
    }

    @Override
    public boolean isShared() {
        return rooms.isShared();
    }

    @Override
    public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
        return rooms.join(room, joins, now);
    }

    @Override
    public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests, Instant now) {
        return rooms.admit(room, requests, now);
    }

    @Override
    public List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now) {
        return rooms.renew(room, renewals, now);
    }

    @Override
    public List<Boolean> move(RoomName room, List<MoveRequest> moves, Instant now) {
        return rooms.move(room, moves, now);
    }

    @Override
    public void depart(RoomName room, List<Departure> departures, Instant now) {
        rooms.depart(room, departures, now);
    }

    @Override
    public RoomState sync(RoomName room, GateReport report, Instant now) {
        return rooms.sync(room, report, now);
    }

    @Override
    public Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now) {
        return rooms.govern(room, step, now);
    }

    @Override
    public RoomState change(RoomName room, RoomChange change, Instant now) {
        return rooms.change(room, change, now);
    }

    @Override
    public List<Boolean> replaceLeaves(RoomName room, List<NewLeaf> leaves, Instant now) {
        return rooms.replaceLeaves(room, leaves, now);
    }

    @Override
    public byte[] leaves(RoomName room, long from, int most, Instant now) {
        return rooms.leaves(room, from, most, now);
    }

    @Override
    public VisitorRecord find(RoomName room, VisitorId visitor, Instant now) {
        return rooms.find(room, visitor, now);
    }

    @Override
    public PlaceUse use(RoomName room, long place, Instant now) {
        return rooms.use(room, place, now);
    }

    @Override
    public PresentPlaces present(RoomName room, int line, int most, Instant now) {
        return rooms.present(room, line, most, now);
    }

    @Override
    public List<RoomState> rooms(Instant now) {
        return rooms.rooms(now);
    }
}
