package dev.orderly.store.postgres;

import static dev.orderly.store.postgres.Rooms.FAR;
import static dev.orderly.store.postgres.Rooms.NOW;
import static dev.orderly.store.postgres.Rooms.PASS;
import static dev.orderly.store.postgres.Rooms.PRESENT;
import static dev.orderly.store.postgres.Rooms.SALE;
import static dev.orderly.store.postgres.Rooms.admit;
import static dev.orderly.store.postgres.Rooms.entered;
import static dev.orderly.store.postgres.Rooms.govern;
import static dev.orderly.store.postgres.Rooms.joins;
import static dev.orderly.store.postgres.Rooms.line;
import static dev.orderly.store.postgres.Rooms.state;
import static dev.orderly.store.postgres.Rooms.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.Rooms.Guest;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several gates on one database at the same moment. */
@Tag("slow")
class ManyGatesTest {
    private static final int NODES = 3;
    private static final Duration PERIOD = Duration.ofSeconds(15);
    private static final int PATIENCE_SECONDS = 60;

    private final PostgresOptions options = Server.fresh();
    private final List<PostgresStore> nodes = new ArrayList<>();

    @BeforeEach
    void open() {
        for (int n = 0; n < NODES; n++) {
            nodes.add(PostgresStore.open(options, RandomGenerator.getDefault()));
        }
    }

