package dev.orderly.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Store;
import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryRange;
import dev.orderly.history.HistorySeries;
import dev.orderly.history.HistoryStore.Scale;
import dev.orderly.history.HistorySubject;
import dev.orderly.history.record.HistoryRecorder;
import dev.orderly.history.record.HistorySampler;
import dev.orderly.history.record.HistoryWriter;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HistoryWriterTest {
    private static final QueueName MAILS = new QueueName("mails");
    private static final byte[] SECRET = "a secret of tests, 32 bytes and more".getBytes(StandardCharsets.US_ASCII);
    private static final Duration DAYS = Duration.ofDays(90);

    private final ManualTime time = new ManualTime();
    private final Instant noon = time.now();
    private final FaultyStore store = new FaultyStore(new MemoryStore(time));
    private final List<HistoryWriter> writers = new ArrayList<>();
    private final HistoryRecorder jobs = node("one", DAYS);

    private HistoryRecorder node(String name, Duration kept) {
        HistoryRecorder recorder = new HistoryRecorder();
        RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(SECRET))),
                new GateId(name), time, new Random(1));
        HistoryWriter writer = new HistoryWriter(store.history(),
                new HistorySampler(recorder, store.jobViews(), rooms), time, new NodeId(name), kept);
        writers.add(writer);
        return recorder;
    }

    @AfterEach
    void close() {
        writers.forEach(HistoryWriter::close);
        store.close();
    }

    @Test
    void whatHappensToJobsInAMinuteIsInItsHistory() {
        push(jobs, 3);
        jobs.pushed(MAILS, new PushResult.Duplicate(id()));
        jobs.claimed(claimed(1), Duration.ofMillis(50));
        jobs.claimed(claimed(2), Duration.ofHours(5));
        jobs.ran(MAILS, Duration.ofSeconds(2));
        settle(new AttemptOutcome.Done(null), SettleResult.ACCEPTED);
        settle(new AttemptOutcome.Done(null), SettleResult.LEASE_LOST);
        settle(new AttemptOutcome.Retry(noon, failure()), SettleResult.ACCEPTED);
        settle(new AttemptOutcome.Dead(failure(), false), SettleResult.ACCEPTED);
        settle(new AttemptOutcome.Cancelled("enough"), SettleResult.ACCEPTED);
        minutes(1);
        HistoryFigures figures = minute(0);
        assertThat(List.of(HistoryFigure.PUSHED, HistoryFigure.STARTED_AGAIN, HistoryFigure.DONE, HistoryFigure.FAILED,
                HistoryFigure.RETRIED, HistoryFigure.DEAD,
                HistoryFigure.CANCELLED)).extracting(figures::sum).containsExactly(3L, 1L, 1L, 2L, 1L, 1L, 1L);
        assertThat(figures.sum(HistoryFigure.WAITS, 1)).as("waits of first attempts up to 100 ms").isEqualTo(1);
        assertThat(figures.sum(HistoryFigure.WAITS, 7)).isZero();
        assertThat(figures.sum(HistoryFigure.RUNS, 3)).as("runs up to 10 s").isEqualTo(1);
        assertThat(figures.sum(HistoryFigure.RUN_MILLIS)).isEqualTo(2_000);
    }

    @Test
    void aMinuteIsCountedOnceAndTheFiguresOfNodesAddUp() {
        HistoryRecorder two = node("two", DAYS);
        push(jobs, 3);
        push(two, 4);
        minutes(1);
        push(two, 5);
        minutes(3);
        assertPushed(Map.of(noon, 7L, noon.plusSeconds(60), 5L));
        assertThat(store.history().read(HistorySubject.of(MAILS), Scale.HOUR, noon, noon.plusSeconds(60)).get(noon))
                .isEqualTo(new HistoryFigures.Builder().add(HistoryFigure.PUSHED, 12).build());
    }

    @Test
    void minutesOfAnOutageOfTheStoreAreWrittenWhenItIsBack() {
        store.failNext(Call.HISTORY_APPEND, Fault.BEFORE, 100_000);
        for (int minute = 0; minute < 3; minute++) {
            push(jobs, minute + 1);
            minutes(1);
        }
        assertThat(pushed()).isEmpty();
        store.heal();
        minutes(1);
        assertPushed(Map.of(noon, 1L, noon.plusSeconds(60), 2L, noon.plusSeconds(120), 3L));
    }

    @Test
    void aLostAnswerDoublesNothing() {
        store.failNext(Call.HISTORY_APPEND, Fault.AFTER, 3);
        push(jobs, 5);
        minutes(3);
        assertPushed(Map.of(noon, 5L));
    }

    @Test
    void aStoreThatStaysAwayCostsABoundedNumberOfMinutes() {
        store.failNext(Call.HISTORY_APPEND, Fault.BEFORE, 100_000);
        for (int minute = 0; minute < HistoryWriter.PENDING_MAX + 5; minute++) {
            push(jobs, 1);
            minutes(1);
        }
        store.heal();
        minutes(1);
        assertThat(pushed()).hasSize(HistoryWriter.PENDING_MAX)
                .doesNotContainKey(noon.plusSeconds(60 * 4)).containsKey(noon.plusSeconds(60 * 5));
    }

    @Test
    void aClockThatIsSetBackLosesNoMinuteAndDoublesNone() {
        push(jobs, 1);
        minutes(1);
        push(jobs, 2);
        time.jump(Duration.ofSeconds(-90));
        minutes(1);
        push(jobs, 4);
        minutes(1);
        push(jobs, 8);
        minutes(3);
        assertThat(pushed().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(15);
    }

    @Test
    void aClockThatIsSetForwardLeavesAGap() {
        push(jobs, 1);
        time.jump(Duration.ofMinutes(10));
        minutes(1);
        push(jobs, 2);
        minutes(1);
        assertPushed(Map.of(noon, 1L, noon.plusSeconds(660), 2L));
    }

    @Test
    void aStartedWriterWritesEachMinuteByItself() {
        push(jobs, 1);
        writers.getFirst().start();
        await().until(() -> {
            time.advance(Duration.ofSeconds(20));
            return !pushed().isEmpty();
        });
        assertPushed(Map.of(noon, 1L));
    }

    @Test
    void aNodeThatStopsWritesTheMinuteThatIsNotOver() {
        push(jobs, 7);
        writers.getFirst().close();
        assertPushed(Map.of(noon, 7L));
    }

    @Test
    void minutesAreKeptForADayAndHoursAsLongAsConfigured() {
        HistoryRecorder brief = node("brief", Duration.ofDays(2));
        push(brief, 1);
        minutes(1);
        assertThat(pushed()).hasSize(1);
        time.advance(Duration.ofHours(26));
        minutes(11);
        assertThat(pushed()).isEmpty();
        assertThat(store.history().read(HistorySubject.of(MAILS), Scale.HOUR, noon, time.now())).isNotEmpty();
        time.advance(Duration.ofDays(1));
        minutes(11);
        assertThat(
                store.history().read(HistorySubject.of(MAILS), Scale.HOUR, noon, time.now())).isEmpty();
    }

    @Test
    void depthsAreSampledAndShowThatAQueueWasIdle() {
        try (Store client = store) {
            client.jobs().pause(MAILS, true);
            minutes(3);
            assertThat(minute(1).peak(HistoryFigure.WAITING)).hasValue(0);
            assertThat(minute(1).sum(HistoryFigure.PUSHED)).isZero();
        }
    }

    @Test
    void aSeriesHasAPointForEachStepAndNullWhereNothingWasRecorded() {
        minutes(2);
        push(jobs, 2);
        minutes(2);
        assertPushed(Map.of(noon.plusSeconds(120), 2L));
        HistorySeries series = HistorySeries.read(store.history(), HistorySubject.of(MAILS), HistoryRange.HOUR,
                time.now());
        assertThat(series.points()).hasSize(60);
        assertThat(series.begin()).isEqualTo(time.now().minusSeconds(3_600));
        assertThat(series.points().get(58))
                .isEqualTo(new HistoryFigures.Builder().add(HistoryFigure.PUSHED, 2).build());
        assertThat(series.points().get(59)).isNull();
        time.advance(Duration.ofMinutes(5));
        HistorySeries day = HistorySeries.read(store.history(), HistorySubject.of(MAILS), HistoryRange.DAY, time.now());
        assertThat(day.points()).hasSize(288);
        assertThat(day.total().sum(HistoryFigure.PUSHED)).isEqualTo(2);
    }

    /** Minutes pass, with a round of each writer every ten seconds. */
    private void minutes(int number) {
        for (int step = 0; step < number * 6; step++) {
            time.advance(Duration.ofSeconds(10));
            writers.forEach(HistoryWriter::step);
        }
    }

    private HistoryFigures minute(int number) {
        return recorded().getOrDefault(noon.plusSeconds(60L * number), HistoryFigures.NONE);
    }

    private NavigableMap<Instant, HistoryFigures> recorded() {
        return store.history().read(HistorySubject.of(MAILS), Scale.MINUTE, noon.minusSeconds(3_600),
                noon.plus(Duration.ofHours(12)));
    }

    private void assertPushed(Map<Instant, Long> expected) {
        assertThat(pushed()).isEqualTo(expected);
    }

    /** Pushed jobs by minute. */
    private Map<Instant, Long> pushed() {
        Map<Instant, Long> pushed = new TreeMap<>();
        recorded().forEach((at, figures) -> pushed.put(at, figures.sum(HistoryFigure.PUSHED)));
        return pushed;
    }

    private static void push(HistoryRecorder recorder, int jobs) {
        for (int n = 0; n < jobs; n++) {
            recorder.pushed(MAILS, new PushResult.Accepted(id()));
        }
    }

    private void settle(AttemptOutcome outcome, SettleResult result) {
        jobs.settled(new Settlement(null, new AttemptId(id(), MAILS, 1), outcome), result);
    }

    private static ClaimedJob claimed(int attempt) {
        return new ClaimedJob(new AttemptId(id(), MAILS, attempt), 0, 0, null, 1, Payload.text("x"), Map.of(), null,
                null);
    }

    private static JobFailure failure() {
        return new JobFailure("broken", "at Mail.send");
    }

    private static JobId id() {
        return new JobId(new UUID(0x7000, 1L << 63));
    }
}
