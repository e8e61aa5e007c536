package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.Registration;
import dev.orderly.job.BatchedJob;
import dev.orderly.job.CancelResult;
import dev.orderly.job.CancellationSignal.Reason;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Limit;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryLater;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.store.JobObserver;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers that get several jobs in one call. */
class EngineSeveralJobsTest extends EngineTest {
    private final StandardQueue<String> rows = orderly.queue("rows", String.class, EngineSeveralJobsTest::oneCall);
    private final List<List<String>> calls = new CopyOnWriteArrayList<>();
    private final List<BatchedJob<String>> begun = new CopyOnWriteArrayList<>();
    private final Semaphore mayEnd = new Semaphore(0);

    private static QueueOptions oneCall(QueueOptions options) {
        return options.withConcurrency(1)
                .withRetry(new RetryPolicy(2, Duration.ofMillis(200), 1, Duration.ofMillis(200), 0));
    }

    @AfterEach
    void endCalls() {
        mayEnd.release(1_000);
    }

    private static List<String> payloads(List<BatchedJob<String>> jobs) {
        return jobs.stream().map(BatchedJob::payload).toList();
    }

    /** Attaches a handler whose calls wait for a permit each. */
    private Registration handleHeld(int most) {
        return orderly.handleBatch(rows, most, jobs -> {
            calls.add(payloads(jobs));
            begun.addAll(jobs);
            mayEnd.acquire();
        });
    }

    private void awaitDone(List<JobId> ids) {
        awaitTrue(() -> ids.stream().allMatch(id -> view(id).state() == JobState.DONE));
    }

    @Test
    void whatWaitsRunsInCallsOfAtMostTheBoundInOrder() {
        orderly.handleBatch(rows, 3, jobs -> calls.add(payloads(jobs)));
        List<JobId> ids = rows.pushAll(List.of("1", "2", "3", "4", "5", "6", "7"));
        orderly.start();
        awaitDone(ids);
        assertThat(calls).containsExactly(List.of("1", "2", "3"), List.of("4", "5", "6"), List.of("7"));
    }

    @Test
    void aPushOfManyToAnIdleNodeRunsInOneCall() {
        orderly.handleBatch(rows, 100, jobs -> calls.add(payloads(jobs)));
        orderly.start();
        awaitDone(List.of(rows.push("first")));
        awaitDone(rows.pushAll(IntStream.range(0, 50).mapToObj(Integer::toString).toList()));
        assertThat(calls).hasSize(2).last().satisfies(call -> assertThat(call).hasSize(50));
    }

    @Test
    void jobsThatCameDuringACallAreInTheNextOne() {
        handleHeld(100);
        orderly.start();
        JobId first = rows.push("a");
        awaitTrue(() -> calls.size() == 1);
        List<JobId> later = List.of(rows.push("b"), rows.push("c"));
        mayEnd.release(2);
        awaitState(first, JobState.DONE);
        awaitDone(later);
        assertThat(calls).containsExactly(List.of("a"), List.of("b", "c"));
    }

    @Test
    void eachJobOfACallEndsByItself() {
        orderly.handleBatch(rows, 10, jobs -> {
            calls.add(payloads(jobs));
            for (BatchedJob<String> each : jobs) {
                switch (each.payload()) {
                    case "fails" -> each.fail(new IllegalStateException("no room"));
                    case "final" -> each.fail(new Unprocessable("never"));
                    case "later" -> each.fail(new RetryLater(Duration.ofMinutes(10), "busy"));
                    case "snoozes" -> each.job().snooze(Duration.ofMinutes(10));
                    case "discarded" -> each.job().discard("not needed");
                    case "answers" -> each.job().result("42");
                    default -> each.done();
                }
            }
        });
        List<JobId> ids = rows.pushAll(List.of("fails", "final", "later", "snoozes", "discarded", "answers", "plain"));
        orderly.start();
        awaitState(ids.get(0), JobState.DEAD);
        assertThat(calls.get(1)).containsExactly("fails");
        assertThat(failure(ids.get(0)).summary()).contains("no room");
        assertThat(failure(ids.get(1)).summary()).contains("never");
        assertThat(ids.stream().map(id -> view(id).state())).containsExactly(JobState.DEAD, JobState.DEAD,
                JobState.DELAYED, JobState.DELAYED, JobState.CANCELLED, JobState.DONE, JobState.DONE);
        assertThat(view(ids.get(2)).failures()).isOne();
        assertThat(view(ids.get(3)).failures()).isZero();
        assertThat(view(ids.get(5)).result()).isEqualTo(Payload.text("42"));
    }

