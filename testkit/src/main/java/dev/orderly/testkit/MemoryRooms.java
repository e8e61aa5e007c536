package dev.orderly.testkit;

import dev.orderly.room.Claim;
import dev.orderly.room.ClaimResult;
import dev.orderly.room.Departure;
import dev.orderly.room.GateReport;
import dev.orderly.room.Governance;
import dev.orderly.room.Join;
import dev.orderly.room.JoinResult;
import dev.orderly.room.Renewal;
import dev.orderly.room.RoomBook;
import dev.orderly.room.RoomBooks;
import dev.orderly.room.RoomChange;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomStore;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The rooms port of a {@link MemoryStore}: books, and beside them what of each would be durable. */
final class MemoryRooms implements RoomStore {
    private final MemoryTable table;
    private final Map<RoomName, MemoryRoom> kept;
    private final Books books = new Books();

    /** Rooms as another process left them. */
    MemoryRooms(MemoryTable table, Map<RoomName, MemoryRoom> kept) {
        this.table = table;
        this.kept = kept;
        kept.forEach((name, room) -> books.byName.put(name, room.book()));
    }

    private static final class Books extends RoomBooks {
        private final Map<RoomName, RoomBook> byName = new TreeMap<>();

        @Override
        protected RoomBook book(RoomName room) {
            return byName.computeIfAbsent(room, RoomBook::new);
        }

        @Override
        protected Collection<RoomBook> all() {
            return byName.values();
        }
    }

    /** What another process would find. */
    Map<RoomName, MemoryRoom> kept() {
        return kept;
    }

    private <T> T call(Function<RoomBooks, T> work) {
        return table.locked(() -> {
            T answer = work.apply(books);
            books.byName.forEach((name, book) -> kept.computeIfAbsent(name, _ -> new MemoryRoom()).keep(book));
            return answer;
        });
    }

    @Override
    public List<JoinResult> join(List<Join> joins, Instant now) {
        return call(rooms -> rooms.join(joins, now));
    }

    @Override
    public List<ClaimResult> claim(List<Claim> claims, Instant now) {
        return call(rooms -> rooms.claim(claims, now));
    }

    @Override
    public List<Boolean> renew(List<Renewal> renewals, Instant now) {
        return call(rooms -> rooms.renew(renewals, now));
    }

    @Override
    public void depart(List<Departure> departures, Instant now) {
        call(rooms -> {
            rooms.depart(departures, now);
            return departures;
        });
    }

    @Override
    public RoomState sync(GateReport report, Instant now) {
        return call(rooms -> rooms.sync(report, now));
    }

    @Override
    public Optional<RoomState> govern(Governance step, Instant now) {
        return call(rooms -> rooms.govern(step, now));
    }

    @Override
    public RoomState change(RoomName room, RoomChange change, Instant now) {
        return call(rooms -> rooms.change(room, change, now));
    }

    @Override
    public List<RoomState> rooms(Instant now) {
        return call(rooms -> rooms.rooms(now));
    }
}
