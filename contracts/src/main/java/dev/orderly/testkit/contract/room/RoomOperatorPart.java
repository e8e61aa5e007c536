package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.FAR;
import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.PRESENT;
import static dev.orderly.testkit.contract.room.RoomTrial.capacity;
import static dev.orderly.testkit.contract.room.RoomTrial.rate;
import static dev.orderly.testkit.contract.room.RoomTrial.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomState;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult.Entered;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomChange;
import dev.orderly.text.LocalizedText;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Changes by operators, and steps of governors. */
public interface RoomOperatorPart extends RoomPart {
    private long enter(List<TicketHolder> visitors) {
        return trial().admit(AdmissionRequest.Kind.TAKEN, visitors).stream().filter(Entered.class::isInstance).count();
    }

    private void mode(RoomMode mode) {
        assertThat(trial().change(new RoomChange.Mode(mode)).mode()).isEqualTo(mode);
    }

    @Test
    default void inModesWithoutCallsNobodyEntersAndTheLineGrows() {
        for (RoomMode mode : List.of(RoomMode.HOLD, RoomMode.OPEN, RoomMode.REJECT)) {
            mode(RoomMode.AUTO);
            List<TicketHolder> called = trial().called(1, Limits.NONE);
            mode(mode);
            assertThat(trial().admit(called.getFirst())).as("%s", mode).isEqualTo(waits(0));
            assertThat(trial().state().load().free()).isZero();
            List<TicketHolder> line = trial().line(2);
            trial().present(line.toArray(TicketHolder[]::new));
            RoomState governed = trial().govern(Limits.NONE);
            assertThat(governed.line().waiting()).as("%s calls nobody", mode).isEqualTo(2);
            mode(RoomMode.AUTO);
            trial().govern(Limits.NONE);
            assertThat(enter(line)).as("after %s nothing has changed", mode).isEqualTo(2);
            assertThat(trial().admit(called.getFirst())).isEqualTo(trial().entered());
        }
    }

    @Test
    default void shadowAndDrainCallVisitorsLikeAuto() {
        for (RoomMode mode : List.of(RoomMode.AUTO, RoomMode.SHADOW, RoomMode.DRAIN)) {
            mode(mode);
            List<TicketHolder> line = trial().called(3, capacity(trial().active() + 2));
            assertThat(enter(line)).as("%s", mode).isEqualTo(2);
            trial().pass(PRESENT);
        }
    }

    @Test
    default void passesAreGoodInEveryMode() {
        TicketHolder visitor = trial().called(1, Limits.NONE).getFirst();
        assertThat(trial().admit(visitor)).isEqualTo(trial().entered());
        for (RoomMode mode : RoomMode.values()) {
            mode(mode);
            assertThat(trial().renew(visitor, PASS)).isTrue();
            assertThat(trial().admit(visitor)).isEqualTo(trial().entered());
        }
    }

    @Test
    default void grantedAdmissionsExceedTheRate() {
        List<TicketHolder> line = trial().called(5, rate(1, Duration.ofMinutes(1)));
        assertThat(enter(line)).isEqualTo(1);
        assertThat(trial().change(new RoomChange.Admit(2)).load().free()).isEqualTo(2);
        assertThat(enter(line.subList(1, 5))).isEqualTo(2);
        assertThat(trial().state().load().granted()).isZero();
        assertThat(trial().admit(line.get(3))).isEqualTo(waits(0));
    }

    @Test
    default void grantedAdmissionsAddToThoseOfTheRate() {
        List<TicketHolder> line = trial().called(5, rate(2, Duration.ofMinutes(1)));
        assertThat(trial().change(new RoomChange.Admit(2)).load().free()).isEqualTo(4);
        trial().present(line.get(0), line.get(1), line.get(2));
        assertThat(trial().admit(line.get(3))).as("each visitor ahead has an admission").isEqualTo(trial().entered());
        assertThat(enter(line)).as("the same visitor, and three more").isEqualTo(4);
        assertThat(trial().active()).isEqualTo(4);
        trial().pass(Duration.ofMinutes(1));
        assertThat(trial().state().load().free()).as("the rate does not count grants").isEqualTo(2);
    }

