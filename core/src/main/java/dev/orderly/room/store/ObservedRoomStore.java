package dev.orderly.room.store;

import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.store.ObservedCalls;
import dev.orderly.store.StoreOperation;
import dev.orderly.store.StorePromise;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A store of rooms whose calls an observer sees, also answers that contradict a promise. It answers as the store behind
 * it does.
 */
public final class ObservedRoomStore implements RoomStore {
    private final RoomStore store;
    private final ObservedCalls calls;

    public ObservedRoomStore(RoomStore store, ObservedCalls calls) {
        this.store = store;
        this.calls = calls;
    }

    private <T> List<T> answering(List<?> asked, List<T> answers) {
        calls.expect(answers.size() == asked.size(), StorePromise.ANSWERS,
                () -> "a call for " + asked.size() + " visitors has " + answers.size() + " answers");
        return answers;
    }

    private RoomState checked(RoomState state) {
        RoomState.Line line = state.line();
        calls.expect(line.cursor() >= 0 && line.cursor() <= line.length(), StorePromise.LINE,
                () -> "room " + state.room() + ": " + line);
        RoomState.Load load = state.load();
        calls.expect((load.active() | load.free() | load.door() | load.known() | load.granted() | load.gates()) >= 0,
                StorePromise.ROOM_COUNTS, () -> "room " + state.room() + ": " + load);
        return state;
    }

    @Override
    public boolean isShared() {
        return store.isShared();
    }

    @Override
    public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
        return answering(joins, calls.call(StoreOperation.JOIN, joins.size(), () -> store.join(room, joins, now)));
    }

    @Override
    public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests, Instant now) {
        return answering(requests,
                calls.call(StoreOperation.ADMIT, requests.size(), () -> store.admit(room, requests, now)));
    }

    @Override
    public List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now) {
        return calls.call(StoreOperation.RENEW, renewals.size(), () -> store.renew(room, renewals, now));
    }

    @Override
    public List<Boolean> move(RoomName room, List<MoveRequest> moves, Instant now) {
        return calls.call(StoreOperation.MOVE, moves.size(), () -> store.move(room, moves, now));
    }

    @Override
    public void depart(RoomName room, List<Departure> departures, Instant now) {
        calls.run(StoreOperation.DEPART, departures.size(), () -> store.depart(room, departures, now));
    }

    @Override
    public RoomState sync(RoomName room, GateReport report, Instant now) {
        return checked(calls.call(StoreOperation.SYNC, 1, () -> store.sync(room, report, now)));
    }

    @Override
    public Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now) {
        return calls.call(StoreOperation.GOVERN, 1, () -> store.govern(room, step, now)).map(this::checked);
    }

    @Override
    public RoomState change(RoomName room, RoomChange change, Instant now) {
        return checked(calls.call(StoreOperation.CHANGE, 1, () -> store.change(room, change, now)));
    }

    @Override
    public List<Boolean> replaceLeaves(RoomName room, List<NewLeaf> leaves, Instant now) {
        return calls.call(StoreOperation.CHANGE, leaves.size(), () -> store.replaceLeaves(room, leaves, now));
    }

    @Override
    public byte[] leaves(RoomName room, long from, int most, Instant now) {
        return store.leaves(room, from, most, now);
    }

    @Override
    public VisitorRecord find(RoomName room, VisitorId visitor, Instant now) {
        return store.find(room, visitor, now);
    }

    @Override
    public PlaceUse use(RoomName room, long place, Instant now) {
        return store.use(room, place, now);
    }

    @Override
    public PresentPlaces present(RoomName room, int line, int most, Instant now) {
        return store.present(room, line, most, now);
    }

    @Override
    public List<RoomState> rooms(Instant now) {
        return store.rooms(now);
    }
}
