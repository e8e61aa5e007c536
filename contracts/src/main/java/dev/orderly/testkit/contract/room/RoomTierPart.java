package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.PRESENT;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static dev.orderly.testkit.contract.room.RoomTrial.rate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.TierShares;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lines of tiers, and how admissions are divided between them. */
public interface RoomTierPart extends RoomPart {
    Tiers TIERS = new Tiers(List.of(new Tier("members", "tier=gold", 20), new Tier("press", "press=yes", 5)));
    GateId TIER_GATE = new GateId("gate");

    private RoomState step(Limits limits, Tiers tiers, TicketHolder... present) {
        return step(trial(), limits, tiers, present);
    }

    /** A gate that covers all lines reports these visitors; then the governor makes a step. */
    static RoomState step(RoomTrial trial, Limits limits, Tiers tiers, TicketHolder... present) {
        return step(trial, limits, tiers, 0, present);
    }

    /** As {@link #step}, of a gate that knows of so many draws. */
    static RoomState step(RoomTrial trial, Limits limits, Tiers tiers, int drawn, TicketHolder... present) {
        RoomState known = trial.gate();
        List<Presence> presences = Stream.of(present)
                .map(visitor -> new Presence(visitor.place(), trial.in(PRESENT))).toList();
        trial.rooms().sync(SALE, new GateReport(TIER_GATE, known.epoch(), drawn, RoomTrial.FAR, presences,
                GateLease.NONE, covered()), trial.now());
        return trial.govern(new GovernorStep(new GateId("governor"), trial.in(Duration.ofSeconds(3)), limits,
                SlowdownReason.NO, 1_000, RoomTrial.FAR, trial.now().minus(Duration.ofDays(1)),
                TierShares.of(known, tiers, RoomTrial.FAR))).orElseThrow();
    }

    private static List<Long> covered() {
        return IntStream.rangeClosed(1, Tiers.MOST).mapToObj(line -> Tiers.start(line + 1) - 1).toList();
    }

    private List<TicketHolder> line(@Nullable String tier, int visitors) {
        List<JoinRequest> joins = Stream
                .generate(() -> new JoinRequest(trial().visitor(), trial().now(), trial().now(), null, tier))
                .limit(visitors).toList();
        List<JoinResult> results = trial().rooms().join(SALE, joins, trial().now());
        return IntStream.range(0, visitors)
                .mapToObj(n -> new TicketHolder(joins.get(n).visitor(), results.get(n))).toList();
    }

    /** The visitors ask in turn, all of them again and again, until so many have entered. Counts those of each line. */
    private Map<Integer, Integer> entered(int most, List<TicketHolder> visitors) {
        List<TicketHolder> waiting = new ArrayList<>(visitors);
        Map<Integer, Integer> entered = new TreeMap<>();
        List<AdmissionResult> results = trial().admit(AdmissionRequest.Kind.TAKEN, waiting);
        for (int n = 0; n < results.size(); n++) {
            if (results.get(n) instanceof AdmissionResult.Entered) {
                entered.merge(Tiers.line(waiting.get(n).place()), 1, Integer::sum);
            }
        }
        assertThat(entered.values().stream().mapToInt(n -> n).sum()).as("admissions").isEqualTo(most);
        return entered;
    }

    private static List<TicketHolder> all(List<TicketHolder> one, List<TicketHolder> two) {
        return Stream.concat(one.stream(), two.stream()).toList();
    }

    @Test
    default void eachTierNumbersItsOwnPlaces() {
        step(Limits.CLOSED, TIERS);
        assertThat(line("members", 2)).extracting(visitor -> Tiers.number(visitor.place())).containsExactly(1L, 2L);
        assertThat(line(null, 2)).extracting(TicketHolder::place).containsExactly(1L, 2L);
        assertThat(line("press", 1)).extracting(TicketHolder::place).containsExactly(Tiers.start(2) + 1);
        assertThat(trial().state().tiers()).extracting(TierLine::name).containsExactly("members", "press");
        assertThat(trial().state().waiting()).isEqualTo(5);
    }

