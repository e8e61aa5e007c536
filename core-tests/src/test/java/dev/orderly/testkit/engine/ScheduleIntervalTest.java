package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.schedule.PastRun;
import dev.orderly.schedule.PastRun.Outcome;
import dev.orderly.schedule.RunResult;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Schedules whose next run follows the end of the run before. */
class ScheduleIntervalTest extends ScheduleTest {
    private static final Duration SEVEN = Duration.ofMinutes(7);
    private static final Timing AFTER = Timing.afterTheEnd(SEVEN);

    private static final QueueName REPORTS = new QueueName("reports");

    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicBoolean broken = new AtomicBoolean();

    /** The schedule on a node, into a queue whose jobs wait while it is paused, so that no run is cut off by a jump. */
    private void schedule(Orderly node, Timing timing) {
        StandardQueue<String> reports = node.queue("reports", String.class,
                options -> options.withRetry(options.retry().withAttempts(1)));
        node.handle(reports, (_, _) -> {
            runs.incrementAndGet();
            if (broken.get()) {
                throw new IllegalStateException("no paper");
            }
        });
        node.schedule("report", timing, reports, "go");
        start(node);
    }

    /** Lets time pass until the first run is under way: its job waits. */
    private JobId firstRunWaits() {
        orderly.jobs().pause(REPORTS, true);
        time.advance(SEVEN);
        awaitTrue(() -> scheduleView().lastJob() != null);
        return lastJob();
    }

    @Test
    void theIntervalCountsFromTheEndOfTheRunBeforeAndNoInstantIsSkipped() {
        schedule(orderly, AFTER);
        assertThat(scheduleView().next()).as("from its declaration on").isAfterOrEqualTo(at("12:07:00"));
        JobId first = firstRunWaits();
        assertThat(scheduleView().next()).isNull();
        assertThat(scheduleView().upcoming(5)).isEmpty();
        time.advance(MINUTE.multipliedBy(30));
        awaitCheck();
        assertThat(lastJob()).isEqualTo(first);
        assertThat(scheduleView().lastSkipped()).isNull();

        Instant end = endOf(first, JobState.DONE);
        assertThat(scheduleView().upcoming(5)).containsExactly(next(end));
        awaitTrue(() -> last().outcome() == Outcome.DONE);
        assertThat(scheduleView().next()).isEqualTo(next(end));
        time.advance(SEVEN);
        awaitTrue(() -> next(end).equals(scheduleView().last()));
    }

    @Test
    void aDeadRunHasEndedAndTheEndOfARedriveCountsAnew() {
        schedule(orderly, AFTER);
        broken.set(true);
        JobId run = firstRunWaits();
        Instant dead = endOf(run, JobState.DEAD);
        awaitTrue(() -> last().outcome() == Outcome.DEAD);
        assertThat(scheduleView().next()).isEqualTo(next(dead));

        broken.set(false);
        orderly.jobs().pause(REPORTS, true);
        assertThat(orderly.jobs().redrive(REPORTS, List.of(run), 1)).isEqualTo(1);
        time.advance(SEVEN.multipliedBy(2));
        awaitCheck();
        assertThat(lastJob()).as("no second run beside the redriven one").isEqualTo(run);
        Instant done = endOf(run, JobState.DONE);
        awaitTrue(() -> last().outcome() == Outcome.DONE);
        assertThat(scheduleView().next()).isEqualTo(next(done));
        assertThat(lastJob()).isEqualTo(run);
    }

    @Test
    void aCancelledRunHasEnded() {
        schedule(orderly, AFTER);
        JobId run = firstRunWaits();
        orderly.jobs().cancel(run);
        Instant end = endOf(run, JobState.CANCELLED);
        awaitTrue(() -> last().outcome() == Outcome.CANCELLED);
        assertThat(scheduleView().next()).isEqualTo(next(end));
        time.advance(SEVEN);
        awaitTrue(() -> !run.equals(lastJob()));
    }

    @Test
    void aRunWhoseJobIsForgottenHasEndedWhenThatIsFound() {
        schedule(orderly, AFTER);
        JobId gone = firstRunWaits();
        Instant before = time.now();
        orderly.stop();
        store.jobs().cancel(gone, time.now());
        time.advance(Duration.ofSeconds(1));
        store.jobs().upkeep(new UpkeepRequest(Duration.ofHours(1), 3, Map.of(),
                new Retention(Duration.ZERO, 0, Duration.ZERO), 100), time.now());
        assertThat(store.jobViews().find(gone)).isEmpty();
        Orderly other = node("node-b");
        schedule(other, AFTER);
        awaitTrue(() -> last().outcome() == Outcome.UNKNOWN);
        assertThat(Objects.requireNonNull(scheduleView(other).next())).isAfterOrEqualTo(before.plus(SEVEN));
        time.advance(SEVEN);
        awaitTrue(() -> !gone.equals(lastJob()));
        other.stop();
    }

