package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static dev.orderly.testkit.contract.room.RoomTrial.capacity;
import static dev.orderly.testkit.contract.room.RoomTrial.rate;
import static dev.orderly.testkit.contract.room.RoomTrial.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.AdmissionResult.Entered;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomChange;
import dev.orderly.testkit.contract.input.CallerThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Capacity and rate. */
public interface RoomLimitPart extends RoomPart {
    Duration MOMENT = Duration.ofMillis(1);
    Duration PERIOD = Duration.ofSeconds(15);

    private List<AdmissionResult> admitAll(List<TicketHolder> visitors) {
        return trial().admit(AdmissionRequest.Kind.TAKEN, visitors);
    }

    private static long entered(List<AdmissionResult> results) {
        return results.stream().filter(Entered.class::isInstance).count();
    }

    @Test
    default void noMorePassesLiveThanTheCapacity() {
        List<TicketHolder> line = trial().called(5, capacity(2));
        assertThat(admitAll(line)).containsExactly(trial().entered(), trial().entered(), waits(0), waits(1), waits(2));
        trial().pass(PASS.minus(MOMENT));
        assertThat(entered(admitAll(line.subList(2, 5)))).isZero();
        trial().pass(MOMENT);
        assertThat(entered(admitAll(line.subList(2, 5)))).isEqualTo(2);
    }

    @Test
    default void theRateAdmitsTheNextVisitorExactlyAPeriodLater() {
        List<TicketHolder> line = trial().called(4, rate(2, PERIOD));
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
        trial().pass(Duration.ofSeconds(10));
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
        trial().pass(Duration.ofSeconds(5).minus(MOMENT));
        assertThat(trial().admit(line.get(2))).isEqualTo(waits(0));
        trial().pass(MOMENT);
        assertThat(trial().admit(line.get(2))).isEqualTo(trial().entered());
        assertThat(trial().admit(line.get(3))).isEqualTo(waits(0));
        trial().pass(Duration.ofSeconds(10).minus(MOMENT));
        assertThat(trial().admit(line.get(3))).as("the window rolls").isEqualTo(waits(0));
        trial().pass(MOMENT);
        assertThat(trial().admit(line.get(3))).isEqualTo(trial().entered());
    }

    @Test
    default void admissionsAtAJoinCountTowardsCapacityAndRate() {
        trial().open(new Limits(3, new Rate(2, PERIOD)));
        assertThat(Stream.generate(trial()::join).limit(3)).extracting(Object::getClass).containsExactly(
                JoinResult.Entered.class, JoinResult.Entered.class, JoinResult.Placed.class);
        trial().pass(PERIOD);
        assertThat(Stream.generate(trial()::join).limit(2)).extracting(Object::getClass).containsExactly(
                JoinResult.Entered.class, JoinResult.Placed.class);
        assertThat(trial().active()).isEqualTo(3);
    }

    @Test
    default void theRateCountsAdmissionsFromBeforeItWasSet() {
        List<TicketHolder> line = trial().called(5, Limits.NONE);
        admitAll(line.subList(0, 2));
        trial().govern(rate(3, PERIOD));
        assertThat(entered(admitAll(line.subList(2, 5)))).isEqualTo(1);
        trial().pass(PERIOD);
        trial().govern(rate(3, Duration.ofHours(1)));
        assertThat(entered(admitAll(line.subList(3, 5)))).as("a longer period looks further back").isZero();
        trial().govern(rate(3, PERIOD));
        assertThat(entered(admitAll(line.subList(3, 5)))).isEqualTo(2);
    }

    @Test
    default void theRateCountsAdmissionsFromBeforeACrash() {
        List<TicketHolder> line = trial().called(4, rate(2, PERIOD));
        admitAll(line.subList(0, 2));
        trial().pass(PERIOD.minus(MOMENT));
        trial().crash();
        trial().open(rate(2, PERIOD));
        assertThat(entered(admitAll(line.subList(2, 4)))).isZero();
        trial().pass(MOMENT);
        assertThat(entered(admitAll(line.subList(2, 4)))).isEqualTo(2);
    }

