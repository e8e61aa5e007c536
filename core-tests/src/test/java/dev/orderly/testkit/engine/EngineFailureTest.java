package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.CancelResult;
import dev.orderly.job.CancellationSignal;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.OnDead;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.RetryLater;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.Unprocessable;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class EngineFailureTest extends EngineTest {
    private static final RetryPolicy THREE = new RetryPolicy(3, Duration.ofMinutes(1), 2, Duration.ofMinutes(10), 0);

    @Test
    void aFailingJobIsRetriedWithBackoffAndBecomesADeadLetterWhenItsAttemptsAreSpent() {
        StandardQueue<String> mails = orderly.queue("mails", String.class, o -> o.withRetry(THREE));
        BlockingQueue<Instant> tries = new LinkedBlockingQueue<>();
        orderly.handle(mails, (_, _) -> {
            tries.add(time.now());
            throw new IllegalStateException("mail server is away");
        });
        orderly.start();
        JobId id = mails.push("hello");
        awaitState(id, JobState.DELAYED);
        assertThat(failure(id).summary()).isEqualTo("IllegalStateException: mail server is away");
        assertThat(failure(id).detail()).contains("EngineFailureTest");
        time.advance(Duration.ofSeconds(61));
        awaitTrue(() -> view(id).failures() == 2);
        time.advance(Duration.ofSeconds(121));
        awaitState(id, JobState.DEAD);
        assertThat(view(id).failures()).isEqualTo(3);
        assertThat(view(id).payload()).isEqualTo(Payload.text("hello"));
        List<Instant> at = List.copyOf(tries);
        assertThat(at).hasSize(3);
        assertThat(Duration.between(at.get(0), at.get(1))).isGreaterThanOrEqualTo(Duration.ofMinutes(1));
        assertThat(Duration.between(at.get(1), at.get(2))).isGreaterThanOrEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void aRedrivenDeadLetterStartsWithAllItsAttempts() {
        StandardQueue<String> mails = orderly.queue("mails", String.class, o -> o.withRetry(THREE));
        AtomicReference<String> mailServer = new AtomicReference<>("broken");
        orderly.handle(mails, (_, _) -> {
            if (mailServer.get().equals("broken")) {
                throw new Unprocessable("no such address");
            }
        });
        orderly.start();
        JobId id = mails.push("hello");
        awaitState(id, JobState.DEAD);
        assertThat(failure(id).summary()).isEqualTo("no such address");
        mailServer.set("repaired");
        assertThat(orderly.jobs().redriveAll(mails.name(), 100)).isEqualTo(1);
        awaitState(id, JobState.DONE);
        assertThat(view(id).failures()).isZero();
    }

    @Test
    void aStoreThatTakesNoTransactionLeavesTheJobToTheReturnOfItsHandler() {
        DataSource none = (DataSource) Proxy.newProxyInstance(EngineFailureTest.class.getClassLoader(),
                new Class<?>[]{DataSource.class}, (_, method, _) -> {
                    throw new AssertionError(method + " was called");
                });
        StandardQueue<String> mails = orderly.queue("mails", String.class);
        orderly.handle(mails, (_, job) -> assertThatThrownBy(() -> job.completeIn(none))
                .isInstanceOf(UnsupportedOperationException.class));
        orderly.start();
        JobId id = mails.push("hello");
        awaitState(id, JobState.DONE);
        assertThat(view(id).failures()).isZero();
    }

    @Test
    void aHandlerMaySetTheDelayOfItsRetry() {
        StandardQueue<String> calls = orderly.queue("calls", String.class);
        orderly.handle(calls, (_, job) -> {
            if (job.failures() == 0) {
                throw new RetryLater(Duration.ofHours(3));
            }
        });
        orderly.start();
        JobId id = calls.push("call");
        awaitState(id, JobState.DELAYED);
        assertThat(view(id).dueAt()).isBetween(time.now().plus(Duration.ofMinutes(179)),
                time.now().plus(Duration.ofHours(3)));
        time.advance(Duration.ofHours(3).plusSeconds(1));
        awaitState(id, JobState.DONE);
    }

    @Test
    void anAttemptPastItsTimeoutIsInterruptedAndCountsAsAFailure() {
        StandardQueue<String> slow = orderly.queue("slow", String.class,
                o -> o.withTimeout(Duration.ofSeconds(10)));
        AtomicReference<CancellationSignal> signal = new AtomicReference<>();
        CountDownLatch raised = new CountDownLatch(1);
        orderly.handle(slow, (_, job) -> {
            job.signal().onRaise(raised::countDown);
            signal.set(job.signal());
            new CountDownLatch(1).await();
        });
        orderly.start();
        JobId id = slow.push("forever");
        awaitTrue(() -> signal.get() != null);
        time.advance(Duration.ofSeconds(9));
        assertThat(signal.get().isRaised()).isFalse();
        time.advance(Duration.ofSeconds(1));
        awaitState(id, JobState.DELAYED);
        assertThat(raised.getCount()).isZero();
        assertThat(signal.get().reason()).contains(CancellationSignal.Reason.TIMEOUT);
        assertThat(view(id).failures()).isEqualTo(1);
        assertThat(failure(id).summary()).contains("Timed out").contains("10 s");
    }

    @Test
    void aHandlerThatReturnsAfterItsTimeoutHasFailed() {
        StandardQueue<String> slow = orderly.queue("slow", String.class,
                o -> o.withTimeout(Duration.ofSeconds(10)));
        orderly.handle(slow, (_, job) -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                assertThat(job.signal().isRaised()).isTrue();
            }
        });
        orderly.start();
        JobId id = slow.push("swallows the interrupt");
        awaitState(id, JobState.RUNNING);
        time.advance(Duration.ofSeconds(11));
        awaitState(id, JobState.DELAYED);
        assertThat(view(id).failures()).isEqualTo(1);
    }

    @Test
    void aJobWhosePayloadIsNotJsonBecomesADeadLetterAndTheNextJobRuns() {
        StandardQueue<Integer> numbers = orderly.queue("numbers", Integer.class);
        orderly.handle(numbers, (_, _) -> {});
        orderly.start();
        JobId wrong = orderly.jobs().push(PushRequest.of("numbers", Payload.json("{\"not\":\"a number"))).id();
        awaitState(numbers.push(7), JobState.DONE);
        awaitState(wrong, JobState.DEAD);
        assertThat(failure(wrong).summary()).contains("is not JSON");
        assertThat(view(wrong).attempt()).isEqualTo(1);
    }

    @Test
    void anErrorOfAHandlerFailsOnlyItsAttempt() {
        StandardQueue<Integer> numbers = orderly.queue("numbers", Integer.class);
        orderly.handle(numbers, (number, _) -> {
            if (number == 13) {
                throw new StackOverflowError("deep");
            }
        });
        orderly.start();
        JobId bad = numbers.push(13);
        awaitState(bad, JobState.DELAYED);
        awaitState(numbers.push(14), JobState.DONE);
    }

    @Test
    void aGroupGoesOnAfterADeadLetterUnlessItsQueueHalts() {
        FifoQueue<String> going = orderly.fifo("going.fifo", String.class);
        FifoQueue<String> halting = orderly.fifo("halting.fifo", String.class,
                o -> o.withOnDead(OnDead.HALT));
        for (FifoQueue<String> queue : List.of(going, halting)) {
            orderly.handle(queue, (text, job) -> {
                if (text.equals("bad") && job.attempt() == 1) {
                    throw new Unprocessable("bad");
                }
            });
        }
        orderly.start();
        JobId goingBad = going.group("g").push("bad");
        awaitState(going.group("g").push("good"), JobState.DONE);
        awaitState(goingBad, JobState.DEAD);

        JobId haltingBad = halting.group("g").push("bad");
        JobId behind = halting.group("g").push("good");
        awaitState(halting.group("other").push("good"), JobState.DONE);
        awaitState(haltingBad, JobState.DEAD);
        time.advance(Duration.ofMinutes(1));
        assertThat(view(behind).state()).isEqualTo(JobState.WAITING);
        orderly.jobs().redrive(halting.name(), List.of(haltingBad), 1);
        awaitState(behind, JobState.DONE);
        assertThat(view(haltingBad).state()).isEqualTo(JobState.DONE);
    }

    @Test
    void aCancelledRunningJobIsInterruptedAndNotRetried() {
        StandardQueue<String> slow = orderly.queue("slow", String.class);
        orderly.handle(slow, (_, _) -> new CountDownLatch(1).await());
        JobId waiting = slow.delay(Duration.ofDays(1)).push("later");
        assertThat(orderly.jobs().cancel(waiting)).isEqualTo(CancelResult.CANCELLED);
        assertThat(orderly.jobs().cancel(waiting)).isEqualTo(CancelResult.ENDED);
        orderly.start();
        JobId running = slow.push("forever");
        awaitTrue(() -> orderly.jobs().cancel(running) == CancelResult.SIGNALLED);
        awaitState(running, JobState.CANCELLED);
        assertThat(view(running).reason()).contains("Cancelled");
    }
}
