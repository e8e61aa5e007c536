package dev.orderly.store.postgres;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Short forms of the calls to a store in tests of rooms. */
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

    static List<JoinRequest> joins(int visitors, Duration present) {
        return IntStream.range(0, visitors)
                .mapToObj(_ -> new JoinRequest(new VisitorId(NUMBERS.incrementAndGet(), 7), NOW.plus(present),
                        NOW.plus(PASS)))
                .toList();
    }

    /** Takes places in one call. */
    static List<Guest> line(RoomStore rooms, RoomName room, int visitors) {
        List<JoinRequest> joins = joins(visitors, Duration.ZERO);
        List<JoinResult> results = rooms.join(room, joins, NOW);
        List<Guest> guests = new ArrayList<>();
        for (int n = 0; n < visitors; n++) {
            guests.add(new Guest(joins.get(n).visitor(), results.get(n).place()));
        }
        return guests;
    }

    static List<AdmissionResult> admit(RoomStore rooms, List<Guest> guests, AdmissionRequest.Kind kind, Instant now) {
        return rooms.admit(SALE, guests.stream().map(guest -> new AdmissionRequest(guest.id(), 1, guest.place(),
                now.plus(PRESENT), now.plus(PASS), kind)).toList(), now);
    }

    static long entered(List<AdmissionResult> results) {
        return results.stream().filter(AdmissionResult.Entered.class::isInstance).count();
    }

    static RoomState sync(RoomStore rooms, String gate, long covered, Instant now, Guest... present) {
        return rooms.sync(SALE, new GateReport(new GateId(gate), 1, covered, Arrays.stream(present)
                .map(guest -> new GateReport.Presence(guest.place(), now.plus(PRESENT))).toList()), now);
    }

    static GovernorStep step(String governor, Limits limits, Instant now) {
        return new GovernorStep(new GateId(governor), now.plusSeconds(3), limits, SlowdownReason.NO, 1_000, FAR,
                now.minus(Duration.ofHours(24)));
    }

    static RoomState govern(RoomStore rooms, Limits limits, Instant now) {
        return rooms.govern(SALE, step("governor", limits, now), now).orElseThrow();
    }

    static RoomState state(RoomStore rooms, Instant now) {
        return rooms.rooms(now).stream().filter(state -> state.room().equals(SALE)).findFirst().orElseThrow();
    }
}
