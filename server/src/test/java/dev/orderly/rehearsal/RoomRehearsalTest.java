package dev.orderly.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.orderly.rehearsal.RehearsalReport.Slot;
import dev.orderly.rehearsal.RehearsalReport.TierWaits;
import dev.orderly.rehearsal.RehearsedCrowd.Arrivals;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.testkit.sim.Manner;
import dev.orderly.testkit.sim.Network;
import dev.orderly.testkit.sim.RoomSimulation;
import dev.orderly.testkit.sim.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rehearsals: held against arithmetic, and against the simulation of whole gates. */
class RoomRehearsalTest {
    private static final Instant TEN = Instant.parse("2027-03-01T10:00:00Z");
    private static final RoomOptions ONE_A_SECOND = RoomOptions
            .of(new Limits(null, new Rate(1, Duration.ofSeconds(1))));
    private static final RehearsedCrowd CROWD = new RehearsedCrowd(600, Duration.ofMinutes(1), Arrivals.EVEN,
            Duration.ofSeconds(30), 0, 1);

    @Test
    void everybodyEntersInTheOrderOfArrivalAtThePaceOfTheRoom() {
        RehearsalReport report = RoomRehearsal.run(ONE_A_SECOND, CROWD, TEN);
        assertThat(report.everybody().waits()).hasSize(600);
        assertThat(report.end().toSeconds()).isBetween(595L, 615L);
        assertThat(report.everybody().quantile(1).toSeconds()).isBetween(530L, 560L);
        assertThat(report.longest().waiting()).isBetween(530, 560);
        assertThat(report.minutes().getLast()).satisfies(end -> {
            assertThat(end.waiting()).isZero();
            assertThat(end.entered()).isEqualTo(600);
        });
        List<Slot> slots = report.slots();
        for (int n = 1; n < slots.size(); n++) {
            assertThat(slots.get(n).quantile(0.5)).isGreaterThan(slots.get(n - 1).quantile(0.5));
        }
    }

    @Test
    void visitorsWhoNeverComeBackCostTheOthersNothing() {
        RehearsalReport report = RoomRehearsal.run(ONE_A_SECOND, new RehearsedCrowd(600, Duration.ofMinutes(1),
                Arrivals.EVEN, Duration.ofSeconds(30), 0.5, 1), TEN);
        int present = report.everybody().waits().size();
        assertThat(present).isBetween(240, 360);
        assertThat(report.end().toSeconds()).isCloseTo(present, within(20L));
    }

    @Test
    void aCapacityIsUsedAndAPassThatIsIdleHoldsItsPlace() {
        RoomOptions room = RoomOptions.of(new Limits(50, null)).withStay(TokenLifetimes.DEFAULT
                .withPassIdle(Duration.ofSeconds(40)));
        RehearsalReport report = RoomRehearsal.run(room, CROWD, TEN);
        // A place is held for a stay of 30 s and three quarters of pass-idle on average.
        assertThat(report.end().toSeconds()).isCloseTo(600 / 50 * 60, within(80L));
        assertThat(report.used()).isNotNull().isGreaterThan(0.95);
    }

    @Test
    void aRoomThatIsLargeEnoughLetsNobodyWait() {
        RehearsalReport report = RoomRehearsal.run(RoomOptions.of(new Limits(1_000, null)), CROWD, TEN);
        assertThat(report.everybody().quantile(1)).isZero();
        assertThat(report.longest().waiting()).isZero();
        assertThat(report.used()).isNull();
    }

    @Test
    void limitsByTheClockCountFromTheGivenBegin() {
        RoomOptions later = RoomOptions.of(new Limits(null, new Rate(1, Duration.ofSeconds(1))))
                .withTimetable(new LimitTimetable(ZoneOffset.UTC, List.of(new LimitTimetable.Entry(
                        LimitTimetable.From.parse("10:05"), new Limits(null, new Rate(100, Duration.ofSeconds(1)))))));
        assertThat(RoomRehearsal.run(later, CROWD, TEN).end().toSeconds()).isBetween(300L, 320L);
        assertThat(RoomRehearsal.run(later, CROWD, TEN.plusSeconds(3_600)).end().toSeconds()).isLessThan(70);
    }

