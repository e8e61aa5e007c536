package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.Payload;
import dev.orderly.job.StandardQueue;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.Timing;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nodes that declare a schedule with different timings, and schedules that no live node declares. */
class ScheduleDeclarerTest extends ScheduleTest {
    @Test
    void theLastDeclaredTimingCountsOnAllNodes() {
        StandardQueue<String> reports = orderly.queue("reports", String.class);
        orderly.schedule("report", MINUTELY, reports, "old");
        start(orderly);
        Orderly newer = node("node-b");
        newer.schedule("report", Timing.parse("hourly"), newer.queue("reports", String.class), "new");
        newer.start();
        awaitTrue(() -> store.schedules().states().getFirst().timing().equals("hourly UTC"));
        time.advance(MINUTE.multipliedBy(10));
        awaitCheck();
        assertThat(scheduleView().lastJob()).isNull();
        time.advance(MINUTE.multipliedBy(50));
        awaitTrue(() -> at("13:00:00").equals(scheduleView().last()));
        assertThat(view(lastJob()).payload()).isEqualTo(Payload.text("new"));
        newer.stop();
    }

    @Test
    void theTimingOfANodeThatStoppedGivesWayToThatOfANodeThatLives() {
        Orderly older = declaredLater(store);
        older.stop();
        awaitTrue(() -> store.schedules().states().getFirst().timing().equals("every minute UTC"));
        time.advance(MINUTE);
        awaitTrue(() -> scheduleView().lastJob() != null);
        assertThat(view(lastJob()).payload()).isEqualTo(Payload.text("new"));
    }

    @Test
    void theTimingOfANodeThatDiedGivesWayToThatOfANodeThatLives() {
        FaultyStore killed = new FaultyStore(store);
        killed.failNext(Call.SCHEDULE_WITHDRAW, Fault.BEFORE, 1);
        killed.failNext(Call.LEAVE, Fault.BEFORE, 1);
        Orderly older = declaredLater(killed);
        older.stop();
        assertThat(store.schedules().undeclared()).isEmpty();
        awaitTrue(() -> {
            time.advance(Duration.ofMillis(200));
            return store.schedules().states().getFirst().timing().equals("every minute UTC");
        });
        time.advance(MINUTE);
        awaitTrue(() -> scheduleView().lastJob() != null);
        assertThat(view(lastJob()).payload()).isEqualTo(Payload.text("new"));
    }

    /** A node with another timing that came up after this one. */
    private Orderly declaredLater(Store shared) {
        orderly.schedule("report", MINUTELY, orderly.queue("reports", String.class), "new");
        start(orderly);
        Orderly older = Orderly.open(shared, options("older"));
        older.schedule("report", Timing.parse("hourly"), older.queue("reports", String.class), "old");
        older.start();
        awaitTrue(() -> store.schedules().states().getFirst().timing().equals("hourly UTC"));
        awaitCheck();
        assertThat(store.schedules().states().getFirst().timing()).isEqualTo("hourly UTC");
        return older;
    }

    @Test
    void aScheduleThatNoLiveNodeDeclaresIsNoticed() {
        Orderly other = node("other");
        other.schedule("gone", MINUTELY, other.queue("reports", String.class), "gone");
        start(other);
        orderly.schedule("report", MINUTELY, orderly.queue("reports", String.class), "here");
        orderly.start();
        awaitTrue(() -> store.schedules().states().size() == 2);
        awaitCheck();
        assertThat(orderly.schedules().undeclared()).isEmpty();
        assertThat(orderly.engines().schedules().undeclaredLately()).isEmpty();
        other.stop();
        awaitTrue(() -> !orderly.engines().schedules().undeclaredLately().isEmpty());
        assertThat(orderly.engines().schedules().undeclaredLately()).containsExactly(new ScheduleName("gone"));
        assertThat(orderly.schedules().undeclared()).containsExactly(store.schedules().states().getFirst());
    }
}
