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

    /** One process owns the file: a gate that does not reach it knows that no other gate does. */
    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public List<JoinResult> join(List<Join> joins, Instant now) {
        List<Join> batch = List.copyOf(joins);
        return ask(Kind.SHARED, batch.size(), now, rooms -> rooms.join(batch, now));
    }

    @Override
    public List<ClaimResult> claim(List<Claim> claims, Instant now) {
        List<Claim> batch = List.copyOf(claims);
        return ask(Kind.SHARED, batch.size(), now, rooms -> rooms.claim(batch, now));
    }

    @Override
    public List<Boolean> renew(List<Renewal> renewals, Instant now) {
        List<Renewal> batch = List.copyOf(renewals);
        return ask(Kind.SHARED, batch.size(), now, rooms -> rooms.renew(batch, now));
    }

    @Override
    public void depart(List<Departure> departures, Instant now) {
        List<Departure> batch = List.copyOf(departures);
        ask(Kind.SHARED, batch.size(), now, rooms -> {
            rooms.depart(batch, now);
            return batch;
        });
    }

    @Override
    public RoomState sync(GateReport report, Instant now) {
        return ask(Kind.LIGHT, 1 + report.presences().size(), now, rooms -> rooms.sync(report, now));
    }

    /** Shares a transaction, which writes nothing unless something durable changed. */
    @Override
    public Optional<RoomState> govern(Governance step, Instant now) {
        return ask(Kind.SHARED, 1, now, rooms -> rooms.governAndForget(step, now));
    }

    @Override
    public RoomState change(RoomName room, RoomChange change, Instant now) {
        return ask(Kind.SHARED, 1, now, rooms -> rooms.change(room, change, now));
    }

    @Override
    public List<RoomState> rooms(Instant now) {
        return ask(Kind.LIGHT, 1, now, rooms -> rooms.rooms(now));
    }
}