    @Test
    default void grantedAdmissionsCallAndAdmitVisitorsOfARoomOnHold() {
        trial().open(Limits.NONE);
        mode(RoomMode.HOLD);
        List<TicketHolder> line = trial().line(4);
        trial().present(line.get(1), line.get(2), line.get(3));
        trial().change(new RoomChange.Admit(2));
        assertThat(trial().govern(Limits.NONE).line().cursor()).isEqualTo(3);
        assertThat(enter(line.subList(1, 4))).isEqualTo(2);
        assertThat(trial().govern(Limits.NONE).line().cursor()).isEqualTo(3);
    }

    @Test
    default void grantedAdmissionsNeverExceedTheCapacity() {
        List<TicketHolder> line = trial().called(4, capacity(1));
        trial().change(new RoomChange.Admit(10));
        assertThat(enter(line)).isEqualTo(1);
        trial().govern(capacity(3));
        assertThat(enter(line.subList(1, 4))).isEqualTo(2);
        assertThat(trial().state().load().active()).isEqualTo(3);
    }

    @Test
    default void grantedAdmissionsAddUpAndLastUntilTheyAreUsed() {
        List<TicketHolder> line = trial().called(3, Limits.CLOSED);
        mode(RoomMode.HOLD);
        trial().change(new RoomChange.Admit(1));
        assertThat(trial().change(new RoomChange.Admit(1)).load().granted()).isEqualTo(2);
        trial().crash();
        assertThat(trial().state().load().granted()).isEqualTo(2);
        trial().open(Limits.NONE);
        assertThat(enter(line)).isEqualTo(2);
        trial().crash();
        assertThat(trial().state().load().granted()).isZero();
    }

    @Test
    default void grantedAdmissionsAdmitNobodyInModesOpenAndReject() {
        List<TicketHolder> line = trial().called(1, Limits.NONE);
        trial().change(new RoomChange.Admit(1));
        mode(RoomMode.REJECT);
        assertThat(trial().admit(line.getFirst())).isEqualTo(waits(0));
        mode(RoomMode.OPEN);
        assertThat(trial().admit(line.getFirst())).isEqualTo(waits(0));
    }

    @Test
    default void changesOfOperatorsSurviveACrash() {
        Limits limits = new Limits(7, new Rate(3, Duration.ofSeconds(90)));
        for (Limits override : List.of(limits, new Limits(null, limits.rate()), capacity(0), Limits.NONE)) {
            mode(RoomMode.DRAIN);
            trial().change(RoomChange.Message.of("Back at nine \"o'clock\", \u00fc\u2603"));
            assertThat(trial().change(new RoomChange.Settings(override)).override()).isEqualTo(override);
            trial().crash();
            assertThat(trial().state().mode()).isEqualTo(RoomMode.DRAIN);
            assertThat(trial().state().message())
                    .isEqualTo(LocalizedText.of("Back at nine \"o'clock\", \u00fc\u2603"));
            assertThat(trial().state().override()).isEqualTo(override);
        }
        trial().change(new RoomChange.Message(null));
        trial().change(new RoomChange.Settings(null));
        trial().crash();
        assertThat(trial().state().message()).isNull();
        assertThat(trial().state().override()).isNull();
    }

