package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.job.CancellationSignal.Reason;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.bulk.BulkCount;
import dev.orderly.job.bulk.BulkRequest;
import dev.orderly.testkit.resilience.InterceptedStore;
import dev.orderly.testkit.resilience.LogLines;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class EngineStopTest extends EngineTest {
    @Test
    void stopWaitsForRunningJobsAndStartsNoFurtherJobs() throws InterruptedException {
        Orderly patient = Orderly.open(store, options("patient").withStopGrace(GRACE));
        StandardQueue<String> mails = patient.queue("mails", String.class, o -> o.withConcurrency(1));
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        patient.handle(mails, (_, _) -> {
            inside.countDown();
            mayEnd.await();
        });
        patient.start();
        JobId first = mails.push("first");
        JobId second = mails.push("second");
        inside.await();
        Thread stopping = beginStop(patient);
        mayEnd.countDown();
        assertThat(stopping.join(Duration.ofSeconds(60))).isTrue();
        assertThat(view(first).state()).isEqualTo(JobState.DONE);
        assertThat(view(second).state()).isEqualTo(JobState.WAITING);
        assertThat(view(second).attempt()).isZero();
    }

    @Test
    void aHandlerThatIgnoresItsSignalIsReportedOnceWithItsStack() throws InterruptedException {
        StandardQueue<String> mails = orderly.queue("mails", String.class, o -> o.withTimeout(Duration.ofMinutes(1)));
        CountDownLatch mayEnd = new CountDownLatch(1);
        orderly.handle(mails, (_, _) -> ignoreInterrupts(mayEnd));
        orderly.start();
        try (LogLines lines = LogLines.of("dev.orderly.job.engine.RunningJob")) {
            JobId stuck = mails.push("stuck");
            awaitTrue(Duration.ofSeconds(1), () -> !lines.with("").isEmpty());
            Instant later = time.now().plusSeconds(90);
            awaitTrue(Duration.ofSeconds(1), () -> time.now().isAfter(later));
            assertThat(lines.with("")).singleElement().asString().contains(stuck + " of mails still runs 30 s after its"
                    + " timeout", "ignores the signal and the interrupt", "EngineStopTest.ignoreInterrupts");
        } finally {
            mayEnd.countDown();
        }
    }

    private static void ignoreInterrupts(CountDownLatch until) {
        while (until.getCount() > 0) {
            try {
                until.await();
            } catch (InterruptedException _) {
                // as a library does that swallows it
            }
        }
    }

    @Test
    void handlersThatWereNeverStartedAreReportedAtTheEnd() {
        try (LogLines lines = LogLines.of("dev.orderly.job.engine.JobWorker")) {
            Orderly forgotten = node("node-b");
            forgotten.handle(forgotten.queue("mails", String.class), (_, _) -> {});
            forgotten.stop();
            assertThat(lines.with("")).singleElement().asString().contains("mails", "start() was not called");
            Orderly pushing = node("node-c");
            pushing.queue("mails", String.class).push("later");
            pushing.stop();
            assertThat(lines.with("")).hasSize(1);
        }
    }

    @Test
    void noJobStartsWhileAStopWaitsForABulkOperation() throws InterruptedException {
        InterceptedStore intercepted = new InterceptedStore(store);
        Orderly node = Orderly.open(intercepted, options("node-b"));
        StandardQueue<String> mails = node.queue("mails", String.class, o -> o.withConcurrency(1));
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        node.handle(mails, (_, _) -> {
            inside.countDown();
            mayEnd.await();
        });
        StandardQueue<String> letters = node.queue("letters", String.class);
        node.handle(letters, (_, _) -> {
            throw new Unprocessable("no such address");
        });
        node.start();
        JobId letter = letters.push("dead");
        awaitState(letter, JobState.DEAD);
        JobId first = mails.push("first");
        JobId second = mails.push("second");
        inside.await();
        CountDownLatch mayRedrive = new CountDownLatch(1);
        CountDownLatch redriving = intercepted.holdCalls("redrive", mayRedrive);
        node.engines().bulk().start(BulkRequest.named(BulkRequest.Action.REDRIVE, List.of(letter)),
                new BulkCount(1, false),
                _ -> {});
        redriving.await();
        Thread stopping = beginStop(node);
        mayEnd.countDown();
        awaitState(first, JobState.DONE);
        mayRedrive.countDown();
        assertThat(stopping.join(Duration.ofSeconds(60))).isTrue();
        assertThat(view(second).state()).isEqualTo(JobState.WAITING);
        assertThat(view(second).attempt()).isZero();
    }

    @Test
    void aJobThatDoesNotEndInTimeIsInterruptedAndGivenBackWithoutAFailure() throws InterruptedException {
        StandardQueue<String> mails = orderly.queue("mails", String.class);
        BlockingQueue<Reason> reasons = new LinkedBlockingQueue<>();
        CountDownLatch inside = new CountDownLatch(1);
        orderly.handle(mails, (_, job) -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                reasons.add(job.signal().reason().orElseThrow());
            }
        });
        orderly.start();
        JobId id = mails.push("long");
        inside.await();
        orderly.stop();
        assertThat(reasons).containsExactly(Reason.STOPPING);
        assertThat(view(id).state()).isEqualTo(JobState.WAITING);
        assertThat(view(id).failures()).isZero();
        assertThat(view(id).failure()).isNull();
    }

    @Test
    void aGroupInterruptedByAStopGoesOnInOrderOnAnotherNode() throws InterruptedException {
        FifoQueue<Integer> numbers = orderly.fifo("numbers.fifo", Integer.class);
        CountDownLatch inside = new CountDownLatch(1);
        orderly.handle(numbers, (_, _) -> {
            inside.countDown();
            new CountDownLatch(1).await();
        });
        numbers.group("g").pushAll(List.of(1, 2, 3, 4, 5));
        orderly.start();
        inside.await();
        orderly.stop();
        Orderly other = node("node-b");
        BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();
        other.handle(other.fifo("numbers.fifo", Integer.class), (number, _) -> seen.add(number));
        other.start();
        awaitTrue(() -> seen.size() == 5);
        assertThat(seen).containsExactly(1, 2, 3, 4, 5);
        other.stop();
    }

    @Test
    void aNodeDeclaredDeadStopsItsHandlersAndItsLateOutcomeIsRefused() throws InterruptedException {
        StandardQueue<String> mails = orderly.queue("mails", String.class);
        AtomicReference<Reason> reason = new AtomicReference<>();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        orderly.handle(mails, (_, job) -> {
            inside.countDown();
            job.signal().onRaise(() -> reason.set(job.signal().reason().orElseThrow()));
            awaitUninterruptibly(mayEnd);
            job.result("from the dead");
        });
        orderly.start();
        JobId id = mails.push("once");
        inside.await();
        declareAllDead();
        Orderly other = node("node-b");
        other.handle(other.queue("mails", String.class), (_, job) -> job.result("from the living"));
        other.start();
        awaitState(id, JobState.DONE);
        time.advance(Duration.ofSeconds(5));
        awaitTrue(() -> reason.get() == Reason.LEASE_LOST);
        mayEnd.countDown();
        orderly.stop();
        assertThat(view(id).state()).isEqualTo(JobState.DONE);
        assertThat(view(id).result()).isEqualTo(Payload.text("from the living"));
        other.stop();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aSecondStartIsRefusedAndASecondStopIsHarmless() {
        orderly.start();
        assertThatThrownBy(orderly::start).isInstanceOf(IllegalStateException.class).hasMessageContaining("once");
        orderly.stop();
        orderly.stop();
    }
}
