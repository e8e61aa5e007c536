package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.Registration;
import dev.orderly.job.Batch;
import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchRefusedException;
import dev.orderly.job.BatchView;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Push;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.WhenDead;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches through the engine: members of several queues, and one callback when all have ended. */
class BatchCallbackTest extends EngineTest {
    private static final QueueOptions ONCE = QueueOptions.STANDARD
            .withRetry(new RetryPolicy(1, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0));

    private final FaultyStore faulty = new FaultyStore(store);
    private final Orderly node = Orderly.open(faulty, options("batches"));
    private final StandardQueue<String> emails = node.queue("emails", String.class, _ -> ONCE);
    private final FifoQueue<String> orders = node.fifo("orders.fifo", String.class);
    private final StandardQueue<Summary> reports = node.queue("reports", Summary.class);
    private final BlockingQueue<Called> called = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        faulty.heal();
        node.stop();
    }

    /** What callbacks get. */
    record Summary(int number) {}

    /** What a callback has seen. */
    private record Called(Summary summary, String batch, BatchCounts counts, List<JobId> dead) {}

    /** Handlers of members that are done, but for the payload {@code bad}, and of callbacks. */
    private void start() {
        node.handle(emails, (email, _) -> {
            if (email.equals("bad")) {
                throw new IllegalStateException("no such address");
            }
        });
        node.handle(orders, (_, _) -> {});
        collectCallbacks();
        node.start();
    }

    private void collectCallbacks() {
        node.handle(reports, (summary, job) -> called.add(new Called(summary, job.batch().name().value(),
                job.batch().counts(),
                job.batch().deadLetters(null, 100).stream().map(JobView::id).toList())));
    }

    private Called callback() {
        awaitTrue(() -> !called.isEmpty());
        return Objects.requireNonNull(called.poll());
    }

    private Batch opened(String name) {
        return node.batch(name).then(reports, new Summary(42));
    }

    @Test
    void theCallbackSeesTheCountsAndTheDeadLetters() {
        start();
        Batch batch = opened("import-42");
        emails.in(batch).pushAll(IntStream.range(0, 50).mapToObj(n -> "a" + n).toList());
        JobId bad = emails.in(batch).push("bad");
        orders.in(batch).group("g").push("first");
        orders.group("g").in(batch).push("second");
        JobId later = emails.delay(Duration.ofHours(1)).in(batch).push("later");
        batch.close();
        node.jobs().cancel(later);
        Called seen = callback();
        assertThat(seen).isEqualTo(new Called(new Summary(42), "import-42", new BatchCounts(54, 52, 1, 1),
                List.of(bad)));
        assertThat(called).isEmpty();
        assertThat(batch.view().state()).isEqualTo(BatchView.State.FINISHED);
        assertThat(batch.counts()).isEqualTo(seen.counts());
    }

    @Test
    void aBatchWithoutMembersCallsBackAtItsClose() {
        start();
        Batch batch = opened("empty");
        batch.close();
        assertThat(batch.view().state()).as("at the return of close").isEqualTo(BatchView.State.FINISHED);
        assertThat(callback().counts()).isEqualTo(BatchCounts.NONE);
        batch.close();
        assertThat(batch.view().state()).isEqualTo(BatchView.State.FINISHED);
    }

    @Test
    void anImporterThatBeginsAgainGoesOnWithItsBatch() {
        start();
        Batch first = opened("import");
        emails.in(first).push("a");
        Batch again = opened("import");
        assertThat(again).isEqualTo(first);
        emails.in(again).push("b");
        assertThatExceptionOfType(BatchRefusedException.class)
                .isThrownBy(() -> node.batch("import").then(reports, new Summary(43)))
                .withMessageContaining("import").withMessageContaining("another callback")
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(BatchRefusedException.Reason.DIFFERENT));
        assertThatExceptionOfType(BatchRefusedException.class).isThrownBy(
                () -> node.batch("import").whenDead(WhenDead.WAIT).then(reports, new Summary(42)));
        again.close();
        assertThat(callback().counts()).isEqualTo(new BatchCounts(2, 2, 0, 0));
        assertThatExceptionOfType(BatchRefusedException.class).isThrownBy(() -> opened("import"))
                .withMessageContaining("finished").withMessageContaining("another name")
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(BatchRefusedException.Reason.CLOSED));
    }

    @Test
    void aRunningMemberOfAClosedBatchPushesFurtherMembersOnAnyThread() {
        CountDownLatch closed = new CountDownLatch(1);
        node.handle(emails, (email, job) -> {
            if (email.equals("parent")) {
                closed.await();
                emails.in(job.batch()).push("child");
                Thread.ofVirtual().start(() -> emails.in(job.batch()).push("child")).join();
            }
        });
        collectCallbacks();
        node.start();
        Batch batch = opened("import");
        emails.in(batch).push("parent");
        batch.close();
        assertThatExceptionOfType(PushRefusedException.class).isThrownBy(() -> emails.in(batch).push("stranger"))
                .withMessageContaining("Batch import is closed");
        assertThat(emails.in(batch).tryPush("stranger")).isInstanceOf(Push.Answer.Refused.class);
        closed.countDown();
        assertThat(callback().counts()).isEqualTo(new BatchCounts(3, 3, 0, 0));
    }

    @Test
    void aChainIsTheCallbackOfOneBatchThatOpensTheNext() {
        StandardQueue<String> steps = node.queue("steps", String.class);
        BlockingQueue<String> ran = new LinkedBlockingQueue<>();
        node.handle(steps, (step, job) -> {
            ran.add(step);
            if (step.equals("A")) { // A, then B and C side by side, then D
                Batch next = node.batch("of-" + job.id()).then(steps, "D");
                steps.in(next).pushAll(List.of("B", "C"));
                next.close();
            }
        });
        node.start();
        steps.push("A");
        awaitTrue(() -> ran.size() == 4);
        assertThat(List.copyOf(ran)).startsWith("A").endsWith("D").containsExactlyInAnyOrder("A", "B", "C", "D");
    }

    @Test
    void aBatchThatWaitsForDeadLettersCallsBackAfterTheirRedrive() {
        CountDownLatch mended = new CountDownLatch(1);
        node.handle(emails, (_, _) -> {
            if (mended.getCount() > 0) {
                throw new IllegalStateException("not yet");
            }
        });
        collectCallbacks();
        node.start();
        Batch batch = node.batch("import").whenDead(WhenDead.WAIT).then(reports, new Summary(1));
        JobId bad = emails.in(batch).push("bad");
        batch.close();
        awaitState(bad, JobState.DEAD);
        awaitTrue(() -> batch.counts().dead() == 1);
        assertThat(called).isEmpty();
        assertThat(batch.view().state()).isEqualTo(BatchView.State.CLOSED);
        mended.countDown();
        assertThat(node.jobs().redrive(emails.name(), List.of(bad), 1)).isEqualTo(1);
        assertThat(callback().counts()).isEqualTo(new BatchCounts(1, 1, 0, 0));
    }

    @Test
    void cancellingABatchEndsWhatWaitsAsksWhatRunsAndCallsBack() {
        CountDownLatch running = new CountDownLatch(1);
        node.handle(emails, (_, job) -> {
            running.countDown();
            CountDownLatch raised = new CountDownLatch(1);
            try (Registration _ = job.signal().onRaise(raised::countDown)) {
                raised.await();
            }
        });
        collectCallbacks();
        node.start();
        Batch batch = opened("import");
        JobId first = emails.in(batch).push("runs");
        awaitState(first, JobState.RUNNING);
        List<JobId> waiting = emails.delay(Duration.ofHours(1)).in(batch).pushAll(List.of("a", "b", "c"));
        batch.cancel();
        assertThat(callback().counts()).isEqualTo(new BatchCounts(4, 0, 0, 4));
        assertThat(waiting).allSatisfy(id -> assertThat(orderly.jobs().find(id).orElseThrow().state())
                .isEqualTo(JobState.CANCELLED));
        assertThatExceptionOfType(PushRefusedException.class).isThrownBy(() -> emails.in(batch).push("late"));
        batch.cancel();
        assertThat(batch.view().cancelledAt()).isNotNull();
        assertThat(called).isEmpty();
    }

    @Test
    void anotherNodeCancelsTheMembersThatACrashHasLeft() {
        Batch batch = opened("import");
        emails.in(batch).pushAll(IntStream.range(0, 450).mapToObj(n -> "m" + n).toList());
        batch.cancel();
        assertThat(batch.counts().cancelled()).as("members of the first round").isPositive().isLessThan(450);
        node.stop();
        Orderly other = Orderly.open(store.beside(), options("other"));
        try {
            StandardQueue<Summary> summaries = other.queue("reports", Summary.class);
            other.handle(summaries, (summary, job) -> called.add(new Called(summary, job.batch().name().value(),
                    job.batch().counts(), List.of())));
            other.start();
            assertThat(callback().counts()).isEqualTo(new BatchCounts(450, 0, 0, 450));
        } finally {
            other.stop();
        }
    }

    @Test
    void aDeadLetterThatIsRedrivenInACancelledBatchIsCancelled() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        node.handle(emails, (body, _) -> {
            while (body.equals("runs") && mayEnd.getCount() > 0) {
                Thread.onSpinWait(); // takes no notice of interrupts
            }
            if (body.equals("bad")) {
                throw new IllegalStateException(body);
            }
        });
        collectCallbacks();
        node.start();
        Batch batch = node.batch("import").whenDead(WhenDead.WAIT).then(reports, new Summary(42));
        JobId dead = emails.in(batch).push("bad");
        awaitState(dead, JobState.DEAD);
        awaitState(emails.in(batch).push("runs"), JobState.RUNNING);
        batch.cancel();
        node.jobs().pause(emails.name(), true);
        assertThat(node.jobs().redrive(emails.name(), List.of(dead), 1)).isEqualTo(1);
        awaitState(dead, JobState.CANCELLED);
        mayEnd.countDown();
        assertThat(callback().counts()).isEqualTo(new BatchCounts(2, 1, 0, 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE", "AFTER"})
    void aRunningMemberOfACancelledBatchIsAskedUntilTheStoreAnswers(Fault fault) {
        node.handle(emails, (_, job) -> {
            CountDownLatch raised = new CountDownLatch(1);
            try (Registration _ = job.signal().onRaise(raised::countDown)) {
                raised.await();
            }
        });
        collectCallbacks();
        node.start();
        Batch batch = opened("import");
        awaitState(emails.in(batch).push("runs"), JobState.RUNNING);
        faulty.failNext(Call.CANCEL, fault, 2);
        batch.cancel();
        assertThat(callback().counts()).isEqualTo(new BatchCounts(1, 0, 0, 1));
    }

    @Test
    void aCallbackComesOnceThoughAnswersOfTheStoreAreLost() {
        start();
        Batch batch = opened("import");
        emails.in(batch).pushAll(List.of("a", "b"));
        faulty.failNext(Call.BATCH_FINISH, Fault.AFTER, 3);
        faulty.failNext(Call.BATCH_FINISH, Fault.BEFORE, 2);
        faulty.failNext(Call.SETTLE, Fault.AFTER, 1);
        batch.close();
        assertThat(callback().counts()).isEqualTo(new BatchCounts(2, 2, 0, 0));
        awaitState(Objects.requireNonNull(batch.view().callback()), JobState.DONE);
        assertThat(called).isEmpty();
    }

    @Test
    void anotherNodeFinishesABatchWhoseNodeIsGone() {
        Batch batch = opened("import");
        emails.in(batch).push("a");
        batch.close();
        node.stop();
        Orderly other = Orderly.open(store.beside(), options("other"));
        try {
            StandardQueue<String> theirs = other.queue("emails", String.class, _ -> ONCE);
            StandardQueue<Summary> summaries = other.queue("reports", Summary.class);
            other.handle(theirs, (_, _) -> {});
            other.handle(summaries, (summary, job) -> called.add(new Called(summary, job.batch().name().value(),
                    job.batch().counts(), List.of())));
            other.start();
            assertThat(callback().counts()).isEqualTo(new BatchCounts(1, 1, 0, 0));
        } finally {
            other.stop();
        }
    }

    @Test
    void theCallbackHasItsUserAndParamsAndItsQueueItsGroup() {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        node.handle(orders, (body, job) -> seen.add(body + " of " + job.userId().orElseThrow() + " in "
                + job.groupId().orElseThrow() + " with " + job.params()));
        node.start();
        node.batch("b").user(new UserId("ada")).params(Map.of("n", "1")).then(orders, "g", "all").close();
        awaitTrue(() -> !seen.isEmpty());
        assertThat(seen).containsExactly("all of ada in g with {n=1}");
    }

    @Test
    void whatIsWrongIsRefusedAndNothingIsStored() {
        start();
        assertThatThrownBy(() -> node.batch("no spaces")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no spaces").hasMessageContaining("1 to 80");
        assertThatThrownBy(() -> node.batch("x".repeat(81))).isInstanceOf(IllegalArgumentException.class);
        Batch batch = opened("import");
        assertThatExceptionOfType(PushRefusedException.class)
                .isThrownBy(() -> emails.debounce("k", Duration.ofSeconds(1)).in(batch).push("a"))
                .withMessageContaining("debounce");
        assertThatExceptionOfType(PushRefusedException.class)
                .isThrownBy(() -> node.batch("other").then(node.queue("small", String.class,
                        options -> options.withMaxPayload(10)), "far too large for it"))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(PushRefusedException.Reason.TOO_LARGE));
        assertThat(node.engines().jobs().batches().find(new BatchName("other"))).isEmpty();
        assertThatExceptionOfType(BatchRefusedException.class)
                .isThrownBy(() -> node.engines().jobs().batches().get(new BatchName("other")))
                .withMessageContaining("Batch other is not known");
        assertThatThrownBy(() -> batch.deadLetters(null, 0)).hasMessageContaining("1 to 1000");
        assertThat(batch.counts()).isEqualTo(BatchCounts.NONE);
    }

    @Test
    void aCallbackHasNeitherAKeyNorADelay() {
        assertThatExceptionOfType(PushRefusedException.class).isThrownBy(() -> node.engines().jobs().batches().open(
                new BatchName("b"), WhenDead.FINISH, node.jobs().request(reports, new Summary(1)).withUnique("k")))
                .withMessageContaining("has a unique key").withMessageContaining("leave it out");
        assertThatExceptionOfType(PushRefusedException.class).isThrownBy(() -> node.engines().jobs().batches().open(
                new BatchName("b"), WhenDead.FINISH,
                node.jobs().request(reports, new Summary(1)).withDelay(Duration.ofSeconds(1))))
                .withMessageContaining("has a delay");
        assertThat(node.engines().jobs().batches().list(Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void aJobOfNoBatchSaysSo() {
        BlockingQueue<String> said = new LinkedBlockingQueue<>();
        node.handle(emails, (_, job) -> {
            try {
                job.batch();
            } catch (IllegalStateException e) {
                said.add(String.valueOf(e.getMessage()));
            }
        });
        node.start();
        emails.push("a");
        awaitTrue(() -> !said.isEmpty());
        assertThat(said.peek()).contains("belongs to no batch").contains("in(batch)");
    }
}
