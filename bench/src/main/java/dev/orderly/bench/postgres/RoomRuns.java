package dev.orderly.bench.postgres;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomStore;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** The port of rooms, called in parallel by gates with calls of a busy gate's size. */
final class RoomRuns {
    private static final RoomName SALE = new RoomName("sale");
    private static final int WAITING = 100_000;
    private static final int CALL = 256;
    private static final int CALLS = 100;
    private static final int SYNCS = 100;
    private static final Duration PRESENT = Duration.ofMinutes(30);
    private static final Duration PASS = Duration.ofMinutes(30);
    private static final long FAR = 10_000_000;

    private final Time time;
    private final List<Gate> gates;
    private final AtomicLong numbers = new AtomicLong();
    private final List<List<Guest>> waiting = new ArrayList<>();

    RoomRuns(Time time, List<Gate> gates) {
        this.time = time;
        this.gates = gates;
        gates.forEach(gate -> sync(gate, List.of()));
        govern(Limits.CLOSED, 0);
    }

    /** One of the gates that share the store. */
    record Gate(int number, RoomStore rooms) {
        GateId id() {
            return new GateId("gate" + number);
        }
    }

    private record Guest(VisitorId id, long place) {}

    /** Joins a second until 100,000 visitors wait, all present. */
    double fill() throws Exception {
        long start = time.nanos();
        for (List<Guest> line : sideBySide(gate -> joined(gate, WAITING / gates.size() / CALL))) {
            waiting.add(line);
        }
        return waiting.stream().mapToInt(List::size).sum() * 1e9 / (time.nanos() - start);
    }

    /** Joins a second behind all waiting visitors. */
    double join() throws Exception {
        long start = time.nanos();
        sideBySide(gate -> joined(gate, CALLS / gates.size()));
        return CALLS / gates.size() * gates.size() * CALL * 1e9 / (time.nanos() - start);
    }

    /** Milliseconds of a report that 256 visitors are still present, sorted. */
    double[] syncs() {
        double[] millis = new double[SYNCS];
        for (int n = 0; n < SYNCS; n++) {
            Gate gate = gates.get(n % gates.size());
            List<Presence> present = IntStream.range(n * CALL, n * CALL + CALL)
                    .mapToObj(place -> new Presence(place + 1, until(PRESENT))).toList();
            long start = time.nanos();
            sync(gate, present);
            millis[n] = (time.nanos() - start) / 1e6;
        }
        Arrays.sort(millis);
        return millis;
    }

    /** Claims a second of admitted visitors. */
    double claim() throws Exception {
        gates.forEach(gate -> sync(gate, List.of()));
        govern(Limits.NONE, WAITING);
        long start = time.nanos();
        int claims = sideBySide(this::claimed).stream().mapToInt(Integer::intValue).sum();
        return claims * 1e9 / (time.nanos() - start);
    }

    private List<Guest> joined(Gate gate, int calls) {
        List<Guest> guests = new ArrayList<>();
        for (int call = 0; call < calls; call++) {
            List<JoinRequest> joins = IntStream.range(0, CALL)
                    .mapToObj(_ -> new JoinRequest(new VisitorId(numbers.incrementAndGet(), 7), until(PRESENT),
                            until(PASS)))
                    .toList();
            List<JoinResult> results = gate.rooms().join(SALE, joins, time.now());
            for (int n = 0; n < CALL; n++) {
                guests.add(new Guest(joins.get(n).visitor(), results.get(n).place()));
            }
        }
        return guests;
    }

    private int claimed(Gate gate) {
        List<Guest> line = waiting.get(gate.number());
        int claims = Math.min(CALLS * CALL / gates.size(), line.size()) / CALL * CALL;
        for (int from = 0; from < claims; from += CALL) {
            List<AdmissionRequest> asked = line.subList(from, from + CALL).stream()
                    .map(guest -> new AdmissionRequest(guest.id(), 1,
                            guest.place(), until(PRESENT), until(PASS), AdmissionRequest.Kind.TAKEN))
                    .toList();
            for (AdmissionResult result : gate.rooms().admit(SALE, asked, time.now())) {
                if (!(result instanceof AdmissionResult.Entered)) {
                    throw new IllegalStateException("A visitor who may enter was answered " + result);
                }
            }
        }
        return claims;
    }

    private void sync(Gate gate, List<Presence> present) {
        gate.rooms().sync(SALE, new GateReport(gate.id(), 1, FAR, present), time.now());
    }

    private void govern(Limits limits, int door) {
        Instant now = time.now();
        gates.getFirst().rooms().govern(SALE, new GovernorStep(gates.getFirst().id(), now.plusSeconds(3), limits,
                SlowdownReason.NO, door, FAR, now.minus(Duration.ofHours(24))), now);
    }

    private Instant until(Duration span) {
        return time.now().plus(span);
    }

    @FunctionalInterface
    private interface Work<T> {
        T at(Gate gate) throws Exception;
    }

    private <T> List<T> sideBySide(Work<T> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> all = gates.stream().map(gate -> threads.submit(() -> work.at(gate))).toList();
            List<T> results = new ArrayList<>();
            for (Future<T> one : all) {
                results.add(one.get());
            }
            return results;
        }
    }
}
