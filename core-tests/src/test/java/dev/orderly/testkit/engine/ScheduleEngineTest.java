package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.flow.Lifecycle;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.engine.MessageTarget;
import dev.orderly.schedule.RunResult;
import dev.orderly.schedule.ScheduleEngine;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduledRun;
import dev.orderly.schedule.Timing;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.resilience.InterceptedStore;
import dev.orderly.user.UserId;
import dev.orderly.user.UserScope;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScheduleEngineTest extends ScheduleTest {
    private static final Duration BEAT = Duration.ofSeconds(5);

    private final List<Instant> runs = new CopyOnWriteArrayList<>();

    @Test
    void eachInstantRunsTheHandlerOnceWithItsInstant() {
        AtomicReference<ScheduledRun> seen = new AtomicReference<>();
        AtomicReference<Orderly> current = new AtomicReference<>();
        orderly.schedule("report", Timing.parse("*/5 * * * *", ZoneId.of("Europe/Berlin")), run -> {
            runs.add(run.instant());
            seen.set(run);
            current.set(Orderly.current());
            run.job().result(Map.of("lines", 3));
        });
        start(orderly);
        for (int n = 1; n <= 3; n++) {
            time.advance(MINUTE.multipliedBy(5));
            awaitEnded(n);
        }
        assertThat(runs).containsExactly(at("12:05:00"), at("12:10:00"), at("12:15:00"));
        assertThat(seen.get().name()).isEqualTo(REPORT);
        assertThat(seen.get().cron()).isEqualTo("*/5 * * * *");
        assertThat(seen.get().jobId()).isEqualTo(lastJob());
        assertThat(seen.get().signal().isRaised()).isFalse();
        assertThat(current).hasValue(orderly);
        awaitState(lastJob(), JobState.DONE);
        assertThat(view(lastJob()).result()).isEqualTo(Payload.json("{\"lines\":3}"));
    }

    @Test
    void afterADowntimeOnlyTheLastMissedInstantRuns() {
        Orderly before = node("before");
        before.schedule("report", MINUTELY, run -> runs.add(run.instant()));
        start(before);
        time.advance(MINUTE);
        awaitEnded(1);
        before.stop();
        time.advance(Duration.ofHours(9).plusSeconds(30));
        orderly.schedule("report", MINUTELY, run -> runs.add(run.instant()));
        start(orderly);
        awaitEnded(2);
        time.advance(MINUTE);
        awaitEnded(3);
        assertThat(runs).containsExactly(at("12:01:00"), at("21:01:00"), at("21:02:00"));
    }

    @Test
    void aRunBeginsWithinTheJitterOfItsInstant() {
        Timing timing = MINUTELY.withJitter(Duration.ofSeconds(40));
        orderly.schedule("report", timing, run -> runs.add(run.instant()));
        start(orderly);
        time.advance(Duration.ofSeconds(40));
        for (int n = 1; n <= 3; n++) {
            time.advance(MINUTE);
            awaitEnded(n);
        }
        assertThat(runs).containsExactly(at("12:01:00"), at("12:02:00"), at("12:03:00"));
        assertThat(scheduleView().runs()).allSatisfy(run -> assertThat(run.at()).isAfterOrEqualTo(run.instant()));
        assertThat(store.schedules().states().getFirst().timing()).endsWith(" jitter PT40S");
    }

    @Test
    void aScheduleFiresAgainAfterTheClockWasAYearAhead() {
        orderly.schedule("report", MINUTELY, run -> runs.add(run.instant()));
        start(orderly);
        time.jump(Duration.ofDays(365));
        awaitEnded(1);
        time.jump(Duration.ofDays(-365));
        awaitTrue(() -> Objects.requireNonNull(scheduleView().next()).isBefore(at("12:10:00")));
        time.advance(MINUTE);
        awaitEnded(2);
        assertThat(runs.getLast()).isBefore(at("12:10:00"));
    }

    @Test
    void anInstantIsSkippedWhileARunIsUnderWay() {
        CountDownLatch release = new CountDownLatch(1);
        InterceptedStore watched = new InterceptedStore(store);
        AtomicInteger beats = new AtomicInteger();
        watched.around("beat", (_, work) -> {
            Object beat = work.get();
            beats.incrementAndGet();
            return beat;
        });
        Orderly busy = Orderly.open(watched, options("busy"));
        busy.schedule("report", MINUTELY, _ -> busy.engines().schedules().optionsFor(Timing.parse("daily")), run -> {
            runs.add(run.instant());
            release.await();
        });
        start(busy);
        time.advance(MINUTE);
        awaitRuns(1);
        for (int n = 1; n <= 12; n++) {
            int before = beats.get();
            time.advance(BEAT);
            awaitTrue(() -> beats.get() > before);
        }
        awaitTrue(() -> at("12:02:00").equals(scheduleView(busy).lastSkipped()));
        assertThat(scheduleView(busy).last()).isEqualTo(at("12:01:00"));
        assertThat(scheduleView(busy).lastState()).isEqualTo(JobState.RUNNING);
        assertThat(scheduleView(busy).next()).isEqualTo(at("12:03:00"));
        release.countDown();
        awaitState(lastJob(), JobState.DONE);
        time.advance(MINUTE);
        awaitRuns(2);
        assertThat(runs).containsExactly(at("12:01:00"), at("12:03:00"));
        busy.close();
    }

    @Test
    void aManualRunStartsAtOnceAndDoesNotChangeTheNextInstant() {
        CountDownLatch release = new CountDownLatch(1);
        orderly.schedule("report", Timing.parse("hourly"), run -> {
            runs.add(run.instant());
            release.await();
        });
        start(orderly);
        RunResult.Started started = (RunResult.Started) orderly.schedules().run(REPORT);
        assertThat(started.queue()).isEqualTo(new QueueName("schedule.report"));
        awaitRuns(1);
        assertThat(orderly.schedules().run(REPORT)).isEqualTo(new RunResult.UnderWay(started.id()));
        assertThat(scheduleView().lastJob()).isEqualTo(started.id());
        assertThat(scheduleView().last()).isNull();
        assertThat(scheduleView().next()).isEqualTo(at("13:00:00"));
        release.countDown();
        awaitState(started.id(), JobState.DONE);
        assertThat(orderly.schedules().run(REPORT)).isInstanceOf(RunResult.Started.class);
        awaitRuns(2);
    }

    @Test
    void anInstantIsSkippedWhileAManualRunIsUnderWay() {
        StandardQueue<String> reports = orderly.queue("reports", String.class);
        orderly.schedule("report", MINUTELY, reports, "go");
        start(orderly);
        RunResult.Started waiting = (RunResult.Started) orderly.schedules().run(REPORT);
        time.advance(MINUTE);
        awaitTrue(() -> at("12:01:00").equals(scheduleView().lastSkipped()));
        assertThat(lastJob()).isEqualTo(waiting.id());
    }

    @Test
    void aScheduleThatIsNeverDueRunsOnlyManually() {
        orderly.schedule("report", Timing.parse("never"), run -> runs.add(run.instant()));
        start(orderly);
        assertThat(scheduleView().next()).isNull();
        time.advance(Duration.ofDays(1));
        assertThat(orderly.schedules().run(REPORT)).isInstanceOf(RunResult.Started.class);
        awaitEnded(1);
    }

    @Test
    void anUnknownScheduleCannotBeRun() {
        ScheduleName other = new ScheduleName("other");
        assertThat(orderly.schedules().run(other)).isEqualTo(new RunResult.Unknown(other));
        assertThat(orderly.schedules().view(other)).isEmpty();
    }

    @Test
    void noInstantFiresTwiceWhenTheClockIsSetBack() {
        orderly.schedule("report", MINUTELY, run -> runs.add(run.instant()));
        start(orderly);
        time.advance(MINUTE.multipliedBy(2));
        awaitEnded(1);
        time.jump(MINUTE.multipliedBy(-2));
        time.advance(MINUTE.multipliedBy(2));
        awaitCheck();
        time.advance(MINUTE);
        awaitEnded(2);
        assertThat(runs).containsExactly(at("12:02:00"), at("12:03:00"));
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aScheduleCatchesUpOnceAfterTheStoreWasUnavailable(Fault fault) {
        FaultyStore faulty = new FaultyStore(store);
        Orderly node = Orderly.open(faulty, options("faulty"));
        node.schedule("report", MINUTELY, run -> runs.add(run.instant()));
        faulty.failNext(Call.SCHEDULE_DECLARE, fault, 2);
        start(node);
        faulty.failNext(Call.SCHEDULE_TAKE, fault, 3);
        faulty.failNext(Call.SCHEDULE_LIST, fault, 3);
        time.advance(MINUTE);
        awaitEnded(1);
        faulty.failNext(Call.SCHEDULE_TAKE, Fault.BEFORE, 5);
        time.advance(MINUTE.multipliedBy(3));
        awaitEnded(2);
        assertThat(runs).containsExactly(at("12:01:00"), at("12:04:00"));
        node.stop();
    }

    @Test
    void twoNodesOnAStoreFireEachInstantOnce() {
        Orderly other = node("node-b");
        orderly.schedule("report", MINUTELY, run -> runs.add(run.instant()));
        start(orderly);
        // only the schedules: a step of a minute would make a worker declare the other node dead
        Lifecycle firing = new Lifecycle();
        ScheduleEngine engine = new ScheduleEngine(store.schedules(), other.engines().jobs(),
                new JobWorker(other.engines().jobs(), MessageTarget.NONE), new NodeId("node-b"), time, firing);
        engine.handle(new ScheduleName("report"), MINUTELY, engine.optionsFor(MINUTELY),
                run -> runs.add(run.instant()));
        firing.start();
        for (int n = 1; n <= 10; n++) {
            time.advance(MINUTE);
            awaitEnded(n);
        }
        assertThat(runs).hasSize(10).doesNotHaveDuplicates();
        firing.end();
        other.stop();
    }

    @Test
    void equalJobsOfAScheduleAreNotDuplicatesAndNameTheirInstant() {
        FifoQueue<String> reports = orderly.fifo("reports.fifo", String.class);
        orderly.handle(reports, (_, job) -> runs.add(Instant.parse(job.params().get(ScheduledRun.INSTANT))));
        UserScope.run(new UserId("ada"), () -> orderly.schedule("report", MINUTELY, reports, "daily", "go"));
        start(orderly);
        for (int n = 1; n <= 3; n++) {
            time.advance(MINUTE);
            awaitEnded(n);
        }
        assertThat(runs).containsExactly(at("12:01:00"), at("12:02:00"), at("12:03:00"));
        JobView last = view(lastJob());
        assertThat(last.group()).isEqualTo("daily");
        assertThat(last.user()).isNull();
        assertThat(last.params()).containsExactlyInAnyOrderEntriesOf(
                Map.of("schedule", "report", "cron", "every minute", "instant", "2026-03-01T12:03:00Z"));
    }

    @Test
    void aScheduleWhoseJobItsQueueWouldRefuseIsRefused() {
        orderly.fifo("reports.fifo", String.class);
        PushRequest unknown = PushRequest.of("nowhere", Payload.json("{}"));
        assertThatThrownBy(() -> orderly.engines().schedules().declare(REPORT, MINUTELY, unknown))
                .isInstanceOf(PushRefusedException.class).hasMessageContaining("nowhere does not exist");
        PushRequest groupless = PushRequest.of("reports.fifo", Payload.json("{}"));
        assertThatThrownBy(() -> orderly.engines().schedules().declare(REPORT, MINUTELY, groupless))
                .isInstanceOf(PushRefusedException.class).hasMessageContaining("needs a group");
        assertThat(orderly.schedules().views()).isEmpty();
    }

    @Test
    void aSecondScheduleOfTheSameNameIsRefused() {
        StandardQueue<String> reports = orderly.queue("reports", String.class);
        orderly.schedule("report", MINUTELY, reports, "one");
        assertThatThrownBy(() -> orderly.schedule("report", MINUTELY, reports, "two"))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("There is a schedule report already");
    }

    @Test
    void theTimeoutOfAHandlerEndsAtTheNextInstantOrAfterFiveMinutes() {
        assertThat(timeout("every minute")).isEqualTo(MINUTE);
        assertThat(timeout("*/10 * * * * *")).isEqualTo(Duration.ofSeconds(10));
        assertThat(timeout("0,2 7 * * *")).isEqualTo(Duration.ofMinutes(2));
        assertThat(timeout("daily")).isEqualTo(Duration.ofMinutes(5));
        assertThat(timeout("never")).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void aFailedRunIsNotRetriedAndTheNextInstantRuns() {
        orderly.schedule("report", MINUTELY, run -> {
            runs.add(run.instant());
            throw new IllegalStateException("no paper");
        });
        start(orderly);
        time.advance(MINUTE);
        awaitEnded(1);
        awaitState(lastJob(), JobState.DEAD);
        assertThat(failure(lastJob()).summary()).contains("no paper");
        time.advance(MINUTE);
        awaitEnded(2);
        assertThat(runs).containsExactly(at("12:01:00"), at("12:02:00"));
    }

    @Test
    void anInstantWaitsWhileItsQueueIsFull() {
        StandardQueue<String> reports = orderly.queue("reports", String.class, o -> o.withMaxPending(1));
        JobId other = reports.push("other");
        orderly.schedule("report", MINUTELY, reports, "go");
        start(orderly);
        time.advance(MINUTE);
        awaitCheck();
        assertThat(scheduleView().lastJob()).isNull();
        orderly.jobs().cancel(other);
        awaitTrue(() -> at("12:01:00").equals(scheduleView().last()));
    }

    @Test
    void noInstantFiresAfterAStop() {
        StandardQueue<String> reports = orderly.queue("reports", String.class);
        orderly.schedule("report", MINUTELY, reports, "go");
        start(orderly);
        orderly.stop();
        time.advance(Duration.ofHours(1));
        awaitCheck();
        assertThat(orderly.jobs().list(reports.name(), JobState.WAITING, null, 10)).isEmpty();
    }

    private void awaitRuns(int count) {
        awaitTrue(() -> runs.size() >= count);
    }

    /**
     * Waits until the given number of runs has started and the last has ended, so that none is under way at the next
     * instant.
     */
    private void awaitEnded(int count) {
        awaitRuns(count);
        awaitTrue(() -> view(lastJob()).endedAt() != null);
    }

    private Duration timeout(String timing) {
        return orderly.engines().schedules().optionsFor(Timing.parse(timing)).timeout();
    }
}