    @Test
    void anExceptionFailsTheJobsThatAreNotDone() {
        orderly.handleBatch(rows, 10, jobs -> {
            jobs.getFirst().done();
            jobs.get(1).fail(new Unprocessable("never"));
            jobs.get(1).done();
            throw new IllegalStateException("the database went away");
        });
        List<JobId> ids = rows.retry(RetryPolicy.none()).pushAll(List.of("a", "b", "c"));
        orderly.start();
        awaitState(ids.get(2), JobState.DEAD);
        assertThat(view(ids.get(0)).state()).isEqualTo(JobState.DONE);
        assertThat(failure(ids.get(1)).summary()).contains("never");
        assertThat(failure(ids.get(2)).summary()).contains("the database went away");
    }

    @Test
    void whatIsSaidOfAJobAfterItsCallChangesNothing() {
        JobObserver late = new JobObserver() {
            @Override
            public void ran(QueueName queue, Duration run) {
                begun.forEach(each -> {
                    each.done();
                    each.fail(new Unprocessable("too late"));
                    each.job().discard("too late");
                });
            }
        };
        try (Orderly other = Orderly.open(store, options("late").withObserver(late))) {
            StandardQueue<String> kept = other.queue("rows", String.class, EngineSeveralJobsTest::oneCall);
            other.handleBatch(kept, 10, jobs -> {
                begun.addAll(jobs);
                if (jobs.getFirst().payload().equals("bad")) {
                    throw new IllegalStateException("in time");
                }
            });
            other.start();
            awaitState(kept.push("good"), JobState.DONE);
            JobId bad = kept.retry(RetryPolicy.none()).push("bad");
            awaitState(bad, JobState.DEAD);
            assertThat(failure(bad).summary()).contains("in time");
        }
    }

    @Test
    void anErrorOfACallDoesNotOccupyTheQueue() {
        orderly.handleBatch(rows, 1, jobs -> {
            if (jobs.getFirst().payload().equals("bad")) {
                throw new AssertionError("bad");
            }
            assertThat(Job.current().id()).isEqualTo(jobs.getFirst().job().id());
        });
        JobId bad = rows.retry(RetryPolicy.none()).push("bad");
        JobId good = rows.push("good");
        orderly.start();
        awaitState(good, JobState.DONE);
        assertThat(view(bad).state()).isEqualTo(JobState.DEAD);
    }

