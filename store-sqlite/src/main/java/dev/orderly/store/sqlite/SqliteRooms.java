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
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rooms port: each call is a request to the writer. */
final class SqliteRooms implements RoomStore {
    private final Mailbox mailbox;

    SqliteRooms(Mailbox mailbox) {
        this.mailbox = mailbox;
    }

    private <T> T ask(Kind kind, int weight, Instant now, AskRooms.Work<T> work) {
        return mailbox.ask(new AskRooms<>(kind, weight, rooms -> {
            rooms.sees(now);
            return work.on(rooms);
        }), Mailbox.PATIENCE);
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
        return ask(Kind.LIGHT, 1 + report.presences().size(), now, rooms -> rooms.of(room).sync(report, now));
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
        return ask(Kind.LIGHT, 1, now, rooms -> rooms.states(now));
    }
}
