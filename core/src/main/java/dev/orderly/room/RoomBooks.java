package dev.orderly.room;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The calls of {@link RoomStore} over the books of all rooms. Changes the books and nothing else: the owner makes durable
 * what they {@link RoomBook#drain} before it gives the answers. Not thread-safe.
 */
public abstract class RoomBooks {
    /** The book of a room; a new one if the room does not exist. */
    protected abstract RoomBook book(RoomName room);

    /** The books of all rooms that exist, in any order. */
    protected abstract Collection<RoomBook> all();

    public final List<JoinResult> join(List<Join> joins, Instant now) {
        return joins.stream().map(join -> book(join.room()).join(join, now)).toList();
    }

    public final List<ClaimResult> claim(List<Claim> claims, Instant now) {
        Map<RoomName, List<Integer>> byRoom = new LinkedHashMap<>();
        for (int n = 0; n < claims.size(); n++) {
            byRoom.computeIfAbsent(claims.get(n).room(), _ -> new ArrayList<>()).add(n);
        }
        ClaimResult[] results = new ClaimResult[claims.size()];
        byRoom.forEach((room, numbers) -> {
            List<ClaimResult> answers = book(room).claim(numbers.stream().map(claims::get).toList(), now);
            for (int n = 0; n < answers.size(); n++) {
                results[numbers.get(n)] = answers.get(n);
            }
        });
        return List.of(results);
    }

    public final List<Boolean> renew(List<Renewal> renewals, Instant now) {
        return renewals.stream().map(renewal -> book(renewal.room()).renew(renewal, now)).toList();
    }

    public final void depart(List<Departure> departures, Instant now) {
        departures.forEach(departure -> book(departure.room()).depart(departure, now));
    }

    public final RoomState sync(GateReport report, Instant now) {
        return book(report.room()).sync(report, now);
    }

    public final Optional<RoomState> govern(Governance step, Instant now) {
        RoomBook book = book(step.room());
        return book.govern(step, now) ? Optional.of(book.state(now)) : Optional.empty();
    }

    public final RoomState change(RoomName room, RoomChange change, Instant now) {
        RoomBook book = book(room);
        book.change(change);
        return book.state(now);
    }

    public final List<RoomState> rooms(Instant now) {
        return all().stream().sorted(Comparator.comparing(RoomBook::name)).map(book -> book.state(now)).toList();
    }
}