    @Test
    default void thePlacesOfTheLastTierAreExact() {
        Tiers most = new Tiers(IntStream.rangeClosed(1, Tiers.MOST)
                .mapToObj(n -> new Tier("tier-" + n, "tier=" + n, 10)).toList());
        step(Limits.CLOSED, most);
        List<TicketHolder> last = line("tier-" + Tiers.MOST, 3);
        assertThat(last).extracting(TicketHolder::place).containsExactly(Tiers.start(Tiers.MOST) + 1,
                Tiers.start(Tiers.MOST) + 2, Tiers.start(Tiers.MOST) + 3);
        step(rate(2, Duration.ofMinutes(1)), most, last.toArray(TicketHolder[]::new));
        assertThat(trial().admit(AdmissionRequest.Kind.TAKEN, last)).extracting(Object::getClass)
                .containsExactly(AdmissionResult.Entered.class, AdmissionResult.Entered.class,
                        AdmissionResult.Waits.class);
        assertThat(trial().state().lineOf(last.getFirst().place()).length()).isEqualTo(Tiers.start(Tiers.MOST) + 3);
    }

    @Test
    default void aTierWithoutALineHasTheFirstOne() {
        step(Limits.CLOSED, TIERS);
        assertThat(line("gold", 2)).extracting(TicketHolder::place).containsExactly(1L, 2L);
    }

    @Test
    default void admissionsAreDividedByTheShares() {
        step(Limits.CLOSED, TIERS);
        List<TicketHolder> others = line(null, 100);
        List<TicketHolder> members = line("members", 100);
        List<TicketHolder> press = line("press", 100);
        List<TicketHolder> all = all(all(others, members), press);
        step(rate(100, Duration.ofMinutes(1)), TIERS, all.toArray(TicketHolder[]::new));
        assertThat(entered(100, all)).isEqualTo(Map.of(0, 75, 1, 20, 2, 5));
    }

    @Test
    default void whatATierLeavesOverGoesToTheOthers() {
        step(Limits.CLOSED, TIERS);
        List<TicketHolder> all = all(line(null, 100), line("members", 3));
        step(rate(100, Duration.ofMinutes(1)), TIERS, all.toArray(TicketHolder[]::new));
        assertThat(entered(100, all)).isEqualTo(Map.of(0, 97, 1, 3));
    }

    @Test
    default void thePlacesOfATierAreServedInTheirOrder() {
        step(Limits.CLOSED, TIERS);
        List<TicketHolder> members = line("members", 3);
        step(rate(2, Duration.ofMinutes(1)), TIERS, members.toArray(TicketHolder[]::new));
        assertThat(trial().admit(members.get(2))).as("two lower places are present").isEqualTo(RoomTrial.waits(2));
        assertThat(trial().admit(members.get(1))).isEqualTo(trial().entered());
        assertThat(trial().admit(members.get(2))).isEqualTo(RoomTrial.waits(1));
        assertThat(trial().admit(members.get(0))).as("an admission was kept for it").isEqualTo(trial().entered());
    }

    @Test
    default void anAdmissionIsKeptForAnotherTierWhoseTurnItIs() {
        step(Limits.CLOSED, TIERS);
        List<TicketHolder> others = line(null, 3);
        List<TicketHolder> press = line("press", 1);
        step(rate(1, Duration.ofMinutes(1)), TIERS, others.get(0), others.get(1), press.getFirst());
        assertThat(trial().admit(others.get(0))).isEqualTo(trial().entered());
        trial().pass(Duration.ofMinutes(1));
        step(rate(1, Duration.ofMinutes(1)), TIERS, others.get(1), press.getFirst());
        assertThat(trial().admit(others.get(1))).as("press has waited for a minute").isEqualTo(RoomTrial.waits(0));
        assertThat(trial().admit(press.getFirst())).isEqualTo(trial().entered());
    }

