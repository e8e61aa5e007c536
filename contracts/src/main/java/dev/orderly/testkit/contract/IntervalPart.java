package dev.orderly.testkit.contract;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.Declared;
import dev.orderly.schedule.PastRun.Outcome;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.schedule.Timing;
import dev.orderly.testkit.contract.job.JobTrial;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Schedules whose timing counts from the end of each run. */
public interface IntervalPart {
    Timing AFTER_THE_END = Timing.afterTheEnd(Duration.ofMinutes(7));

    JobTrial trial();

    private ScheduleState declareInterval(Timing timing) {
        return trial().schedules().declare(new ScheduleName("cleanup"),
                Declared.anew(timing.toString(), new NodeId("first")), trial().now());
    }

    private Optional<ScheduleState> step(ScheduleState seen, ScheduleStep step) {
        return trial().schedules().take(seen, step, trial().now());
    }

    private Optional<ScheduleState> fireAt(ScheduleState seen, Instant instant) {
        return step(seen, new ScheduleStep.Fire(instant, mail("cleanup " + instant).job()));
    }

    private static JobId run(ScheduleState state) {
        return Objects.requireNonNull(state.job());
    }

    @Test
    default void aTimingThatCountsFromTheEndStartsNoRunBeforeTheEndOfTheLastOne() {
        Instant due = trial().now().plusSeconds(420);
        ScheduleState fired = fireAt(declareInterval(AFTER_THE_END), due).orElseThrow();
        assertThat(fireAt(fired, due.plusSeconds(420))).isEmpty();
        assertThat(step(fired, new ScheduleStep.Run(mail("by hand").job()))).as("by hand").isEmpty();
        trial().crash();
        assertThat(fireAt(fired, due.plusSeconds(420))).as("after a crash").isEmpty();
        assertThat(trial().list(MAIL, JobState.WAITING)).containsExactly(run(fired));
        Instant end = due.plusSeconds(90);
        ScheduleState ended = step(fired, new ScheduleStep.End(run(fired), Outcome.DEAD, end)).orElseThrow();
        assertThat(ended.reached()).isEqualTo(end);
        assertThat(fireAt(ended, end)).isEmpty();
        trial().crash();
        assertThat(trial().schedules().states()).containsExactly(ended);
        assertThat(fireAt(ended, end.plusSeconds(420))).isPresent();
    }

    @Test
    default void anEndWhoseMomentIsNotKnownCountsFromItsRecord() {
        ScheduleState fired = fireAt(declareInterval(AFTER_THE_END), trial().now().plusSeconds(1)).orElseThrow();
        trial().pass(Duration.ofMinutes(20));
        ScheduleState ended = step(fired, new ScheduleStep.End(run(fired), Outcome.UNKNOWN, null)).orElseThrow();
        assertThat(ended.reached()).isEqualTo(trial().now());
        trial().crash();
        assertThat(trial().schedules().states()).containsExactly(ended);
    }

    @Test
    default void aTimingThatCountsFromTheEndCountsFromTheEndOfARunByHand() {
        ScheduleState run = step(declareInterval(AFTER_THE_END), new ScheduleStep.Run(mail("by hand").job()))
                .orElseThrow();
        Instant end = trial().now().plusSeconds(60);
        assertThat(fireAt(run, end)).isEmpty();
        ScheduleState ended = step(run, new ScheduleStep.End(run(run), Outcome.CANCELLED, end)).orElseThrow();
        assertThat(ended.reached()).isEqualTo(end);
        assertThat(ended.fired()).isNull();
    }

    @Test
    default void theEndOfARunDoesNotMoveATimingOfTheClock() {
        Instant due = trial().now().plusSeconds(420);
        ScheduleState fired = fireAt(declareInterval(Timing.every(Duration.ofMinutes(7))), due).orElseThrow();
        ScheduleState ended = step(fired, new ScheduleStep.End(run(fired), Outcome.DONE, due.plusSeconds(90)))
                .orElseThrow();
        assertThat(ended.reached()).isEqualTo(due);
        assertThat(fireAt(fireAt(ended, due.plusSeconds(420)).orElseThrow(), due.plusSeconds(840)))
                .as("with a run under way, which the engine skips").isPresent();
    }
}