    @Test
    void aCancelledJobIsToldByItsSignalAndTheCallIsInterruptedWithItsLastJob() {
        handleHeld(10);
        List<JobId> ids = rows.pushAll(List.of("a", "b"));
        orderly.start();
        awaitTrue(() -> calls.size() == 1);
        assertThat(orderly.jobs().cancel(ids.get(0))).isEqualTo(CancelResult.SIGNALLED);
        assertThat(begun.get(0).job().signal().reason()).contains(Reason.CANCELLED);
        assertThat(begun.get(1).job().signal().reason()).isEmpty();
        assertThat(view(ids.get(0)).state()).isEqualTo(JobState.RUNNING);
        assertThat(orderly.jobs().cancel(ids.get(1))).isEqualTo(CancelResult.SIGNALLED);
        awaitState(ids.get(1), JobState.CANCELLED);
        assertThat(view(ids.get(0)).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void theTimeoutOfAJobEndsItAloneAndThatOfTheLastOneTheCall() {
        handleHeld(10);
        JobId brief = rows.retry(RetryPolicy.none()).timeout(Duration.ofSeconds(1)).push("brief");
        JobId slow = rows.retry(RetryPolicy.none()).timeout(Duration.ofSeconds(5)).push("slow");
        orderly.start();
        awaitTrue(() -> calls.size() == 1 && begun.get(0).job().signal().isRaised());
        assertThat(begun.get(1).job().signal().isRaised()).isFalse();
        awaitState(slow, JobState.DEAD);
        assertThat(failure(brief).summary()).isEqualTo("Timed out after 1 s");
        assertThat(failure(slow).summary()).isEqualTo("Timed out after 5 s");
    }

    @Test
    void aJobThatMayNotStartIsLeftOutOfItsCall() {
        handleHeld(10);
        rows.push("first");
        orderly.start();
        awaitTrue(() -> calls.size() == 1);
        JobId cancelled = rows.push("cancelled");
        JobId expires = rows.expires(Duration.ofSeconds(1)).push("expires");
        JobId runs = rows.push("runs");
        orderly.jobs().cancel(cancelled);
        time.jump(Duration.ofSeconds(2));
        mayEnd.release(2);
        awaitState(runs, JobState.DONE);
        awaitState(expires, JobState.CANCELLED);
        assertThat(calls).containsExactly(List.of("first"), List.of("runs"));
    }

    @Test
    void aStopGivesTheJobsOfACallBack() {
        handleHeld(10);
        List<JobId> ids = rows.pushAll(List.of("a", "b", "c"));
        orderly.start();
        awaitTrue(() -> calls.size() == 1);
        orderly.stop();
        assertThat(ids).allSatisfy(id -> {
            assertThat(view(id).state()).isEqualTo(JobState.WAITING);
            assertThat(view(id).failures()).isZero();
        });
    }

    @Test
    void aJobThatMayHaveCrashedANodeIsCalledAlone() {
        handleHeld(10);
        List<JobId> ids = rows.pushAll(List.of("a", "b", "c"));
        orderly.start();
        awaitTrue(() -> calls.size() == 1);
        MemoryStore after = store.crash();
        try (Orderly next = Orderly.open(after, options("node-b"))) {
            next.handleBatch(next.queue("rows", String.class, EngineSeveralJobsTest::oneCall), 10,
                    jobs -> calls.add(payloads(jobs)));
            next.start();
            awaitTrue(() -> ids.stream().allMatch(
                    id -> next.jobs().find(id).orElseThrow().state() == JobState.DONE));
        }
        assertThat(calls).first().isEqualTo(List.of("a", "b", "c"));
        assertThat(calls.subList(1, calls.size())).containsExactlyInAnyOrder(List.of("a"), List.of("b"), List.of("c"));
    }

    @Test
    void aCallOfWhichNoJobMayStartInterruptsNoOther() {
        handleHeld(10);
        JobId first = rows.push("a");
        orderly.jobs().push(PushRequest.of("rows", new Payload(Payload.JSON, new byte[]{'"'})));
        List<JobId> ids = List.of(first, rows.push("c"), rows.push("d"));
        orderly.start();
        awaitTrue(() -> calls.size() == 1);
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        MemoryStore after = store.crash();
        try (Orderly next = Orderly.open(after, options("node-b"))) {
            next.handleBatch(next.queue("rows", String.class, EngineSeveralJobsTest::oneCall), 10,
                    jobs -> {
                        calls.add(payloads(jobs));
                        interrupted.add(Thread.interrupted());
                    });
            next.start();
            awaitTrue(() -> ids.stream().allMatch(
                    id -> next.jobs().find(id).orElseThrow().state() == JobState.DONE));
        }
        assertThat(calls.stream().flatMap(List::stream)).containsOnly("a", "c", "d");
        assertThat(interrupted).containsOnly(false);
    }

    @Test
    void aDetachedHandlerGetsNoFurtherCallAndAnotherOneTakesOver() {
        Registration first = handleHeld(10);
        orderly.start();
        JobId held = rows.push("held");
        awaitTrue(() -> calls.size() == 1);
        List<JobId> waiting = rows.pushAll(List.of("a", "b"));
        first.close();
        orderly.handle(rows, (text, _) -> calls.add(List.of(text)));
        mayEnd.release();
        awaitState(held, JobState.DONE);
        awaitDone(waiting);
        assertThat(calls).containsExactly(List.of("held"), List.of("a"), List.of("b"));
    }

    @Test
    void aLimitOverAllNodesCountsTheJobsOfACall() {
        StandardQueue<String> limited = orderly.queue("limited", String.class,
                options -> options.withLimit(Limit.concurrency(3)));
        orderly.handleBatch(limited, 10, jobs -> {
            calls.add(payloads(jobs));
            mayEnd.acquire();
        });
        List<JobId> ids = limited.pushAll(List.of("1", "2", "3", "4", "5"));
        orderly.start();
        awaitTrue(() -> !calls.isEmpty());
        mayEnd.release(1_000);
        awaitDone(ids);
        assertThat(calls).allSatisfy(call -> assertThat(call).hasSizeLessThanOrEqualTo(3));
        assertThat(calls.stream().flatMap(List::stream)).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
    }

    @Test
    void aBoundThatIsNoneIsRefused() {
        assertThatThrownBy(() -> orderly.handleBatch(rows, 0, _ -> {})).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use 1 to 1000");
        assertThatThrownBy(() -> orderly.handleBatch(rows, 1_001, _ -> {}))
                .isInstanceOf(IllegalArgumentException.class);
        orderly.handle(rows, (_, _) -> {});
        assertThatThrownBy(() -> orderly.handleBatch(rows, 10, _ -> {})).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has a handler already");
    }
}