    @Test
    void aRunByHandIsARunFromWhoseEndTheIntervalCounts() {
        schedule(orderly, AFTER);
        orderly.jobs().pause(REPORTS, true);
        time.advance(MINUTE);
        RunResult.Started started = (RunResult.Started) orderly.schedules().run(REPORT);
        assertThat(orderly.schedules().run(REPORT)).isEqualTo(new RunResult.UnderWay(started.id()));
        time.advance(SEVEN);
        awaitCheck();
        assertThat(lastJob()).isEqualTo(started.id());
        Instant end = endOf(started.id(), JobState.DONE);
        assertThat(scheduleView().next()).isEqualTo(next(end));
        time.advance(SEVEN);
        awaitTrue(() -> next(end).equals(scheduleView().last()));
    }

    @Test
    void aPauseKeepsAnInstantThatIsToComeAndAfterALongerOneTheIntervalBeginsAnew() {
        schedule(orderly, AFTER);
        Instant first = Objects.requireNonNull(scheduleView().next());
        orderly.schedules().pause(REPORT, "eve");
        time.advance(MINUTE);
        assertThat(orderly.schedules().resume(REPORT).orElseThrow().next()).isEqualTo(first);
        orderly.schedules().pause(REPORT, "eve");
        time.advance(MINUTE.multipliedBy(30));
        Instant before = time.now();
        ScheduleView resumed = orderly.schedules().resume(REPORT).orElseThrow();
        assertThat(Objects.requireNonNull(resumed.next())).isAfterOrEqualTo(before.plus(SEVEN));
        assertThat(state().job()).isNull();
        time.advance(SEVEN);
        awaitTrue(() -> runs.get() == 1);
    }

    @Test
    void twoNodesFireOnceAndTheOtherGoesOnWhenOneIsGone() {
        schedule(orderly, AFTER);
        Orderly other = node("node-b");
        schedule(other, AFTER);
        JobId first = firstRunWaits();
        endOf(first, JobState.DONE);
        awaitTrue(() -> last().outcome() == Outcome.DONE);
        orderly.stop();
        time.advance(SEVEN);
        awaitTrue(() -> !first.equals(lastJob()));
        JobId second = lastJob();
        endOf(second, JobState.DONE);
        awaitTrue(() -> last().outcome() == Outcome.DONE);
        assertThat(state().history().runs().stream().map(PastRun::job)).containsExactly(second, first);
        other.stop();
    }

    @Test
    void afterADowntimeOneRunIsMadeUpFor() {
        Orderly before = node("before");
        schedule(before, AFTER);
        before.stop();
        time.advance(Duration.ofHours(9));
        schedule(orderly, AFTER);
        awaitTrue(() -> scheduleView().lastJob() != null);
        Instant end = endOf(lastJob(), JobState.DONE);
        awaitTrue(() -> last().outcome() == Outcome.DONE);
        assertThat(scheduleView().next()).isEqualTo(next(end));
        assertThat(state().history().runs()).hasSize(1);
    }

    @Test
    void anotherTimingDuringARunWaitsForItsEnd() {
        Orderly before = node("before");
        schedule(before, MINUTELY);
        before.jobs().pause(REPORTS, true);
        time.advance(MINUTE);
        awaitTrue(() -> scheduleView(before).lastJob() != null);
        JobId run = lastJob();
        before.stop();
        schedule(orderly, AFTER);
        awaitTrue(() -> state().timing().equals(AFTER.toString()));
        time.advance(MINUTE.multipliedBy(30));
        awaitCheck();
        assertThat(lastJob()).isEqualTo(run);
        Instant end = endOf(run, JobState.DONE);
        awaitTrue(() -> last().outcome() == Outcome.DONE);
        assertThat(scheduleView().next()).isEqualTo(next(end));
    }

    @Test
    void theTimeoutOfAHandlerIsNotThatOfTheInterval() {
        assertThat(orderly.engines().schedules().optionsFor(Timing.afterTheEnd(Duration.ofSeconds(10))).timeout())
                .isEqualTo(Duration.ofMinutes(5));
    }

    /** The end of a job, once the queue is worked on. */
    private Instant endOf(JobId job, JobState state) {
        orderly.jobs().pause(REPORTS, false);
        awaitState(job, state);
        return Objects.requireNonNull(view(job).endedAt());
    }

    private static Instant next(Instant end) {
        return AFTER.next(end).orElseThrow();
    }

    /** The last run as it is recorded. */
    private PastRun last() {
        return state().history().runs().stream().filter(run -> run.job() != null).findFirst().orElseThrow();
    }

    private ScheduleState state() {
        return store.schedules().states().getFirst();
    }
}
