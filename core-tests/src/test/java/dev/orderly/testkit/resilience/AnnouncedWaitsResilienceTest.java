package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.testkit.sim.Manner.Staying;
import dev.orderly.testkit.sim.Manner.Waiting;
import dev.orderly.testkit.sim.Network;
import dev.orderly.testkit.sim.Network.Routing;
import dev.orderly.testkit.sim.Report;
import dev.orderly.testkit.sim.RoomSimulation;
import dev.orderly.testkit.sim.Scenario;
import dev.orderly.testkit.sim.WaitCrowd;
import dev.orderly.testkit.sim.WaitCrowd.Bottleneck;
import dev.orderly.testkit.sim.Waits;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forecasts for waiting visitors, and the use of a small capacity, in crowds with arbitrary behaviour. */
@Tag("slow")
class AnnouncedWaitsResilienceTest {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncedWaitsResilienceTest.class);
    private static final long SEED = 101;
    private static final Tiers TIERS = new Tiers(List.of(new Tier("members", "tier=gold", 20),
            new Tier("press", "press=yes", 5)));
    /** Prime to the numbers of stays, shares and distributions, so that the sample has all of them. */
    private static final int SAMPLE = 5;
    /** 0: the sample; otherwise every crowd with so many seeds, each printed. */
    private static final int SEEDS = Integer.getInteger("orderly.waits", 0);

    /** The forecasts in one crowd. */
    private record CrowdWaits(WaitCrowd crowd, Waits waits) {
        boolean isKept() {
            return waits.inside() >= 0.8;
        }

        boolean isNarrow() {
            return waits.width() <= 0.6;
        }
    }

    @Test
    void inNineOfTenCrowdsMostWaitsAreInsideTheFirstRange() {
        List<WaitCrowd> all = WaitCrowd.all();
        List<CrowdWaits> told = IntStream.range(0, all.size()).filter(n -> SEEDS > 0 || n % SAMPLE == 0)
                .mapToObj(all::get)
                .flatMap(crowd -> LongStream.range(SEED, SEED + Math.max(1, SEEDS))
                        .mapToObj(seed -> new CrowdWaits(crowd,
                                RoomSimulation.run(crowd.scenario(seed, Waiting.MIXED)).waits())))
                .toList();
        told.forEach(each -> LOG.info("{}: {}", each.crowd, each.waits));
        assertThat(told).allMatch(each -> each.waits.visitors() > 200);
        assertThat(share(told, CrowdWaits::isKept)).as("crowds in which four of five waits were inside the range")
                .isGreaterThan(0.9);
        assertThat(share(told, each -> each.isKept() && each.isNarrow()))
                .as("crowds in which half of the ranges were at most 60 % of the wait").isGreaterThan(0.75);
        assertThat(told.stream().mapToDouble(each -> each.waits.inside()).average().orElseThrow())
                .as("waits inside the range, over all crowds").isGreaterThan(0.9);
        // A visitor who is called before stays are known, and then held, is told nothing more before the turn.
        assertThat(told).as("visitors who enter without a forecast")
                .allMatch(each -> each.waits.untold() <= 0.12);
        assertThat(told.stream().mapToInt(each -> each.waits.raised()).sum())
                .as("ranges that end later than before without a reason")
                .isLessThanOrEqualTo(told.size() / 10);
    }

    /** A visitor is told one story, whichever gate answers. */
    @ParameterizedTest
    @CsvSource({"3, ROUND_ROBIN, POLLS", "2, ROUND_ROBIN, POLLS", "3, ROUND_ROBIN, EVENTS", "3, HASH, POLLS"})
    void severalGatesKnowTheSameVisitors(int gates, Routing routing, Waiting waiting) {
        for (WaitCrowd crowd : List.of(new WaitCrowd(Bottleneck.RATE, 6, Staying.EVEN, true, 0.5),
                new WaitCrowd(Bottleneck.CAPACITY, 6, Staying.EXPONENTIAL, true, 0))) {
            Report report = RoomSimulation.run(crowd.scenario(SEED, waiting).withGates(gates)
                    .withNetwork(new Network(routing, Duration.ZERO)));
            assertThat(report.waits().inside()).as("%s: %s", crowd, report).isGreaterThanOrEqualTo(0.8);
            assertThat(report.absent()).as("%s: visitors taken for absent", crowd).isLessThanOrEqualTo(10);
            assertThat(report.waits().raised()).as("%s: %s", crowd, report).isLessThanOrEqualTo(5);
            assertThat(report.waits().pushedBack()).as("%s: %s", crowd, report).isLessThanOrEqualTo(5);
        }
    }

    @Test
    void severalGatesKnowWhoNeverCameBack() {
        WaitCrowd crowd = new WaitCrowd(Bottleneck.RATE, 6, Staying.EVEN, true, 0.9);
        Report report = RoomSimulation.run(crowd.scenario(SEED, Waiting.POLLS).withGates(3)
                .withNetwork(new Network(Routing.ROUND_ROBIN, Duration.ZERO)));
        assertThat(report.waits().inside()).as("%s: %s", crowd, report).isGreaterThanOrEqualTo(0.8);
    }

    @ParameterizedTest
    @CsvSource({"RATE, 0, 1", "RATE, 0.5, 1", "CAPACITY, 0, 1", "BOTH, 0.2, 1", "RATE, 0.2, 3"})
    void inASpikeMostWaitsOfEachTierAreInsideTheFirstRange(Bottleneck bottleneck, double noShow, int gates) {
        Waits waits = withTiers(new WaitCrowd(bottleneck, 6, Staying.EVEN, true, noShow), gates);
        assertThat(waits.insideByLine().keySet()).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(waits.insideByLine().values()).as("%s", waits).allMatch(inside -> inside >= 0.8);
    }

    /** How long the smallest tier waits, of which more come than its share, depends on who comes to the other lines. */
    @ParameterizedTest
    @CsvSource({"RATE, 0", "CAPACITY, 0.2"})
    void inATrickleMostWaitsOfAllButTheSmallestTierAreInsideTheFirstRange(Bottleneck bottleneck, double noShow) {
        Waits waits = withTiers(new WaitCrowd(bottleneck, 6, Staying.EVEN, false, noShow), 1);
        assertThat(waits.inside()).as("%s", waits).isGreaterThanOrEqualTo(0.8);
        assertThat(waits.insideByLine().get(0)).as("%s", waits).isGreaterThanOrEqualTo(0.8);
        assertThat(waits.insideByLine().get(1)).as("%s", waits).isGreaterThanOrEqualTo(0.8);
    }

    /** A visitor of a lobby is told the first range after the opening, when few have entered. */
    @ParameterizedTest
    @CsvSource({"RATE, 0, false, 1", "RATE, 0.5, true, 1", "CAPACITY, 0, true, 1", "BOTH, 0.2, false, 1",
            "RATE, 0.2, true, 3", "CAPACITY, 0.2, false, 3"})
    void mostWaitsOfVisitorsFromALobbyAreInsideTheFirstRange(Bottleneck bottleneck, double noShow, boolean draw,
            int gates) {
        WaitCrowd crowd = new WaitCrowd(bottleneck, 6, Staying.EVEN, true, noShow);
        Scenario lobby = crowd.scenario(SEED, Waiting.MIXED).withGates(gates)
                .withNetwork(new Network(Routing.ROUND_ROBIN, Duration.ZERO)).withOpening(Duration.ofSeconds(90));
        Waits waits = RoomSimulation.run(draw ? lobby.withDraw() : lobby).waits();
        assertThat(waits.inside()).as("%s", waits).isGreaterThanOrEqualTo(0.8);
        assertThat(waits.untold()).as("%s", waits).isLessThanOrEqualTo(0.12);
        assertThat(waits.raised()).as("%s", waits).isLessThanOrEqualTo(5);
        assertThat(waits.pushedBack()).as("%s", waits).isLessThanOrEqualTo(5);
    }

    private static Waits withTiers(WaitCrowd crowd, int gates) {
        Waits waits = RoomSimulation.run(crowd.scenario(SEED, Waiting.MIXED).withGates(gates)
                .withNetwork(new Network(Routing.ROUND_ROBIN, Duration.ZERO)).withTiers(TIERS)).waits();
        LOG.info("{} with tiers: {}", crowd, waits.insideByLine());
        return waits;
    }

    private static double share(List<CrowdWaits> told, Predicate<CrowdWaits> promise) {
        return told.stream().filter(promise).count() / (double) told.size();
    }

    @ParameterizedTest
    @CsvSource({"2, EXPONENTIAL", "2, FIXED", "6, EXPONENTIAL", "6, EVEN", "60, EVEN"})
    void connectedVisitorsUseTheWholeCapacityHoweverShortTheStays(int stay, Staying staying) {
        WaitCrowd crowd = new WaitCrowd(Bottleneck.CAPACITY, stay, staying, true, 0);
        Report report = RoomSimulation.run(crowd.scenario(SEED, Waiting.EVENTS));
        assertThat(report.capacityUsed()).as("%s", report).isBetween(0.95, 1.0);
    }

    /** A poll of a called visitor is held until a place is free. */
    @ParameterizedTest
    @CsvSource({"1, EVEN", "1, EXPONENTIAL", "3, EVEN", "3, EXPONENTIAL"})
    void pollingVisitorsUseMostOfTheCapacityWhereStaysAreShort(int gates, Staying staying) {
        WaitCrowd crowd = new WaitCrowd(Bottleneck.CAPACITY, 2, staying, true, 0);
        double used = LongStream.range(SEED, SEED + 4).mapToDouble(seed -> RoomSimulation
                .run(crowd.scenario(seed, Waiting.POLLS).withGates(gates)
                        .withNetwork(new Network(Routing.ROUND_ROBIN, Duration.ZERO)))
                .capacityUsed()).average().orElseThrow();
        assertThat(used).as("%s", crowd).isGreaterThanOrEqualTo(0.85);
    }
}
