package dev.orderly.testkit;

import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.state.RoomStateMachine;
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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The rooms port of a {@link MemoryStore}: state machines, and the durable part of each room. */
final class MemoryRooms implements RoomStore {
    private final MemoryTable table;
    private final Map<RoomName, MemoryRoom> kept;
    private final Map<RoomName, RoomStateMachine> machines = new TreeMap<>();

    /** @param kept rooms as another process left them */
    MemoryRooms(MemoryTable table, Map<RoomName, MemoryRoom> kept) {
        this.table = table;
        this.kept = kept;
        kept.forEach((name, room) -> machines.put(name, room.restored()));
    }

    /** The durable parts, for another process. */
    Map<RoomName, MemoryRoom> kept() {
        return kept;
    }

    private <T> T call(RoomName room, Function<RoomStateMachine, T> work) {
        return table.locked(() -> {
            RoomStateMachine machine = machines.computeIfAbsent(room, RoomStateMachine::new);
            T answer = work.apply(machine);
            kept.computeIfAbsent(room, _ -> new MemoryRoom()).keep(machine);
            return answer;
        });
    }

    private <I, O> List<O> call(RoomName room, List<I> items, Function<RoomStateMachine, List<O>> work) {
        return items.isEmpty() ? List.of() : call(room, work);
    }

    @Override
    public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
        return call(room, joins, machine -> machine.join(joins, now));
    }

    @Override
    public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests, Instant now) {
        return call(room, requests, machine -> machine.admit(requests, now));
    }

    @Override
    public List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now) {
        return call(room, renewals, machine -> machine.renew(renewals, now));
    }

    @Override
    public List<Boolean> move(RoomName room, List<MoveRequest> moves, Instant now) {
        return call(room, moves, machine -> machine.move(moves, now));
    }

    @Override
    public void depart(RoomName room, List<Departure> departures, Instant now) {
        call(room, departures, machine -> {
            machine.depart(departures, now);
            return departures;
        });
    }

    @Override
    public RoomState sync(RoomName room, GateReport report, Instant now) {
        return call(room, machine -> machine.sync(report, now));
    }

    @Override
    public Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now) {
        return call(room, machine -> machine.govern(step, now));
    }

    @Override
    public RoomState change(RoomName room, RoomChange change, Instant now) {
        return call(room, machine -> machine.change(change, now));
    }

    @Override
    public List<Boolean> replaceLeaves(RoomName room, List<NewLeaf> leaves, Instant now) {
        return call(room, leaves, machine -> machine.replaceLeaves(leaves, now));
    }

    @Override
    public byte[] leaves(RoomName room, long from, int most, Instant now) {
        return call(room, machine -> machine.leaves(from, most));
    }

    @Override
    public VisitorRecord find(RoomName room, VisitorId visitor, Instant now) {
        return call(room, machine -> machine.find(visitor, now));
    }

    @Override
    public PlaceUse use(RoomName room, long place, Instant now) {
        return call(room, machine -> machine.use(place, now));
    }

    @Override
    public PresentPlaces present(RoomName room, int line, int most, Instant now) {
        return call(room, machine -> machine.present(line, most, now));
    }

    @Override
    public List<RoomState> rooms(Instant now) {
        return table.locked(() -> List.copyOf(machines.keySet())).stream()
                .map(room -> call(room, machine -> machine.state(now))).toList();
    }
}
