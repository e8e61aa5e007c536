package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Limit;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.Throttled;
import dev.orderly.job.diagnosis.JobDiagnosis;
import dev.orderly.job.diagnosis.JobDiagnosis.Cause;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.JobStore.SettleResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Handlers that throw {@link Throttled}. */
class EngineThrottleTest extends EngineTest {
    private static final Duration REST = Duration.ofHours(1);

    private final List<String> ran = new CopyOnWriteArrayList<>();

    /** A handler whose first attempt of the first job of key a is throttled. */
    private void handle(Orderly node, StandardQueue<String> queue, Throttled thrown) {
        node.handle(queue, (text, job) -> {
            if (text.equals("a0") && job.attempt() == 1) {
                throw thrown;
            }
            ran.add(text);
        });
    }

    @Test
    void theKeyOfAThrottledJobRestsOnAllNodesAndNoFailureIsCounted() {
        Orderly other = Orderly.open(store.beside(), options("node-b"));
        List<StandardQueue<String>> exports = List.of(orderly, other).stream().map(node -> {
            StandardQueue<String> queue = node.queue("exports", String.class,
                    o -> o.withKey((String text) -> text.substring(0, 1)));
            handle(node, queue, new Throttled(REST));
            return queue;
        }).toList();
        JobId throttled = exports.getFirst().push("a0");
        orderly.start();
        other.start();
        awaitTrue(() -> orderly.why(throttled).cause() == Cause.KEY_LIMITED);
        List<JobId> pushed = exports.getLast().pushAll(List.of("a1", "b0"));
        awaitState(pushed.getLast(), JobState.DONE);
        JobDiagnosis own = orderly.why(throttled);
        assertThat(own.sentence()).contains("its key a rests until ").contains("said by attempt 1;");
        assertThat(own.at()).isNotNull();
        assertThat(orderly.why(pushed.getFirst()).sentence()).contains("said by attempt 1 of job " + throttled);
        assertThat(ran).containsExactly("b0");
        time.advance(REST);
        awaitState(throttled, JobState.DONE);
        awaitState(pushed.getFirst(), JobState.DONE);
        assertThat(view(throttled).failures()).isZero();
        assertThat(orderly.jobs().attempts(throttled)).extracting(JobAttempt::end)
                .containsExactly(JobAttempt.End.THROTTLED, JobAttempt.End.DONE);
        other.close();
    }

    @Test
    void allOfALimitRestsForAllQueuesThatShareIt() {
        orderly.limit("crm", Limit.concurrency(5));
        StandardQueue<String> first = orderly.queue("first", String.class,
                o -> o.withLimit("crm").withKey((String text) -> text.substring(0, 1)));
        StandardQueue<String> second = orderly.queue("second", String.class, o -> o.withLimit("crm"));
        handle(orderly, first, Throttled.all(REST));
        orderly.handle(second, (text, _) -> ran.add(text));
        JobId throttled = first.push("a0");
        orderly.start();
        awaitTrue(() -> orderly.why(throttled).cause() == Cause.LIMITED);
        JobId held = second.push("c0");
        awaitTrue(() -> orderly.why(held).cause() == Cause.LIMITED);
        assertThat(orderly.why(held).sentence())
                .contains("limit crm rests until ").contains("said by attempt 1 of job " + throttled);
        time.advance(REST);
        awaitState(throttled, JobState.DONE);
        awaitState(held, JobState.DONE);
    }

    @Test
    void withoutAKeyAndALimitTheJobAloneIsPutOff() {
        StandardQueue<String> mails = orderly.queue("mails", String.class);
        handle(orderly, mails, new Throttled(REST));
        JobId throttled = mails.push("a0");
        orderly.start();
        awaitState(throttled, JobState.DELAYED);
        awaitState(mails.push("a1"), JobState.DONE);
        time.advance(REST);
        awaitState(throttled, JobState.DONE);
        assertThat(view(throttled).failures()).isZero();
    }

