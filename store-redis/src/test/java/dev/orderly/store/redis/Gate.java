package dev.orderly.store.redis;

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
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Short forms of the calls of a gate to the store. Thread-safe. */
record Gate(String name, RoomStore rooms, RandomGenerator random) {
    static final RoomName SALE = new RoomName("sale");
    static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration PASS = Duration.ofMinutes(5);
    private static final long FAR = 1_000_000_000;

    /** A visitor in line. */
    record Person(VisitorId id, long place) {}

    static Gate at(String name, RedisStore redis) {
        return new Gate(name, redis.rooms(), new Random());
    }

    /** Reports that this gate covers the whole line and has no further present visitors. */
    RoomState covers(Instant now) {
        return rooms.sync(SALE, new GateReport(new GateId(name), 1, FAR, List.of()), now);
    }

    RoomState govern(Limits limits, int door, Instant now) {
        return rooms
                .govern(SALE,
                        new GovernorStep(new GateId("governor"), now.plusSeconds(3), limits, SlowdownReason.NO, door,
                                FAR,
                                now.minus(Duration.ofHours(24))),
                        now)
                .orElseThrow();
    }

    /** @param present time for which the visitors count as present without a further report */
    List<Person> join(int visitors, Duration present, Instant now) {
        List<JoinRequest> joins = Stream
                .generate(() -> new JoinRequest(VisitorId.random(random), now.plus(present), now.plus(PASS)))
                .limit(visitors).toList();
        List<JoinResult> results = rooms.join(SALE, joins, now);
        return Stream.iterate(0, n -> n < visitors, n -> n + 1)
                .map(n -> new Person(joins.get(n).visitor(), results.get(n).place())).toList();
    }

    long join(Instant now) {
        return join(1, Duration.ZERO, now).getFirst().place();
    }

    List<AdmissionResult> admit(List<Person> people, Instant now) {
        return rooms.admit(SALE, people.stream().map(person -> new AdmissionRequest(person.id(), 1, person.place(),
                now.plusSeconds(3), now.plus(PASS), AdmissionRequest.Kind.TAKEN)).toList(), now);
    }
}