    @Test
    default void aTierThatAdmittedNobodyForAMinuteIsNext() {
        step(Limits.CLOSED, TIERS);
        List<TicketHolder> all = all(line(null, 60), line("press", 60));
        int press = 0;
        for (int minute = 0; minute < 10; minute++) {
            step(rate(4, Duration.ofMinutes(1)), TIERS, all.toArray(TicketHolder[]::new));
            press += entered(4, all.stream().filter(this::waits).toList()).getOrDefault(2, 0);
            trial().pass(Duration.ofMinutes(1));
        }
        assertThat(press).as("of 40 admissions, of which 5 % are 2").isEqualTo(10);
    }

    private boolean waits(TicketHolder visitor) {
        return !trial().rooms().use(SALE, visitor.place(), trial().now()).usedUp();
    }

    @Test
    default void nobodyOfATierIsCalledWhomAGateMayNotHaveReported() {
        step(Limits.CLOSED, TIERS);
        List<TicketHolder> members = line("members", 3);
        trial().rooms().sync(SALE, new GateReport(new GateId("other"), 1, 0, RoomTrial.FAR, List.of(), GateLease.NONE,
                List.of(members.getFirst().place())), trial().now());
        RoomState state = step(Limits.NONE, TIERS, members.toArray(TicketHolder[]::new));
        assertThat(state.tiers().getFirst().line().cursor()).isEqualTo(members.getFirst().place());
    }

    @Test
    default void theLinesOfTiersSurviveACrash() {
        step(Limits.CLOSED, TIERS);
        List<TicketHolder> members = line("members", 3);
        step(Limits.NONE, TIERS, members.get(0), members.get(1));
        assertThat(trial().admit(members.getFirst())).isEqualTo(trial().entered());
        trial().change(new RoomChange.Message(null));
        TierLine before = trial().state().tiers().getFirst();
        trial().crash();
        TierLine after = trial().state().tiers().getFirst();
        assertThat(after).as("presence is lost").isEqualTo(new TierLine(1, "members", 20, new RoomState.Line(
                before.line().length(), before.line().cursor(), before.line().cursor(), false), 0, 0, 1,
                before.turn()));
        assertThat(line("members", 1)).extracting(visitor -> Tiers.number(visitor.place())).containsExactly(4L);
    }

    @Test
    default void aNewEpochBeginsTheLinesAnew() {
        step(Limits.CLOSED, TIERS);
        line("members", 3);
        trial().change(new RoomChange.NewEpoch());
        assertThat(line("members", 1)).extracting(visitor -> Tiers.number(visitor.place())).containsExactly(1L);
    }

    @Test
    default void aRemovedTierGoesOnInItsLineAndKeepsItsPlaces() {
        step(Limits.CLOSED, TIERS);
        List<TicketHolder> press = line("press", 2);
        Tiers fewer = new Tiers(List.of(TIERS.all().getFirst()));
        RoomState state = step(rate(1, Duration.ofMinutes(1)), fewer, press.toArray(TicketHolder[]::new));
        assertThat(state.tiers()).extracting(TierLine::name).containsExactly("members", "press");
        assertThat(trial().admit(press.getFirst())).isEqualTo(trial().entered());
        assertThat(trial().admit(press.get(1))).isEqualTo(RoomTrial.waits(0));
    }

    @Test
    default void anUnusedLineGoesWithItsTier() {
        step(Limits.CLOSED, TIERS);
        assertThat(step(Limits.CLOSED, Tiers.NONE).tiers()).isEmpty();
        assertThat(step(Limits.CLOSED, new Tiers(List.of(new Tier("gold", "tier=gold", 30)))).tiers())
                .extracting(TierLine::name, TierLine::share)
                .containsExactly(tuple("gold", 30));
    }

    @Test
    default void everyGateLearnsWhichVisitorsOfATierAnyGateHasSeen() {
        step(Limits.CLOSED, TIERS);
        List<TicketHolder> members = line("members", 2);
        step(Limits.CLOSED, TIERS, members.get(1));
        assertThat(trial().rooms().present(SALE, 1, 10, trial().now()).presences())
                .containsExactly(new Presence(members.get(1).place(), trial().in(PRESENT)));
        assertThat(trial().rooms().present(SALE, 2, 10, trial().now()).presences()).isEmpty();
        assertThat(trial().rooms().present(SALE, 10, trial().now()).presences()).isEmpty();
    }
}