    @Test
    default void theRateCountsAdmissionsOfEndedPasses() {
        Limits limits = rate(4, Duration.ofHours(1));
        List<TicketHolder> line = trial().called(6, limits);
        admitAll(line.subList(0, 2));
        trial().admit(AdmissionRequest.Kind.UNTAKEN, line.get(2));
        trial().pass(PASS);
        trial().depart(line.get(0));
        assertThat(trial().revive(line.get(1))).isTrue();
        assertThat(trial().admit(line.get(2))).as("admitted twice").isEqualTo(trial().entered());
        assertThat(trial().admit(line.get(3))).isEqualTo(waits(0));
        trial().crash();
        trial().open(limits);
        assertThat(trial().admit(line.get(3))).isEqualTo(waits(0));
        trial().pass(Duration.ofHours(1).minus(PASS));
        assertThat(entered(admitAll(line.subList(3, 6)))).as("the first three admissions are an hour old").isEqualTo(3);
    }

    @Test
    default void theRateCountsAdmissionsOfThePreviousEpoch() {
        List<TicketHolder> line = trial().called(2, rate(2, PERIOD));
        admitAll(line);
        trial().change(new RoomChange.NewEpoch());
        trial().gate();
        assertThat(trial().join()).isInstanceOf(JoinResult.Placed.class);
        trial().crash();
        trial().open(rate(2, PERIOD));
        assertThat(trial().join()).isInstanceOf(JoinResult.Placed.class);
        trial().pass(PERIOD);
        assertThat(trial().join()).isInstanceOf(JoinResult.Entered.class);
    }

    @Test
    default void callsInAnotherOrderThanTheirMomentsDoNotWidenTheRate() {
        List<TicketHolder> line = trial().called(3, rate(2, PERIOD));
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
        trial().pass(Duration.ofSeconds(1));
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
        trial().pass(Duration.ofSeconds(14));
        assertThat(trial().state().load().free()).isEqualTo(1);
        List<AdmissionRequest> late = List.of(trial().request(line.get(2), AdmissionRequest.Kind.TAKEN));
        int admitted = (int) entered(trial().rooms().admit(SALE, late, trial().now().minus(MOMENT)));
        trial().pass(PERIOD.minus(MOMENT));
        assertThat(trial().state().load().free()).as("an admission counts from its moment")
                .isEqualTo(2 - admitted);
    }

    @Test
    default void concurrentRequestsNeverExceedTheLimits() {
        List<TicketHolder> line = trial().called(400, new Limits(90, new Rate(60, PERIOD)));
        AtomicInteger next = new AtomicInteger();
        assertThat(entered(CallerThreads.all(4, 100, () -> trial().admit(line.get(next.getAndIncrement())))))
                .isEqualTo(60);
        trial().pass(PERIOD);
        next.set(0);
        assertThat(entered(CallerThreads.all(4, 100, () -> trial().admit(line.get(next.getAndIncrement())))))
                .as("60 inside, and 30 more").isEqualTo(90);
        assertThat(trial().active()).isEqualTo(90);
    }

    @Test
    default void concurrentJoinsNeverExceedTheLimits() {
        trial().open(capacity(25));
        List<JoinResult> results = CallerThreads.all(4, 20, trial()::join);
        assertThat(results).filteredOn(JoinResult.Entered.class::isInstance).hasSize(25);
        assertThat(trial().active()).isEqualTo(25);
    }

    @Test
    default void loweringTheCapacityEndsNoPass() {
        List<TicketHolder> line = trial().called(4, capacity(3));
        admitAll(line.subList(0, 3));
        assertThat(trial().govern(capacity(1)).load().active()).isEqualTo(3);
        assertThat(trial().state().load().free()).isZero();
        assertThat(trial().renew(line.get(0), PASS.multipliedBy(2))).isTrue();
        trial().depart(line.get(1));
        assertThat(trial().admit(line.get(3))).isEqualTo(waits(0));
        trial().depart(line.get(2));
        assertThat(trial().admit(line.get(3))).isEqualTo(waits(0));
        trial().depart(line.get(0));
        assertThat(trial().admit(line.get(3))).isEqualTo(trial().entered());
    }