    @Test
    void aJobOfACallWithSeveralLetsOnlyItsOwnKeyRest() {
        StandardQueue<String> exports = orderly.queue("exports", String.class,
                o -> o.withKey((String text) -> text.substring(0, 1)));
        orderly.handleBatch(exports, 10, jobs -> jobs.forEach(job -> {
            if (job.payload().equals("a0") && job.job().attempt() == 1) {
                job.fail(new Throttled(REST));
            } else {
                ran.add(job.payload());
            }
        }));
        List<JobId> ids = exports.pushAll(List.of("a0", "b0", "c0"));
        orderly.start();
        awaitState(ids.get(1), JobState.DONE);
        awaitState(ids.get(2), JobState.DONE);
        awaitTrue(() -> orderly.why(ids.getFirst()).cause() == Cause.KEY_LIMITED);
        JobId later = exports.push("b1");
        awaitState(later, JobState.DONE);
        time.advance(REST);
        awaitState(ids.getFirst(), JobState.DONE);
        assertThat(view(ids.getFirst()).failures()).isZero();
    }

    @Test
    void theHundredthReportOfAWorkerInARowMakesADeadLetterToo() {
        StandardQueue<String> exports = orderly.queue("exports", String.class,
                o -> o.withKey((String text) -> text.substring(0, 1)));
        orderly.handle(exports, (_, job) -> job.detach(Duration.ofHours(12)));
        JobId id = exports.push("a0");
        orderly.start();
        for (int attempt = 1; attempt <= Throttled.ROW_MAX; attempt++) {
            int number = attempt;
            awaitTrue(Duration.ofMillis(100),
                    () -> view(id).attempt() == number && view(id).leasedUntil() != null);
            AttemptId own = new AttemptId(id, exports.name(), number);
            assertThat(orderly.jobs().reportThrottled(own, new Throttled(Duration.ZERO, "no quota", null)))
                    .isEqualTo(SettleResult.ACCEPTED);
            assertThat(orderly.jobs().reportThrottled(own, new Throttled(Duration.ZERO)))
                    .isEqualTo(SettleResult.LEASE_LOST);
        }
        assertThat(view(id).state()).isEqualTo(JobState.DEAD);
        assertThat(failure(id).summary()).isEqualTo("Throttled 100 times in a row, which is the most: no quota");
    }

    @Test
    void theHundredthThrottleInARowMakesADeadLetterThatSaysWhy() {
        StandardQueue<String> exports = orderly.queue("exports", String.class,
                o -> o.withKey((String text) -> text.substring(0, 1)));
        orderly.handle(exports, (text, _) -> {
            ran.add(text);
            throw new Throttled(Duration.ZERO, "the quota of crm is used up", null);
        });
        JobId id = exports.push("a0");
        orderly.start();
        awaitTrue(Duration.ofMillis(100), () -> view(id).state() == JobState.DEAD);
        assertThat(ran).hasSize(Throttled.ROW_MAX);
        assertThat(failure(id).summary()).contains("Throttled 100 times in a row")
                .contains("the quota of crm is used up");
        assertThat(view(id).failures()).isEqualTo(1);
    }

    @Test
    void aJobThatIsThrottledNowAndThenGoesOn() {
        StandardQueue<String> exports = orderly.queue("exports", String.class,
                o -> o.withRetry(o.retry().withAttempts(9)));
        orderly.handle(exports, (text, job) -> {
            ran.add(text);
            if (job.attempt() == 50) {
                throw new IllegalStateException("another end");
            }
            if (job.attempt() < 140) {
                throw new Throttled(Duration.ZERO);
            }
        });
        JobId id = exports.push("a0");
        orderly.start();
        awaitTrue(Duration.ofMillis(200), () -> view(id).state() == JobState.DONE);
        assertThat(view(id).failures()).isEqualTo(1);
        assertThat(ran).hasSize(140);
    }

    @Test
    void aRestHasBounds() {
        assertThat(new Throttled(Duration.ofDays(9)).rest()).isEqualTo(Duration.ofHours(24));
        assertThat(new Throttled(Duration.ofSeconds(-1)).rest()).isEqualTo(Duration.ofMillis(100));
        assertThat(Throttled.all(Duration.ofSeconds(30))).satisfies(all -> assertThat(all.isOfAll()).isTrue())
                .hasMessageContaining("30 s");
        assertThat(new Throttled(Duration.ofSeconds(30)).isOfAll()).isFalse();
    }
}
