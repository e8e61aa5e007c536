package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.StandardQueue;
import dev.orderly.schedule.PastRun;
import dev.orderly.schedule.RunResult;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.schedule.ScheduledRun;
import dev.orderly.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;

/** Pauses of schedules, and the records of their runs. */
class SchedulePauseTest extends EngineTest {
    private static final ScheduleName REPORT = new ScheduleName("report");
    private static final Timing MINUTELY = Timing.parse("every minute");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final NavigableSet<Instant> runs = new ConcurrentSkipListSet<>();

    @Test
    void aPausedScheduleFiresNothingOnAnyNodeAndDoesNotCatchUp() {
        orderly.schedule("report", MINUTELY, this::run);
        start();
        time.advance(MINUTE);
        awaitTrue(() -> runs.size() == 1 && ended() == 1);
        Orderly other = node("other");
        other.schedule("report", MINUTELY, this::run);
        ScheduleView paused = other.schedules().pause(REPORT, "token eve").orElseThrow();
        assertThat(Objects.requireNonNull(paused.pause()).by()).isEqualTo("token eve");
        assertThat(paused.next()).isNull();
        assertThat(paused.upcoming(5)).isEmpty();
        time.advance(MINUTE.multipliedBy(10));
        assertThat(orderly.schedules().run(REPORT)).as("by hand").isInstanceOf(RunResult.Started.class);
        awaitTrue(() -> runs.size() == 2 && ended() == 2);
        assertThat(other.schedules().resume(REPORT).orElseThrow().upcoming(2)).hasSize(2);
        time.advance(MINUTE);
        awaitTrue(() -> runs.size() == 3);
        assertThat(runs.first()).isEqualTo(at("12:01:00"));
        assertThat(runs.last()).isAfterOrEqualTo(at("12:12:00"));
        other.close();
    }

    @Test
    void theEndOfARunIsRecordedAlthoughItsJobIsForgotten() {
        StandardQueue<String> reports = orderly.queue("reports", String.class);
        orderly.handle(reports, (_, _) -> {});
        orderly.schedule("report", MINUTELY, reports, "go");
        start();
        time.advance(MINUTE);
        awaitTrue(() -> store.schedules().states().getFirst().history().runs().stream()
                .anyMatch(run -> run.outcome() == PastRun.Outcome.DONE));
        PastRun run = orderly.schedules().view(REPORT).orElseThrow().runs().getLast();
        assertThat(run.instant()).isEqualTo(at("12:01:00"));
        assertThat(Objects.requireNonNull(run.endedAt())).isAfterOrEqualTo(at("12:01:00"));
        assertThat(run.job()).isNotNull();
    }

    /** A run may begin twice, since the jumps of the clock end the lease of its node. */
    private void run(ScheduledRun run) {
        runs.add(run.instant());
    }

    private void start() {
        orderly.start();
        awaitTrue(() -> !store.schedules().states().isEmpty());
    }

    private long ended() {
        return store.schedules().states().getFirst().history().runs().stream()
                .filter(run -> run.outcome() == PastRun.Outcome.DONE).count();
    }

    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + "Z");
    }
}
