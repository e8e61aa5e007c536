package dev.orderly.store.postgres;

import dev.orderly.room.Claim;
import dev.orderly.room.ClaimResult;
import dev.orderly.room.GateId;
import dev.orderly.room.GateReport;
import dev.orderly.room.Governance;
import dev.orderly.room.Join;
import dev.orderly.room.JoinResult;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomStore;
import dev.orderly.room.Slowed;
import dev.orderly.room.VisitorId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** What tests of rooms say to a store. */
final class Rooms {
    static final RoomName SALE = new RoomName("sale");
    static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    static final Duration PASS = Duration.ofMinutes(5);
    static final Duration PRESENT = Duration.ofSeconds(3);
    static final long FAR = 1_000_000;

    private static final AtomicLong NUMBERS = new AtomicLong();

    private Rooms() {}

    /** A visitor with a ticket. */
    record Guest(VisitorId id, long place) {}

    static List<Join> joins(int visitors, Duration present) {
        return IntStream.range(0, visitors)
                .mapToObj(_ -> new Join(new VisitorId(NUMBERS.incrementAndGet(), 7), NOW.plus(present), NOW.plus(PASS)))
                .toList();
    }

    /** Takes places in one call. */
    static List<Guest> line(RoomStore rooms, RoomName room, int visitors) {
        List<Join> joins = joins(visitors, Duration.ZERO);
        List<JoinResult> results = rooms.join(room, joins, NOW);
        List<Guest> guests = new ArrayList<>();
        for (int n = 0; n < visitors; n++) {
            guests.add(new Guest(joins.get(n).visitor(), results.get(n).place()));
        }
        return guests;
    }

    static List<ClaimResult> claim(RoomStore rooms, List<Guest> guests, Claim.Kind kind, Instant now) {
        return rooms.claim(SALE, guests.stream().map(guest -> new Claim(guest.id(), 1, guest.place(),
                now.plus(PRESENT), now.plus(PASS), kind)).toList(), now);
    }

    static long entered(List<ClaimResult> results) {
        return results.stream().filter(ClaimResult.Entered.class::isInstance).count();
    }

    static RoomState sync(RoomStore rooms, String gate, long covered, Instant now, Guest... present) {
        return rooms.sync(SALE, new GateReport(new GateId(gate), 1, covered, Arrays.stream(present)
                .map(guest -> new GateReport.Presence(guest.place(), now.plus(PRESENT))).toList()), now);
    }

    static Governance step(String governor, Limits limits, Instant now) {
        return new Governance(new GateId(governor), now.plusSeconds(3), limits, Slowed.NO, 1_000, FAR,
                now.minus(Duration.ofHours(24)));
    }

    static RoomState govern(RoomStore rooms, Limits limits, Instant now) {
        return rooms.govern(SALE, step("governor", limits, now), now).orElseThrow();
    }

    static RoomState state(RoomStore rooms, Instant now) {
        return rooms.rooms(now).stream().filter(state -> state.room().equals(SALE)).findFirst().orElseThrow();
    }
}