    @Test
    default void changesOfOpeningsReachEveryGateSurviveACrashAndStayInANewEpoch() {
        ZonedDateTime twice = ZonedDateTime.ofLocal(LocalDateTime.parse("2027-10-31T02:30"),
                ZoneId.of("Europe/Berlin"), ZoneOffset.ofHours(1));
        List<OpeningChange> changes = List.of(new OpeningChange(Instant.parse("2027-03-01T09:00:00Z"), twice,
                twice.plusHours(2)), OpeningChange.cancelled(Instant.parse("2027-03-02T09:00:00Z")),
                new OpeningChange(Instant.parse("2027-03-03T09:00:00Z"), twice.plusDays(3), null, true));
        assertThat(trial().gate().openings()).isEmpty();
        assertThat(trial().change(openings(List.of(), changes)).openings()).isEqualTo(changes);
        assertThat(trial().gate().openings()).as("a gate's report").isEqualTo(changes);
        trial().crash();
        assertThat(trial().state().openings()).isEqualTo(changes);
        assertThat(trial().change(new RoomChange.NewEpoch()).openings()).isEqualTo(changes);
        assertThat(trial().state().openings()).isEqualTo(changes);
        assertThat(trial().govern(Limits.NONE).openings()).isEqualTo(changes);
        assertThat(trial().change(openings(changes, List.of())).openings()).isEmpty();
        trial().crash();
        assertThat(trial().state().openings()).isEmpty();
    }

    private RoomChange openings(List<OpeningChange> from, List<OpeningChange> changes) {
        return new RoomChange.Openings(from, changes, trial().in(PRESENT));
    }

    @Test
    default void aChangeOfOpeningsThatWasMadeFromOtherOnesChangesNothing() {
        List<OpeningChange> first = List.of(OpeningChange.cancelled(Instant.parse("2027-03-01T09:00:00Z")));
        List<OpeningChange> second = List.of(OpeningChange.cancelled(Instant.parse("2027-03-02T09:00:00Z")));
        assertThat(trial().change(openings(List.of(), first)).openings()).isEqualTo(first);
        assertThat(trial().change(openings(List.of(), second)).openings()).as("the answer has the stored ones")
                .isEqualTo(first);
        assertThat(trial().state().openings()).isEqualTo(first);
        assertThat(trial().change(openings(List.of(), first)).openings()).as("the same again, after a lost answer")
                .isEqualTo(first);
        assertThat(trial().change(openings(first, second)).openings()).isEqualTo(second);
    }

    @Test
    default void aChangeOfOpeningsThatArrivesTooLateChangesNothing() {
        List<OpeningChange> changes = List.of(OpeningChange.cancelled(Instant.parse("2027-03-01T09:00:00Z")));
        RoomChange late = new RoomChange.Openings(List.of(), changes, trial().now());
        assertThat(trial().change(late).openings()).isEmpty();
        RoomChange inTime = new RoomChange.Openings(List.of(), changes, trial().now().plusMillis(1));
        assertThat(trial().change(inTime).openings()).isEqualTo(changes);
    }

