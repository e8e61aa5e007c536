package dev.orderly.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.testkit.sim.Network.Routing;
import dev.orderly.testkit.sim.Scenario.Crowd;
import dev.orderly.testkit.sim.Scenario.Faults;
import dev.orderly.testkit.sim.Scenario.Guests;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Execution(ExecutionMode.CONCURRENT) // runs share nothing
class RoomSimulationTest {
    /** Each number of gates with each kind of limits. */
    private static final int FIXED_SEEDS = 15;
    private static final Duration DAY = Duration.ofHours(24);
    private static final Tiers TIERS = new Tiers(List.of(new Tier("members", "tier=gold", 20),
            new Tier("press", "press=yes", 5)));
    private static final Tiers INVITING = new Tiers(List.of(new Tier("members", "tier=gold", 20),
            Tier.invited("press", 20)));
    /** The first run of each seed. */
    private static final ConcurrentMap<Long, Report> REPORTS = new ConcurrentHashMap<>();

    /** Seeds; more with {@code -Dorderly.seeds=N}, a single seed with {@code #seed}. */
    static LongStream seeds() {
        return seeds(FIXED_SEEDS);
    }

    static LongStream fewSeeds() {
        return seeds(FIXED_SEEDS / 3);
    }

    private static LongStream seeds(int fixed) {
        String asked = System.getProperty("orderly.seeds",
                Objects.requireNonNullElse(System.getenv("ORDERLY_SEEDS"), ""));
        return asked.startsWith("#")
                ? LongStream.of(Long.parseLong(asked.substring(1)))
                : LongStream.rangeClosed(1, asked.isEmpty() ? fixed : Long.parseLong(asked));
    }

    private static Report report(long seed) {
        return REPORTS.computeIfAbsent(seed, each -> RoomSimulation.run(scenario(each)));
    }

    static Scenario scenario(long seed) {
        Limits limits = switch ((int) (seed % 3)) {
            case 0 -> new Limits(20, null);
            case 1 -> new Limits(null, new Rate(30, Duration.ofSeconds(15)));
            default -> new Limits(30, new Rate(20, Duration.ofSeconds(10)));
        };
        return Scenario.small(seed, limits).withGates(1 + (int) (seed % 5));
    }

