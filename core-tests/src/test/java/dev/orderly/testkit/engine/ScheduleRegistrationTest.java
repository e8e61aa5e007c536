package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.Registration;
import dev.orderly.job.NodeId;
import dev.orderly.job.StandardQueue;
import dev.orderly.schedule.ForgetScheduleResult;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.Timing;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Schedules whose registration is closed, and schedules that are forgotten. */
class ScheduleRegistrationTest extends ScheduleTest {
    @Test
    void aClosedScheduleFiresNoMoreAndCanBeForgottenOrDeclaredAnew() {
        StandardQueue<String> reports = orderly.queue("reports", String.class);
        Registration schedule = orderly.schedule("report", MINUTELY, reports, "a");
        start(orderly);
        time.advance(MINUTE);
        awaitTrue(() -> scheduleView().lastJob() != null);
        assertThat(orderly.schedules().forget(REPORT))
                .isEqualTo(new ForgetScheduleResult.StillDeclared(REPORT, new NodeId("node-a")));
        schedule.close();
        schedule.close();
        assertThat(orderly.schedules().isDeclared(REPORT)).isFalse();
        awaitTrue(() -> store.schedules().undeclared().equals(List.of(REPORT)));
        Instant fired = store.schedules().states().getFirst().fired();
        time.advance(MINUTE.multipliedBy(3));
        awaitCheck();
        assertThat(store.schedules().states().getFirst().fired()).isEqualTo(fired);
        assertThat(orderly.schedules().undeclared()).hasSize(1);
        assertThat(orderly.schedules().forget(REPORT)).isEqualTo(new ForgetScheduleResult.Forgotten(REPORT));
        assertThat(orderly.schedules().undeclared()).isEmpty();
        assertThat(orderly.schedules().forget(REPORT)).isEqualTo(new ForgetScheduleResult.Unknown(REPORT));
        orderly.schedule("report", Timing.parse("hourly"), reports, "b");
        awaitTrue(() -> !store.schedules().states().isEmpty());
        assertThat(store.schedules().states().getFirst().timing()).isEqualTo("hourly UTC");
        schedule.close();
        awaitCheck();
        assertThat(orderly.schedules().isDeclared(REPORT)).isTrue();
        assertThat(store.schedules().undeclared()).isEmpty();
    }

    @Test
    void anotherNodeGoesOnWithItsOwnTimingWhenTheLaterDeclarationIsClosed() {
        orderly.schedule("report", MINUTELY, orderly.queue("reports", String.class), "here");
        start(orderly);
        Orderly later = node("later");
        Registration there = later.schedule("report", Timing.parse("hourly"), later.queue("reports", String.class),
                "there");
        later.start();
        awaitTrue(() -> store.schedules().states().getFirst().timing().equals("hourly UTC"));
        there.close();
        awaitTrue(() -> store.schedules().states().getFirst().timing().equals("every minute UTC"));
        assertThat(later.schedules().forget(REPORT))
                .isEqualTo(new ForgetScheduleResult.StillDeclared(REPORT, new NodeId("node-a")));
        later.stop();
    }

    @Test
    void aHandlersScheduleIsClosedAndRegisteredAgainWithAnotherTiming() {
        List<Instant> first = new CopyOnWriteArrayList<>();
        List<Instant> second = new CopyOnWriteArrayList<>();
        Registration schedule = orderly.schedule("report", MINUTELY, run -> first.add(run.instant()));
        start(orderly);
        time.advance(MINUTE);
        awaitTrue(() -> first.size() == 1);
        schedule.close();
        orderly.schedule("report", Timing.parse("hourly"), run -> second.add(run.instant()));
        awaitTrue(() -> store.schedules().states().getFirst().timing().equals("hourly UTC"));
        time.advance(MINUTE.multipliedBy(60));
        awaitTrue(() -> second.size() == 1);
        assertThat(first).hasSize(1);
        assertThat(second).containsExactly(at("13:00:00"));
    }

    @Test
    void aClosedScheduleIsWithdrawnOnceTheStoreAnswersAgain() {
        FaultyStore faults = new FaultyStore(store);
        Orderly node = Orderly.open(faults, options("faulty"));
        Registration schedule = node.schedule("report", MINUTELY, node.queue("reports", String.class), "a");
        start(node);
        faults.failNext(Call.SCHEDULE_WITHDRAW, Fault.BEFORE, 3);
        schedule.close();
        awaitTrue(() -> store.schedules().undeclared().equals(List.of(REPORT)));
        node.stop();
    }

    @Test
    void aScheduleThatIsNotKnownIsNotForgotten() {
        ScheduleName nowhere = new ScheduleName("nowhere");
        assertThat(orderly.schedules().forget(nowhere)).isEqualTo(new ForgetScheduleResult.Unknown(nowhere));
    }
}