    @AfterEach
    void close() {
        nodes.forEach(PostgresStore::close);
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    private RoomStore rooms(int node) {
        return nodes.get(node % NODES).rooms();
    }

    @Test
    void placesAreIssuedOnceAndConsecutivelyWithinACall() throws Exception {
        List<List<JoinResult>> answers = together(60,
                n -> rooms(n).join(SALE, joins(5, Duration.ZERO), NOW));
        assertThat(answers.stream().flatMap(List::stream).map(JoinResult::place))
                .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 300).boxed().toList());
        assertThat(answers).allSatisfy(
                answer -> assertThat(answer.getLast().place()).isEqualTo(answer.getFirst().place() + 4));
    }

    @Test
    void overAllGatesNoMoreVisitorsEnterThanCapacityAndRateAllow() throws Exception {
        Limits limits = new Limits(90, new Rate(60, PERIOD));
        List<Guest> guests = called(300);
        govern(rooms(0), limits, NOW);
        assertThat(askAll(guests, NOW)).isEqualTo(60);
        assertThat(askAll(guests, NOW.plus(PERIOD).minusMillis(1))).as("visitors inside").isEqualTo(60);
        assertThat(askAll(guests, NOW.plus(PERIOD))).as("and 30 more").isEqualTo(90);
        assertThat(state(rooms(1), NOW.plus(PERIOD)).load().active()).isEqualTo(90);
    }

    @Test
    void visitorsWhoJoinAtSeveralGatesEnterWithinTheLimits() throws Exception {
        sync(rooms(0), "gate", FAR, NOW);
        govern(rooms(0), new Limits(25, null), NOW);
        List<JoinResult> results = together(80, n -> rooms(n).join(SALE, joins(1, Duration.ZERO), NOW).getFirst());
        assertThat(results).filteredOn(JoinResult.Entered.class::isInstance).hasSize(25);
    }

    @Test
    void onlyOneOfSeveralConcurrentGovernorsGoverns() throws Exception {
        for (int round = 0; round < 5; round++) {
            Instant now = NOW.plusSeconds(3L * round);
            List<Optional<RoomState>> answers = together(4 * NODES,
                    n -> rooms(n).govern(SALE, Rooms.step("governor" + n, new Limits(n, null), now), now));
            assertThat(answers).filteredOn(Optional::isPresent).singleElement().satisfies(answer -> assertThat(
                    state(rooms(0), now).limits()).isEqualTo(answer.orElseThrow().limits()));
        }
    }

    @Test
    void aReportToOneGateIsKnownAtTheOthers() {
        List<Guest> guests = called(2);
        sync(rooms(0), "one", FAR, NOW, guests.getFirst());
        govern(rooms(1), new Limits(1, null), NOW);
        assertThat(admit(rooms(2), guests.subList(1, 2), AdmissionRequest.Kind.TAKEN, NOW))
                .containsExactly(new AdmissionResult.Waits(true, 1));
        rooms(1).depart(SALE, List.of(new Departure(guests.getLast().id(), 1, 0, NOW.plus(PASS))), NOW);
        assertThat(state(rooms(2), NOW).voided()).containsOnlyKeys(guests.getLast().id());
        rooms(2).depart(SALE, List.of(new Departure(guests.getFirst().id(), 1, 0, NOW.plus(PASS.dividedBy(2)))), NOW);
        assertThat(state(rooms(2), NOW).voided()).hasSize(2);
        assertThat(state(rooms(0), NOW.plus(PASS.dividedBy(2))).voided()).containsOnlyKeys(guests.getLast().id());
    }

    @Test
    void aNodesDeathLosesNothingOfTheRoom() {
        List<Guest> guests = called(2);
        sync(rooms(0), "one", FAR, NOW, guests.getFirst());
        RoomState before = govern(rooms(0), new Limits(5, new Rate(3, PERIOD)), NOW);
        nodes.removeFirst().close();
        nodes.add(PostgresStore.open(options, RandomGenerator.getDefault()));
        assertThat(state(rooms(NODES - 1), NOW)).isEqualTo(before);
        assertThat(entered(admit(rooms(NODES - 1), guests, AdmissionRequest.Kind.TAKEN, NOW))).isEqualTo(2);
    }

    @Test
    void aDeadGateDelaysNobodyForLong() {
        sync(rooms(0), "dead", 1, NOW);
        List<Guest> guests = line(rooms(1), SALE, 3);
        sync(rooms(0), "dead", 1, NOW, guests.getFirst());
        sync(rooms(1), "alive", FAR, NOW);
        nodes.getFirst().close();
        Instant now = NOW;
        for (int round = 1; round <= 10; round++) {
            now = now.plusSeconds(1);
            sync(rooms(1), "alive", FAR, now);
            assertThat(govern(rooms(1), new Limits(1, null), now).line().cursor()).isEqualTo(1);
        }
        assertThat(state(rooms(1), now).load().known()).as("visitors present at the dead gate").isZero();
        assertThat(govern(rooms(1), new Limits(1, null), now).line().cursor()).isEqualTo(3);
        assertThat(entered(admit(rooms(2), guests.subList(2, 3), AdmissionRequest.Kind.TAKEN, now))).isEqualTo(1);
    }

    @Test
    void concurrentCallsForSeveralRoomsInDifferentOrdersAllSucceed() throws Exception {
        List<RoomName> names = List.of(new RoomName("a"), new RoomName("b"), new RoomName("c"));
        List<Integer> sizes = together(60, n -> {
            int joined = 0;
            for (RoomName name : n % 2 == 0 ? names : names.reversed()) {
                joined += rooms(n).join(name, joins(2, Duration.ZERO), NOW).size();
            }
            return joined;
        });
        assertThat(sizes).containsOnly(6);
        assertThat(rooms(0).rooms(NOW)).hasSize(3).allSatisfy(
                state -> assertThat(state.line().length()).isEqualTo(120));
    }

    /** The counts that every call updates equal those of the tables, after any traffic in any order. */
    @Test
    void afterMuchTrafficTheCountsAreRight() throws Exception {
        sync(rooms(0), "gate", FAR, NOW);
        List<Guest> guests = called(200);
        govern(rooms(0), new Limits(60, new Rate(50, Duration.ofSeconds(1))), NOW);
        Instant last = NOW.plusSeconds(4);
        together(12, n -> {
            Random random = new Random(n);
            for (int round = 0; round < 25; round++) {
                some(rooms(n), random, guests, NOW.plusMillis(random.nextInt(4_000)));
            }
            return n;
        });
        RoomState state = sync(rooms(1), "gate", FAR, last);
        assertThat(state.load().active()).isEqualTo(counted("pass")).isBetween(1, 60);
        assertThat(state.load().known()).isEqualTo(counted("present")).isPositive();
        assertThat(state.load().door()).isEqualTo(counted("present WHERE place <= " + state.line().cursor()));
        assertThat(state.pace().admitted()).isEqualTo(Server.count("SELECT sum(number) FROM " + options.schema()
                + ".admission"));
        RoomState unlocked = state(rooms(2), last);
        assertThat(unlocked).isEqualTo(state);
    }

    private static void some(RoomStore rooms, Random random, List<Guest> guests, Instant now) {
        List<Guest> picked = IntStream.range(0, 5).mapToObj(_ -> guests.get(random.nextInt(guests.size()))).toList();
        switch (random.nextInt(6)) {
            case 0 -> rooms.join(SALE, joins(3, PRESENT.multipliedBy(2)), now);
            case 1 -> rooms.depart(SALE, picked.subList(0, 2).stream()
                    .map(guest -> new Departure(guest.id(), 1, guest.place(), now.plus(PASS))).toList(), now);
            case 2 -> rooms.renew(SALE, picked.stream().map(guest -> new RenewalRequest(guest.id(), 1, guest.place(),
                    now.plusSeconds(2 + random.nextInt(9)), random.nextBoolean())).toList(), now);
            case 3 -> sync(rooms, "gate" + random.nextInt(2), FAR, now, picked.toArray(Guest[]::new));
            default -> admit(rooms, picked,
                    random.nextBoolean() ? AdmissionRequest.Kind.UNTAKEN : AdmissionRequest.Kind.TAKEN, now);
        }
    }

    private int counted(String table) {
        return Math.toIntExact(Server.count("SELECT count(*) FROM " + options.schema() + "." + table));
    }

    /** Visitors with places who were called in a closed room. */
    private List<Guest> called(int visitors) {
        sync(rooms(0), "gate", FAR, NOW);
        List<Guest> guests = line(rooms(0), SALE, visitors);
        assertThat(govern(rooms(0), Limits.CLOSED, NOW).line().cursor()).isEqualTo(visitors);
        return guests;
    }

    /** Each visitor asks a gate at the same time; returns how many are inside. */
    private long askAll(List<Guest> guests, Instant now) throws Exception {
        return together(guests.size(),
                n -> entered(admit(rooms(n), List.of(guests.get(n)), AdmissionRequest.Kind.TAKEN, now))).stream()
                .mapToLong(Long::longValue).sum();
    }

    /** The n-th of several concurrent tasks. */
    @FunctionalInterface
    private interface Turn<T> {
        T take(int n) throws Exception;
    }

    /** Runs a task, and repeats it after a timeout of a slow server, since then nothing was done. */
    private static <T> T retried(Turn<T> turn, int n) throws Exception {
        Time time = Time.system();
        long deadline = time.deadline(Duration.ofSeconds(PATIENCE_SECONDS));
        while (true) {
            try {
                return turn.take(n);
            } catch (StoreException.Unavailable e) {
                assertThat(time.reached(deadline)).as(e.getMessage()).isFalse();
            }
        }
    }

    private static <T> List<T> together(int times, Turn<T> turn) throws Exception {
        List<T> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<T>> work = IntStream.range(0, times).<Callable<T>>mapToObj(n -> () -> retried(turn, n))
                    .toList();
            for (Future<T> answer : threads.invokeAll(work, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                answers.add(answer.get());
            }
        }
        return answers;
    }
}