    @Test
    void whoComesToALobbyWaitsForTheOpeningAndTheCloseShutsOutWhoStillWaits() {
        ZonedDateTime opens = TEN.plusSeconds(600).atZone(ZoneOffset.UTC);
        RoomOptions room = ONE_A_SECOND.withOpenings(new Openings(List.of(new Opening(opens, Duration.ofMinutes(5),
                opens.plusMinutes(5), null)), false));
        RehearsalReport report = RoomRehearsal.run(room, CROWD, TEN);
        assertThat(report.everybody().waits()).hasSizeBetween(290, 310);
        assertThat(report.everybody().quantile(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(590));
        assertThat(report.shutOut() + report.everybody().waits().size()).isEqualTo(600);
        assertThat(report.end()).isEqualTo(Duration.ofMinutes(15));
        RoomOptions drawn = room.withOpenings(new Openings(List.of(room.openings().windows().getFirst().drawn(null)),
                false));
        assertThat(RoomRehearsal.run(drawn, CROWD, TEN)).as("with a draw").isEqualTo(report);
    }

    @Test
    void aTierWaitsByItsShareAndWhatItLeavesOverFlowsOn() {
        RoomOptions tiered = ONE_A_SECOND.withTiers(new Tiers(List.of(new Tier("members", "tier=gold", 20))));
        RehearsedCrowd crowd = CROWD.withShares(List.of(new TierShare("members", 0.1)));
        RehearsalReport report = RoomRehearsal.run(tiered, crowd, TEN);
        assertThat(report.tiers()).extracting(TierWaits::tier).containsExactly("members", null);
        Slot members = report.tiers().getFirst().all();
        Slot others = report.tiers().getLast().all();
        assertThat(members.waits()).hasSizeBetween(40, 80);
        assertThat(members.waits().size() + others.waits().size()).isEqualTo(600);
        assertThat(members.quantile(1).toSeconds()).as("each fifth admission")
                .isCloseTo(5L * members.waits().size() - 60, within(30L));
        assertThat(others.quantile(1)).isGreaterThan(members.quantile(1));
        assertThat(report.end().toSeconds()).as("no admission is left over").isBetween(595L, 615L);
        RehearsalReport without = RoomRehearsal.run(ONE_A_SECOND, crowd, TEN);
        assertThat(without.tiers()).as("a room without tiers").isEmpty();
        assertThat(without.slots()).isEqualTo(RoomRehearsal.run(ONE_A_SECOND, CROWD, TEN).slots());
    }

    @Test
    void twoRoomsMeetTheSameCrowdAndASeedIsACrowd() {
        RehearsalReport once = RoomRehearsal.run(ONE_A_SECOND, CROWD, TEN);
        assertThat(RoomRehearsal.run(ONE_A_SECOND, CROWD, TEN)).isEqualTo(once);
        RehearsedCrowd another = new RehearsedCrowd(600, Duration.ofMinutes(1), Arrivals.EVEN, Duration.ofSeconds(30),
                0, 2);
        assertThat(RoomRehearsal.run(ONE_A_SECOND, another, TEN).slots()).isNotEqualTo(once.slots());
    }

    @Test
    void aRushIsHalfOfTheCrowdInTheFirstTenth() {
        RehearsalReport report = RoomRehearsal.run(ONE_A_SECOND, new RehearsedCrowd(600, Duration.ofMinutes(1),
                Arrivals.RUSH, Duration.ofSeconds(30), 0, 1), TEN);
        assertThat(report.slots().getFirst().waits().size()).isBetween(270, 390);
    }

    @Test
    void aRoomThatLetsNobodyInIsSaidInsteadOfRehearsedForEver() {
        assertThatThrownBy(() -> RoomRehearsal.run(RoomOptions.of(Limits.CLOSED), CROWD, TEN))
                .isInstanceOf(RoomRehearsal.TooLongException.class).hasMessageContaining("600 wait")
                .hasMessageContaining("larger limits");
    }

    /** The simulation runs gates with tokens, polls and streams; the rehearsal does without. */
    @Test
    void aRehearsalTakesAsLongAsTheSimulationOfAWholeGate() {
        TokenLifetimes lives = new TokenLifetimes(Duration.ofSeconds(30), null, Duration.ofHours(24));
        Limits limits = new Limits(20, null);
        Manner manner = new Manner(Manner.Coming.EVEN, Manner.Missing.VANISHES, Manner.Staying.EVEN,
                Manner.Waiting.EVENTS, true);
        long simulated = RoomSimulation.run(new Scenario(1, 1, limits, lives, PollPolicy.DEFAULT,
                new Scenario.Crowd(300, Duration.ofSeconds(60), 0.3, Duration.ofSeconds(60), Duration.ofSeconds(20),
                        manner),
                Network.PLAIN, Scenario.Faults.NONE, Scenario.Flaws.NONE)).seconds();
        // The simulated visitors say goodbye: their stays of 20 s are 12.5 s and an idle pass of 7.5 s.
        RoomOptions options = RoomOptions.of(limits).withStay(lives.withPassIdle(Duration.ofSeconds(10)));
        RehearsalReport rehearsed = RoomRehearsal.run(options, new RehearsedCrowd(300, Duration.ofSeconds(60),
                Arrivals.EVEN, Duration.ofMillis(12_500), 0.3, 1), TEN);
        assertThat(rehearsed.end().toSeconds()).isCloseTo(simulated, within(simulated / 5));
    }
}
