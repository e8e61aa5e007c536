package dev.orderly.store.sqlite.port;

import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.state.RoomStateMachine;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.sqlite.state.RoomRegistry;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.WriteRequest;
import dev.orderly.store.sqlite.writer.WriteRequest.Kind;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rooms port: each call is a request to the writer. */
public final class SqliteRooms implements RoomStore {
    private final RequestQueue mailbox;

    public SqliteRooms(RequestQueue mailbox) {
        this.mailbox = mailbox;
    }

    /** What is asked of the books. */
    @FunctionalInterface
    public interface Question<T> {
        T ask(RoomRegistry rooms) throws SQLException;
    }

    /** A question that changes the books with the transaction: {@link RoomRegistry} takes that back if it fails. */
    public static <T> WriteRequest<T> shared(int visitors, Question<T> question) {
        return WriteRequest.shared(visitors, WriteRequest.work(desk -> answer(desk, question)));
    }

    /** A question that changes nothing that is kept. */
    public static <T> WriteRequest<T> inMemory(int visitors, Question<T> question) {
        return WriteRequest.inMemory(visitors, desk -> answer(desk, question));
    }

    private static <T> T answer(WriterState desk, Question<T> question) throws SQLException {
        try {
            return question.ask(desk.rooms);
        } catch (RoomRegistry.Unread e) {
            throw e.reason();
        }
    }

    private <T> T ask(Kind kind, int visitors, Instant now, Question<T> question) {
        Question<T> seen = rooms -> {
            rooms.sees(now);
            return question.ask(rooms);
        };
        return mailbox.ask(kind == Kind.SHARED ? shared(visitors, seen) : inMemory(visitors, seen));
    }

    /** A batch of visitors. */
    private <I, O> List<O> ask(RoomName room, List<I> batch, Instant now, Batch<I, O> work) {
        List<I> items = List.copyOf(batch);
        return items.isEmpty()
                ? List.of()
                : ask(Kind.SHARED, items.size(), now, rooms -> work.on(rooms.of(room), items, now));
    }

    /** What a batch asks of its room. */
    @FunctionalInterface
    private interface Batch<I, O> {
        List<O> on(RoomStateMachine room, List<I> items, Instant now);
    }

    /** One process owns the file: a gate that does not reach it knows that no other gate does. */
    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
        return ask(room, joins, now, RoomStateMachine::join);
    }

    @Override
    public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> claims, Instant now) {
        return ask(room, claims, now, RoomStateMachine::admit);
    }

    @Override
    public List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now) {
        return ask(room, renewals, now, RoomStateMachine::renew);
    }

    @Override
    public void depart(RoomName room, List<Departure> departures, Instant now) {
        ask(room, departures, now, (machine, batch, at) -> {
            machine.depart(batch, at);
            return batch;
        });
    }

    @Override
    public RoomState sync(RoomName room, GateReport report, Instant now) {
        return ask(Kind.IN_MEMORY, 1 + report.presences().size(), now, rooms -> rooms.of(room).sync(report, now));
    }

    /** Shares a transaction, which writes nothing unless something durable changed. */
    @Override
    public Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now) {
        return ask(Kind.SHARED, 1, now, rooms -> rooms.governAndForget(room, step, now));
    }

    @Override
    public RoomState change(RoomName room, RoomChange change, Instant now) {
        return ask(Kind.SHARED, 1, now, rooms -> rooms.of(room).change(change, now));
    }

    @Override
    public List<RoomState> rooms(Instant now) {
        return ask(Kind.IN_MEMORY, 1, now, rooms -> rooms.states(now));
    }
}