    @Test
    default void aMessageIsBounded() {
        LocalizedText longest = LocalizedText.of(Map.of("de", "x".repeat(500)));
        assertThat(trial().change(new RoomChange.Message(longest)).message()).isEqualTo(longest);
        assertThatThrownBy(() -> RoomChange.Message.of("x".repeat(501))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("501").hasMessageContaining("500");
        LocalizedText tooLong = LocalizedText.of(Map.of("de", "x".repeat(501), "en", "y"));
        assertThatThrownBy(() -> new RoomChange.Message(tooLong)).hasMessageContaining("The message for de has 501");
    }

    @Test
    default void aGrantIsBounded() {
        assertThat(trial().change(new RoomChange.Admit(1_000_000)).load().granted()).isEqualTo(1_000_000);
        for (int visitors : List.of(0, -1, 1_000_001)) {
            assertThatThrownBy(() -> new RoomChange.Admit(visitors)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Integer.toString(visitors));
        }
    }

    @Test
    default void aSecondGovernorDoesNothingUntilTheLeaseEnds() {
        GateId one = new GateId("g1");
        GateId two = new GateId("g2");
        trial().line(1);
        trial().gate();
        assertThat(trial().govern(trial().step(one, Limits.CLOSED, 0))).isPresent();
        assertThat(trial().govern(trial().step(two, Limits.NONE, 5))).isEmpty();
        assertThat(trial().state().limits()).isEqualTo(Limits.CLOSED);
        assertThat(trial().state().line().cursor()).isZero();
        trial().pass(Duration.ofSeconds(3).minusMillis(1));
        assertThat(trial().govern(trial().step(two, Limits.NONE, 5))).isEmpty();
        trial().pass(Duration.ofMillis(1));
        assertThat(trial().govern(trial().step(two, Limits.NONE, 5)).map(RoomState::limits))
                .isEqualTo(Optional.of(Limits.NONE));
        assertThat(trial().govern(trial().step(one, Limits.CLOSED, 0))).isEmpty();
        assertThat(trial().state().line().cursor()).isEqualTo(1);
    }

    @Test
    default void afterACrashAnyGovernorMayGovern() {
        trial().open(Limits.NONE);
        trial().crash();
        assertThat(trial().govern(trial().step(new GateId("g2"), Limits.NONE, 5))).isPresent();
    }

    @Test
    default void theHorizonNeverGoesBack() {
        assertThat(trial().govern(step(40)).orElseThrow().line().horizon()).isEqualTo(40);
        assertThat(trial().govern(step(30)).orElseThrow().line().horizon()).isEqualTo(40);
        assertThat(trial().govern(step(50)).orElseThrow().line().horizon()).isEqualTo(50);
    }

    private GovernorStep step(long horizon) {
        return new GovernorStep(new GateId("governor"), trial().in(PRESENT), Limits.NONE, SlowdownReason.HEALTH, 1,
                horizon,
                trial().now());
    }

    @Test
    default void theStateHasTheValuesOfTheGovernorsStep() {
        RoomState governed = trial().govern(step(FAR)).orElseThrow();
        assertThat(governed.slowed()).isEqualTo(SlowdownReason.HEALTH);
        assertThat(governed.limits()).isEqualTo(Limits.NONE);
        assertThat(governed.at()).isEqualTo(trial().now());
        assertThat(trial().state()).isEqualTo(governed);
    }

    @Test
    default void aRoomWithWaitingVisitorsIsCrowdedAlsoAfterACrash() {
        List<TicketHolder> line = trial().called(2, Limits.CLOSED);
        assertThat(trial().state().line().crowded()).isFalse();
        trial().present(line.getFirst());
        assertThat(trial().govern(Limits.CLOSED).line().crowded()).isTrue();
        trial().crash();
        assertThat(trial().state().line().crowded()).isTrue();
        trial().gate();
        assertThat(trial().govern(Limits.CLOSED).line().crowded()).isFalse();
    }

    @Test
    default void thePaceCountsAdmissionsAndCalledPlaces() {
        List<TicketHolder> line = trial().called(6, Limits.NONE);
        assertThat(enter(line.subList(0, 2))).isEqualTo(2);
        trial().pass(Duration.ofSeconds(30));
        assertThat(enter(line.subList(2, 3))).isEqualTo(1);
        assertThat(trial().join()).isInstanceOf(JoinResult.Entered.class);
        assertThat(trial().state().pace()).isEqualTo(new RoomState.Pace(2, 4, 1, 7, 4));
        trial().pass(Duration.ofSeconds(59));
        assertThat(trial().state().pace()).isEqualTo(new RoomState.Pace(0, 2, 0, 1, 4));
    }

    @Test
    default void unexpiredUsedUpTicketsAreRemembered() {
        List<TicketHolder> line = trial().called(2, Limits.NONE);
        assertThat(enter(line.subList(0, 1))).isEqualTo(1);
        trial().pass(Duration.ofHours(23));
        assertThat(enter(line.subList(1, 2))).isEqualTo(1);
        trial().pass(Duration.ofHours(2));
        for (int second = 0; second < 30; second++) {
            trial().gate();
            trial().govern(Limits.NONE);
            trial().pass(Duration.ofSeconds(60));
        }
        trial().crash();
        trial().open(Limits.NONE);
        assertThat(trial().admit(line.get(1))).isEqualTo(RoomTrial.spent());
    }
}