    /** Stays so short that requests of called visitors are held. */
    @ParameterizedTest
    @MethodSource("fewSeeds")
    void everyPromiseHoldsWithAllFaultsAndShortStays(long seed) {
        Report report = RoomSimulation.run(Scenario.small(seed, new Limits(20, null)).withGates(1 + (int) (seed % 5))
                .withCrowd(new Crowd(300, Duration.ofSeconds(30), 0.3, Duration.ofSeconds(60), Duration.ofSeconds(3)))
                .withFaults(seed % 2 == 0 ? Faults.ALL : Faults.CUT_OFF));
        assertThat(report.visitors()).isEqualTo(300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyPromiseHoldsWithAllFaults(long seed) {
        assertThat(report(seed).visitors()).isEqualTo(300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyPromiseHoldsWhileAGateIsCutOffAndOthersStart(long seed) {
        Scenario scenario = scenario(seed).withGates(2 + (int) (seed % 3)).withFaults(Faults.CUT_OFF);
        assertThat(RoomSimulation.run(scenario).visitors()).isEqualTo(300);
    }

    /** Visitors gather in a lobby, and the faults come before, at and after the opening. */
    @ParameterizedTest
    @MethodSource("fewSeeds")
    void aroundAnOpeningNobodyIsEarlyTwiceOrLost(long seed) {
        for (Faults faults : new Faults[]{Faults.ALL, Faults.CUT_OFF}) {
            Report report = RoomSimulation.run(scenario(seed).withGates(2 + (int) (seed % 3)).withFaults(faults)
                    .withOpening(Duration.ofSeconds(50)));
            assertThat(report.visitors()).isEqualTo(300);
            assertThat(report.admitted()).isGreaterThan(150);
        }
    }

    /** Visitors of three lines, with few admissions and with many. */
    @ParameterizedTest
    @MethodSource("fewSeeds")
    void everyPromiseHoldsInEachTier(long seed) {
        for (Faults faults : new Faults[]{Faults.ALL, Faults.CUT_OFF}) {
            Report report = RoomSimulation.run(scenario(seed).withGates(1 + (int) (seed % 4)).withFaults(faults)
                    .withTiers(TIERS));
            assertThat(report.visitors()).isEqualTo(300);
            assertThat(report.admitted()).isGreaterThan(150);
        }
    }

    /** Codes are used twice, at two gates, revoked and bound; one-per and tiers change while people wait. */
    @ParameterizedTest
    @MethodSource("fewSeeds")
    void aUserHasOnePlaceAndACodeGivesOneInEachTier(long seed) {
        for (Faults faults : new Faults[]{Faults.ALL, Faults.CUT_OFF}) {
            Report report = RoomSimulation.run(guests(seed).withFaults(faults));
            assertThat(report.visitors()).isEqualTo(300);
            assertThat(report.admitted()).isGreaterThan(50);
        }
    }

    /** The same in the lobby of a draw, where a place is not known before. */
    @ParameterizedTest
    @MethodSource("fewSeeds")
    void aUserHasOnePlaceAndACodeGivesOneInADraw(long seed) {
        assertThat(RoomSimulation.run(guests(seed).withOpening(Duration.ofSeconds(50)).withDraw()).visitors())
                .isEqualTo(300);
    }

    /** Users whose sign-ins are found while the lobby is drawn. */
    @Test
    void aTicketIsReadAgainWhereTheLobbyWasDrawnMeanwhile() {
        assertThat(RoomSimulation.run(guests(231).withFaults(Faults.CUT_OFF).withOpening(Duration.ofSeconds(50))
                .withDraw()).visitors()).isEqualTo(300);
    }

    /** Gates that are cut off miss several new epochs. */
    @Test
    void aTicketOfTheNewestEpochCountsAtAGateThatMissedSeveral() {
        assertThat(RoomSimulation.run(guests(236).withFaults(Faults.CUT_OFF).withOpening(Duration.ofSeconds(50))
                .withDraw()).visitors()).isEqualTo(300);
    }

    /** Users of one to three devices, invitations without users, and both. */
    static Scenario guests(long seed) {
        return scenario(seed).withGates(2 + (int) (seed % 3)).withTiers(INVITING)
                .withGuests(new Guests((int) (seed % 4), seed % 5 == 4 ? 0 : 0.4));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5})
    void absentVisitorsOfATierWasteNoAdmissions(double noShow) {
        Report report = RoomSimulation.run(crowded(new Limits(60, null), noShow).withTiers(TIERS));
        assertThat(report.capacityUsed()).as("%s", report).isBetween(0.95, 1.0);
        Rate rate = new Rate(120, Duration.ofSeconds(60));
        report = RoomSimulation.run(crowded(new Limits(null, rate), noShow).withTiers(TIERS));
        assertThat(report.rateUsed()).as("%s", report).isBetween(0.95, 1.0);
    }

    /** The same with a draw of the places, whose steps the faults come between. */
    @ParameterizedTest
    @MethodSource("fewSeeds")
    void aroundADrawNobodyIsEarlyTwiceOrLost(long seed) {
        for (Faults faults : new Faults[]{Faults.ALL, Faults.CUT_OFF}) {
            Report report = RoomSimulation.run(scenario(seed).withGates(2 + (int) (seed % 3)).withFaults(faults)
                    .withOpening(Duration.ofSeconds(50)).withDraw());
            assertThat(report.visitors()).isEqualTo(300);
            assertThat(report.admitted()).isGreaterThan(150);
        }
    }

    /** Answers take up to six seconds, as on a machine that has too much to do. */
    @ParameterizedTest
    @CsvSource({"1, HASH, 2", "1, HASH, 6", "2, ROUND_ROBIN, 6", "3, HASH, 6"})
    void noPresentVisitorIsOvertakenWhileAnswersStall(int gates, Routing routing, int stall) {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(RoomSimulation.run(stalled(seed).withGates(gates)
                    .withNetwork(new Network(routing, Duration.ofSeconds(stall)))).visitors()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @MethodSource("fewSeeds")
    void everyPromiseHoldsWithAllFaultsWhileAnswersStall(long seed) {
        assertThat(RoomSimulation.run(stalled(seed).withFaults(Faults.ALL).withGates(1 + (int) (seed % 3))).visitors())
                .isEqualTo(200);
    }

    /**
     * A visitor in two lines for a moment: the room begins anew, its two requests under way get a place each, and the
     * answer about the first comes after the visitor has connected with the second.
     */
    @Test
    void aConnectionEndsForThePlaceThatItBeganWith() {
        assertThat(RoomSimulation.run(stalled(20).withFaults(Faults.ALL).withGates(3)
                .withNetwork(new Network(Routing.ROUND_ROBIN, Duration.ofSeconds(6)))).visitors()).isEqualTo(200);
    }

    /** A crowd whose answers stall, and nothing else goes wrong. */
    static Scenario stalled(long seed) {
        return scenario(seed).withFaults(Faults.NONE)
                .withCrowd(new Crowd(200, Duration.ofSeconds(20), 0.3, Duration.ofSeconds(60), Duration.ofSeconds(6)))
                .withNetwork(new Network(Routing.HASH, Duration.ofSeconds(6)));
    }

    /**
     * Two old failures: a gate that did not know of a new epoch, and a visitor who had left while the store was away.
     */
    @ParameterizedTest
    @ValueSource(longs = {347, 904})
    void noVisitorIsOvertakenInFormerlyFailingRuns(long seed) {
        assertThat(RoomSimulation.run(scenario(seed)).visitors()).isEqualTo(300);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 5, 9})
    void theSameSeedIsTheSameRun(long seed) {
        assertThat(RoomSimulation.run(scenario(seed))).isEqualTo(report(seed));
        assertThat(report(seed + 15).events()).isNotEqualTo(report(seed).events());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, 0.5, 0.9})
    void absentVisitorsWasteNoCapacity(double noShow) {
        Report report = RoomSimulation.run(crowded(new Limits(60, null), noShow));
        assertThat(report.capacityUsed()).as("%s", report).isBetween(0.95, 1.0);
    }

    @ParameterizedTest
    @CsvSource({"0, 120, 60, 2", "0.1, 120, 60, 2", "0.5, 120, 60, 2", "0.9, 120, 60, 2", "0, 30, 15, 2",
            "0.1, 30, 15, 2", "0.5, 30, 15, 2", "0.9, 30, 15, 2", "0, 30, 15, 5", "0.9, 30, 15, 5"})
    void absentVisitorsWasteNoAdmissionsOfTheRate(double noShow, int admissions, int seconds, int poll) {
        Rate rate = new Rate(admissions, Duration.ofSeconds(seconds));
        Report report = RoomSimulation.run(crowded(new Limits(null, rate), noShow)
                .withPoll(new PollPolicy(Duration.ofSeconds(poll), Duration.ofSeconds(30))));
        assertThat(report.rateUsed()).as("%s", report).isBetween(0.95, 1.0);
    }

    private static Scenario crowded(Limits limits, double noShow) {
        return Scenario.small(7, limits).withGates(3).withFaults(Faults.NONE)
                .withStay(new TokenLifetimes(Duration.ofSeconds(60), null, DAY))
                .withCrowd(new Crowd(600, Duration.ofSeconds(90), noShow, Duration.ofSeconds(400),
                        Duration.ofSeconds(60)));
    }

    /** A crowd; a million with {@code -Dorderly.sim.visitors=1000000}. */
    @Test
    void aCrowdIsServedInOrder() {
        int visitors = Integer.getInteger("orderly.sim.visitors", 10_000);
        Report report = RoomSimulation.run(crowd(visitors));
        assertThat(report.visitors()).isEqualTo(visitors);
        assertThat(report.admitted()).isGreaterThan(visitors * 6L / 10);
        // A called visitor polls each second, which costs a tenth of a period of five seconds.
        assertThat(report.rateUsed()).as("%s", report).isBetween(0.85, 1.0);
    }

    /** A crowd with a rate that admits all within two minutes. */
    static Scenario crowd(int visitors) {
        return Scenario.small(1, new Limits(null, new Rate(visitors / 20, Duration.ofSeconds(5)))).withGates(3)
                .withFaults(Faults.NONE).withPoll(new PollPolicy(Duration.ofSeconds(5), Duration.ofSeconds(30)))
                .withCrowd(new Crowd(visitors, Duration.ofSeconds(30), 0.2, Duration.ofSeconds(60),
                        Duration.ofSeconds(10)));
    }
}
