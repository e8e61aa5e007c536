package dev.orderly.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.store.AdmissionResult.Entered;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.store.redis.Gate.Person;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several gates on one Redis, at the same time. */
class ManyGatesTest {
    private static final int GATES = 4;
    private static final Duration LONG = Duration.ofHours(1);

    private final RedisOptions options = Server.fresh();
    private final List<RedisStore> opened = new ArrayList<>();
    private final List<Gate> gates = new ArrayList<>();

    @BeforeEach
    void open() {
        for (int n = 0; n < GATES; n++) {
            RedisStore redis = Server.open(options);
            opened.add(redis);
            gates.add(Gate.at("gate" + n, redis));
        }
    }

    @AfterEach
    void close() {
        opened.forEach(RedisStore::close);
        Server.clean(options);
    }

    /** Runs work for each gate on a thread of its own. */
    private static void together(IntConsumer work) {
        Stream<CompletableFuture<Void>> all = IntStream.range(0, GATES)
                .mapToObj(
                        n -> CompletableFuture.runAsync(() -> work.accept(n), task -> Thread.ofVirtual().start(task)));
        all.toList().forEach(CompletableFuture::join);
    }

    @Test
    void placesAreIssuedOnceAndInTheOrderOfTheAnswers() {
        Collection<Long> places = new ConcurrentLinkedQueue<>();
        together(n -> {
            long last = 0;
            for (int round = 0; round < 50; round++) {
                for (Person person : gates.get(n).join(20, Duration.ZERO, Gate.NOW)) {
                    assertThat(person.place()).isGreaterThan(last);
                    last = person.place();
                    places.add(last);
                }
            }
        });
        assertThat(places).containsExactlyInAnyOrderElementsOf(
                LongStream.rangeClosed(1, 50 * 20 * GATES).boxed().toList());
    }

    @Test
    void capacityIsNeverExceeded() {
        Limits limits = new Limits(30, null);
        List<List<Person>> line = line();
        gates.getFirst().govern(limits, 1_000, Gate.NOW);
        Collection<Entered> in = new ConcurrentLinkedQueue<>();
        together(n -> {
            for (Person person : line.get(n)) {
                enter(gates.get(n), List.of(person), Gate.NOW, in);
                assertThat(gates.get(n).covers(Gate.NOW).load().active()).isLessThanOrEqualTo(30);
            }
        });
        assertThat(in).hasSizeLessThanOrEqualTo(30);
        for (Gate gate : gates) {
            line.forEach(people -> enter(gate, people, Gate.NOW, in));
        }
        assertThat(gates.getFirst().covers(Gate.NOW).load().active()).isEqualTo(30);
    }

    @Test
    void theRateIsNotExceededInAnySpanOfItsPeriod() {
        Limits limits = new Limits(null, new Rate(10, Duration.ofSeconds(15)));
        List<List<Person>> line = line();
        List<Collection<Entered>> bySecond = new ArrayList<>();
        for (int second = 0; second < 40; second++) {
            Instant now = Gate.NOW.plusSeconds(second);
            gates.getFirst().govern(limits, 1_000, now);
            Collection<Entered> in = new ConcurrentLinkedQueue<>();
            together(n -> enter(gates.get(n), line.get(n), now, in));
            bySecond.add(in);
        }
        for (int from = 0; from < 40; from++) {
            int inside = 0;
            for (int second = from; second < Math.min(40, from + 15); second++) {
                inside += bySecond.get(second).size();
            }
            assertThat(inside).as("admissions from second %s on", from).isLessThanOrEqualTo(10);
        }
        assertThat(bySecond.stream().mapToInt(Collection::size).sum()).isGreaterThanOrEqualTo(20);
    }

    @Test
    void oneGovernorHoldsTheLeaseAtATime() {
        Collection<String> holders = new ConcurrentLinkedQueue<>();
        together(n -> {
            var step = new GovernorStep(new GateId("governor" + n),
                    Gate.NOW.plusSeconds(3), Limits.NONE, SlowdownReason.NO, 1, 0, Instant.EPOCH);
            for (int round = 0; round < 20; round++) {
                gates.get(n).rooms().govern(Gate.SALE, step, Gate.NOW).ifPresent(_ -> holders.add("governor" + n));
            }
        });
        assertThat(holders).hasSize(20).containsOnly(holders.iterator().next());
    }

    /** Fifty visitors of each gate, all present. */
    private List<List<Person>> line() {
        gates.forEach(gate -> gate.covers(Gate.NOW));
        gates.getFirst().govern(Limits.CLOSED, 0, Gate.NOW);
        return gates.stream().map(gate -> gate.join(50, LONG, Gate.NOW)).toList();
    }

    /** All ask; collects the visitors who were not inside before. */
    private static void enter(Gate gate, List<Person> people, Instant now, Collection<Entered> in) {
        gate.admit(people, now).stream().filter(Entered.class::isInstance).map(Entered.class::cast)
                .filter(entered -> entered.until().equals(now.plus(Duration.ofMinutes(5)))).forEach(in::add);
    }
}
