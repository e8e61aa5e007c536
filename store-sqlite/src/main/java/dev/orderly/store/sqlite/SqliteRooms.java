package dev.orderly.store.sqlite;

import dev.orderly.room.Claim;
import dev.orderly.room.ClaimResult;
import dev.orderly.room.Departure;
import dev.orderly.room.GateReport;
import dev.orderly.room.Governance;
import dev.orderly.room.Join;
import dev.orderly.room.JoinResult;
import dev.orderly.room.Renewal;
import dev.orderly.room.RoomChange;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomStateMachine;
import dev.orderly.room.RoomStore;
import dev.orderly.store.sqlite.Request.Kind;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rooms port: each call is a request to the writer. */
final class SqliteRooms implements RoomStore {
    private final Mailbox mailbox;

    SqliteRooms(Mailbox mailbox) {
        this.mailbox = mailbox;
    }

    /** What is asked of the books. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Rooms rooms) throws SQLException;
    }

    /** A question that changes the books with the transaction: {@link Rooms} takes that back if it fails. */
    static <T> Request<T> shared(int visitors, Question<T> question) {
        return Request.shared(visitors, Request.work(desk -> answer(desk, question)));
    }

    /** A question that changes nothing that is kept. */
    static <T> Request<T> inMemory(int visitors, Question<T> question) {
        return Request.inMemory(visitors, desk -> answer(desk, question));
    }

    private static <T> T answer(Desk desk, Question<T> question) throws SQLException {
        try {
            return question.ask(desk.rooms);
        } catch (Rooms.Unread e) {
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
    public List<JoinResult> join(RoomName room, List<Join> joins, Instant now) {
        return ask(room, joins, now, RoomStateMachine::join);
    }

    @Override
    public List<ClaimResult> claim(RoomName room, List<Claim> claims, Instant now) {
        return ask(room, claims, now, RoomStateMachine::claim);
    }

    @Override
    public List<Boolean> renew(RoomName room, List<Renewal> renewals, Instant now) {
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
    public Optional<RoomState> govern(RoomName room, Governance step, Instant now) {
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
