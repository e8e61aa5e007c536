package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** A schedule named report on the nodes of a store. */
abstract class ScheduleTest extends EngineTest {
    static final ScheduleName REPORT = new ScheduleName("report");
    static final Timing MINUTELY = Timing.parse("every minute");
    static final Duration MINUTE = Duration.ofMinutes(1);

    /** Starts the node and waits until the store knows the schedule. */
    final void start(Orderly node) {
        node.start();
        awaitTrue(() -> !store.schedules().states().isEmpty());
    }

    /** Lets enough time pass for the engine to check its schedules. */
    final void awaitCheck() {
        Instant enough = time.now().plusMillis(2_500);
        awaitTrue(() -> time.now().isAfter(enough));
    }

    final ScheduleView scheduleView() {
        return scheduleView(orderly);
    }

    static ScheduleView scheduleView(Orderly node) {
        return node.schedules().view(REPORT).orElseThrow();
    }

    final JobId lastJob() {
        JobId last = store.schedules().states().getFirst().job();
        assertThat(last).isNotNull();
        return Objects.requireNonNull(last);
    }

    static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + "Z");
    }
}
