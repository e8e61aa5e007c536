package dev.orderly.store.sqlite.port;

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
import dev.orderly.store.sqlite.state.RoomRegistry;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.WriteRequest;
import dev.orderly.store.sqlite.writer.WriteRequest.Kind;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The port of rooms: each call is a request to the writer. */
public final class SqliteRooms implements RoomStore {
    private final RequestQueue requests;

    public SqliteRooms(RequestQueue requests) {
        this.requests = requests;
    }

    /** Work on the rooms. */
    @FunctionalInterface
    public interface Question<T> {
        T ask(RoomRegistry rooms) throws SQLException;
    }

    /** Work that changes rooms with the transaction: {@link RoomRegistry} undoes the changes if it fails. */
    public static <T> WriteRequest<T> shared(int visitors, Question<T> question) {
        return WriteRequest.shared(visitors, WriteRequest.work(state -> answer(state, question)));
    }

    /** Work that changes nothing durable. */
    public static <T> WriteRequest<T> inMemory(int visitors, Question<T> question) {
        return WriteRequest.inMemory(visitors, state -> answer(state, question));
    }

    private static <T> T answer(WriterState state, Question<T> question) throws SQLException {
        try {
            return question.ask(state.rooms);
        } catch (RoomRegistry.ReadFailureException e) {
            throw e.reason();
        }
    }

    private <T> T ask(Kind kind, int visitors, Instant now, Question<T> question) {
        Question<T> observed = rooms -> {
            rooms.observe(now);
            return question.ask(rooms);
        };
        return requests.ask(kind == Kind.SHARED ? shared(visitors, observed) : inMemory(visitors, observed));
    }

    /** Requests what a call asks for its visitors. */
    private <I, O> List<O> ask(RoomName room, List<I> asked, Instant now, RoomWork<I, O> work) {
        List<I> items = List.copyOf(asked);
        return items.isEmpty()
                ? List.of()
                : ask(Kind.SHARED, items.size(), now, rooms -> work.on(rooms.of(room), items, now));
    }

    /** Work of a call on its room. */
    @FunctionalInterface
    private interface RoomWork<I, O> {
        List<O> on(RoomStateMachine room, List<I> items, Instant now);
    }

    /** False: one process owns the file, so no other gate can reach it either. */
    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
        return ask(room, joins, now, RoomStateMachine::join);
    }

    @Override
    public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests, Instant now) {
        return ask(room, requests, now, RoomStateMachine::admit);
    }

    @Override
    public List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now) {
        return ask(room, renewals, now, RoomStateMachine::renew);
    }

    @Override
    public List<Boolean> move(RoomName room, List<MoveRequest> moves, Instant now) {
        return ask(room, moves, now, RoomStateMachine::move);
    }

    @Override
    public void depart(RoomName room, List<Departure> departures, Instant now) {
        ask(room, departures, now, (machine, asked, at) -> {
            machine.depart(asked, at);
            return asked;
        });
    }

    @Override
    public RoomState sync(RoomName room, GateReport report, Instant now) {
        return ask(Kind.IN_MEMORY, 1 + report.presences().size(), now, rooms -> rooms.of(room).sync(report, now));
    }

    /** Runs in a shared transaction, which writes nothing unless durable state changed. */
    @Override
    public Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now) {
        return ask(Kind.SHARED, 1, now, rooms -> rooms.governAndPrune(room, step, now));
    }

    @Override
    public RoomState change(RoomName room, RoomChange change, Instant now) {
        return ask(Kind.SHARED, 1, now, rooms -> rooms.of(room).change(change, now));
    }

    @Override
    public List<Boolean> replaceLeaves(RoomName room, List<NewLeaf> leaves, Instant now) {
        return ask(room, leaves, now, RoomStateMachine::replaceLeaves);
    }

    @Override
    public byte[] leaves(RoomName room, long from, int most, Instant now) {
        return ask(Kind.IN_MEMORY, 1, now, rooms -> rooms.of(room).leaves(from, most));
    }

    @Override
    public VisitorRecord find(RoomName room, VisitorId visitor, Instant now) {
        return ask(Kind.IN_MEMORY, 1, now, rooms -> rooms.of(room).find(visitor, now));
    }

    @Override
    public PlaceUse use(RoomName room, long place, Instant now) {
        return ask(Kind.IN_MEMORY, 1, now, rooms -> rooms.of(room).use(place, now));
    }

    @Override
    public PresentPlaces present(RoomName room, int line, int most, Instant now) {
        return ask(Kind.IN_MEMORY, 1, now, rooms -> rooms.of(room).present(line, most, now));
    }

    @Override
    public List<RoomState> rooms(Instant now) {
        return ask(Kind.IN_MEMORY, 1, now, rooms -> rooms.states(now));
    }
}