    @Test
    default void admissionsByAGateAreRecordedBeyondTheLimitsAndDelayFurtherOnes() {
        List<TicketHolder> line = trial().called(5, new Limits(2, new Rate(2, PERIOD)));
        admitAll(line.subList(0, 2));
        assertThat(trial().admit(AdmissionRequest.Kind.RECORDED, line.get(2))).isEqualTo(trial().entered());
        assertThat(trial().admit(AdmissionRequest.Kind.RECORDED, line.get(2))).isEqualTo(trial().entered());
        assertThat(trial().active()).isEqualTo(3);
        trial().depart(line.get(0));
        trial().pass(PERIOD);
        assertThat(trial().admit(line.get(3))).isEqualTo(waits(0));
        trial().depart(line.get(1));
        assertThat(trial().admit(line.get(3))).isEqualTo(trial().entered());
        trial().pass(PASS);
        assertThat(trial().admit(line.get(2))).as("its ticket is used up").isEqualTo(RoomTrial.spent());
    }

    @Test
    default void admissionsByAGateCountTowardsTheRate() {
        List<TicketHolder> line = trial().called(3, rate(1, PERIOD));
        trial().admit(AdmissionRequest.Kind.RECORDED, List.of(line.get(0), line.get(1)));
        trial().pass(PERIOD.minus(MOMENT));
        assertThat(trial().admit(line.get(2))).isEqualTo(waits(0));
        trial().pass(MOMENT);
        assertThat(trial().admit(line.get(2))).isEqualTo(trial().entered());
    }

    @Test
    default void anAdmissionByAGateBeforeTheCallMovesTheCursor() {
        trial().open(Limits.CLOSED);
        List<TicketHolder> line = trial().line(3);
        assertThat(trial().admit(AdmissionRequest.Kind.RECORDED, line.get(1))).isEqualTo(trial().entered());
        assertThat(trial().state().line().cursor()).isEqualTo(2);
    }

    @Test
    default void passesSurviveACrash() {
        List<TicketHolder> line = trial().called(3, capacity(2));
        admitAll(line.subList(0, 2));
        trial().pass(Duration.ofMinutes(1));
        assertThat(trial().renew(line.get(0), PASS)).isTrue();
        trial().crash();
        trial().open(capacity(2));
        assertThat(trial().active()).isEqualTo(2);
        assertThat(trial().admit(line.get(2))).isEqualTo(waits(0));
        trial().pass(Duration.ofMinutes(4));
        assertThat(trial().active()).as("one was not renewed").isEqualTo(1);
        assertThat(trial().renew(line.get(0), PASS)).isTrue();
        assertThat(trial().admit(line.get(2))).isEqualTo(trial().entered());
    }

    @Test
    default void withoutLimitsEverybodyEnters() {
        trial().open(Limits.NONE);
        List<JoinRequest> joins = Stream.generate(trial()::asking).limit(300).toList();
        assertThat(trial().rooms().join(SALE, joins, trial().now())).hasOnlyElementsOfType(JoinResult.Entered.class);
        assertThat(trial().active()).isEqualTo(300);
    }

    @Test
    default void afterACrashTheRoomIsClosedUntilItIsGoverned() {
        List<TicketHolder> line = trial().called(1, Limits.NONE);
        trial().crash();
        trial().gate();
        assertThat(trial().state().limits()).isEqualTo(Limits.CLOSED);
        assertThat(trial().admit(line.getFirst())).isEqualTo(waits(0));
        assertThat(trial().join()).isInstanceOf(JoinResult.Placed.class);
        trial().govern(Limits.NONE);
        assertThat(trial().admit(line.getFirst())).isEqualTo(trial().entered());
    }
}
