package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.job.BatchHandler;
import dev.orderly.job.EventResult;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Job;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.Limit;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.TimedOut;
import dev.orderly.job.payload.UnreadablePayloadException;
import dev.orderly.job.transaction.LeaseLostException;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that await events from outside. */
class EngineEventTest extends EngineTest {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final QueueOptions QUICK = QueueOptions.STANDARD
            .withRetry(new RetryPolicy(5, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0));

    private final FaultyStore faulty = new FaultyStore(store);
    private final Orderly node = Orderly.open(faulty, options("events"));
    private final StandardQueue<String> orders = node.queue("orders", String.class, _ -> QUICK);
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        faulty.heal();
        node.stop();
    }

    /** What a manager answers. */
    record Approval(boolean ok, @Nullable String note) {}

    private interface Body {
        void run(Job<String> job) throws Exception;
    }

    /** Starts a handler whose n-th call is the n-th body; the last one is that of all further calls. */
    private JobId pushed(Body... calls) {
        AtomicInteger count = new AtomicInteger();
        node.handle(orders, (_, job) -> calls[Math.min(count.getAndIncrement(), calls.length - 1)].run(job));
        node.start();
        return orders.push("order");
    }

    private void approve(Job<?> job) {
        Optional<Approval> answer = job.await("approval", Approval.class, WEEK);
        answer.ifPresent(approval -> seen.add(approval.ok() ? "approved" : "rejected"));
    }

    private void awaitWaiting(JobId id, String event) {
        awaitTrue(() -> node.jobs().events(id).stream()
                .anyMatch(each -> each.name().equals(event) && each.isAwaitedBy(view(id))));
    }

    private EventResult event(JobId id, Object value) {
        return node.jobs().event(id, "approval", value);
    }

    @Test
    void aHandlerWaitsForAnEventAndGetsItsValue() {
        JobId id = pushed(this::approve);
        awaitWaiting(id, "approval");
        assertThat(view(id).failures()).isZero();
        assertThat(node.jobs().attempts(id)).extracting(JobAttempt::end).containsExactly(JobAttempt.End.AWAITING);
        assertThat(event(id, new Approval(true, null))).isEqualTo(EventResult.ACCEPTED);
        awaitState(id, JobState.DONE);
        assertThat(seen).containsExactly("approved");
        assertThat(event(id, new Approval(false, null))).isEqualTo(EventResult.ENDED);
    }

    @Test
    void anEventBeforeTheJobRunsIsTheAnswerOfTheFirstCall() {
        JobId id = orders.push("order");
        event(id, new Approval(false, "too dear"));
        assertThat(event(id, new Approval(true, null))).isEqualTo(EventResult.REPEATED);
        node.handle(orders, (_, job) -> approve(job));
        node.start();
        awaitState(id, JobState.DONE);
        assertThat(seen).containsExactly("rejected");
        assertThat(view(id).attempt()).isEqualTo(1);
    }

    @Test
    void anEventThatComesWhileTheHandlerRunsIsNotMissed() {
        JobId id = pushed(job -> {
            approve(job);
            event(job.id(), new Approval(true, null));
        }, this::approve);
        awaitState(id, JobState.DONE);
        assertThat(seen).containsExactly("approved");
    }

    @Test
    void theRunAfterTheEndOfTheWaitIsToldSoAndMayGoOn() {
        JobId id = pushed(job -> {
            try {
                approve(job);
            } catch (TimedOut e) {
                seen.add(e.event());
            }
        });
        awaitWaiting(id, "approval");
        Instant until = Objects.requireNonNull(view(id).dueAt());
        node.jobs().runNow(id);
        awaitTrue(() -> view(id).attempt() == 2 && view(id).state() == JobState.DELAYED);
        assertThat(view(id).dueAt()).as("run now prolongs no wait").isEqualTo(until);
        time.advance(WEEK);
        awaitState(id, JobState.DONE);
        assertThat(seen).containsExactly("approval");
        assertThat(view(id).failures()).isZero();
    }

    @Test
    void aTimeoutThatEscapesMakesADeadLetterWhichStaysTimedOut() {
        JobId id = pushed(this::approve);
        awaitWaiting(id, "approval");
        time.advance(WEEK);
        awaitState(id, JobState.DEAD);
        assertThat(view(id).failures()).as("no retry brings the event").isEqualTo(1);
        assertThat(failure(id).summary()).contains("Event approval has not come by").contains("catch TimedOut");
        assertThat(event(id, new Approval(true, null))).isEqualTo(EventResult.LATE);
        node.jobs().redriveAll(orders.name(), 10);
        awaitTrue(() -> view(id).attempt() == 3 && view(id).state() == JobState.DEAD);
        assertThat(seen).isEmpty();
    }

    @Test
    void aDeadLetterKeepsWhatCameForIt() {
        JobId id = pushed(job -> {
            job.await("approval", Approval.class, WEEK);
            throw new dev.orderly.job.Unprocessable("broken");
        }, this::approve);
        awaitState(id, JobState.DEAD);
        assertThat(event(id, new Approval(true, null))).isEqualTo(EventResult.ACCEPTED);
        node.jobs().redriveAll(orders.name(), 10);
        awaitState(id, JobState.DONE);
        assertThat(seen).containsExactly("approved");
    }

    @Test
    void whatTheHandlerAsksForAfterwardsReplacesTheWait() {
        JobId done = pushed(job -> {
            job.await("approval", Approval.class, WEEK);
            job.result("without");
        });
        awaitState(done, JobState.DONE);
        node.handle(node.queue("put-off", String.class, _ -> QUICK), (_, job) -> {
            job.await("approval", Approval.class, WEEK);
            job.snooze(Duration.ofDays(1));
        });
        JobId snoozed = node.queue("put-off", String.class, _ -> QUICK).push("x");
        awaitState(snoozed, JobState.DELAYED);
        event(snoozed, new Approval(true, null));
        assertThat(view(snoozed).state()).as("it waits for its snooze").isEqualTo(JobState.DELAYED);
    }

    @Test
    void aHandlerThatThrowsAfterwardsHasFailedAndTheWaitEndsAsBefore() {
        AtomicReference<@Nullable Instant> first = new AtomicReference<>();
        JobId id = pushed(job -> {
            job.await("approval", Approval.class, WEEK);
            first.set(Objects.requireNonNull(job.events().getFirst().awaited()).until());
            throw new IOException("broken");
        }, this::approve);
        awaitWaiting(id, "approval");
        assertThat(view(id).failures()).isEqualTo(1);
        assertThat(view(id).dueAt()).isEqualTo(first.get());
    }

    @Test
    void aHandlerThatWasAnsweredEmptyForSeveralWaitsForTheFirst() {
        JobId id = pushed(job -> {
            Optional<String> left = job.await("left", String.class, WEEK);
            Optional<String> right = job.await("right", String.class, Duration.ofDays(1));
            seen.add(left.orElse("-") + right.orElse("-"));
        });
        awaitWaiting(id, "left");
        awaitWaiting(id, "right");
        node.jobs().event(id, "left", "l");
        awaitTrue(() -> seen.size() == 2);
        awaitWaiting(id, "right");
        node.jobs().event(id, "right", "r");
        awaitState(id, JobState.DONE);
        assertThat(seen).containsExactly("--", "l-", "lr");
    }

    @Test
    void whatComesToALaterCallOfTheSameAttemptIsAwaitedNoMore() {
        JobId id = pushed(job -> {
            approve(job);
            event(job.id(), new Approval(true, null));
            approve(job);
        });
        awaitState(id, JobState.DONE);
        assertThat(seen).containsExactly("approved");
        assertThat(view(id).attempt()).isEqualTo(1);
    }

    @Test
    void stepsBeforeTheWaitAreNotRepeatedAfterIt() {
        JobId id = pushed(job -> {
            Optional<Approval> answer = job.await("approval", Approval.class, WEEK);
            job.step("ask", () -> seen.add("asked"));
            answer.ifPresent(_ -> seen.add("answered"));
        });
        awaitWaiting(id, "approval");
        event(id, new Approval(true, null));
        awaitState(id, JobState.DONE);
        assertThat(seen).containsExactly("asked", "answered");
    }

    @Test
    void aWaitInsideAStepIsAnError() {
        JobId id = pushed(job -> job.step("ask", () -> assertThatThrownBy(() -> approve(job))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("event approval")
                .hasMessageContaining("inside step ask").hasMessageContaining("before the step")));
        awaitState(id, JobState.DONE);
        assertThat(node.jobs().events(id)).isEmpty();
    }

    @Test
    void eachJobOfOneCallAwaitsForItself() {
        StandardQueue<String> mails = node.queue("mails", String.class, _ -> QUICK);
        BatchHandler<String> handler = jobs -> jobs.forEach(each -> {
            if (each.payload().equals("ask")) {
                each.job().await("approval", Approval.class, WEEK);
            }
        });
        node.handleBatch(mails, 10, handler);
        JobId asks = mails.push("ask");
        JobId other = mails.push("other");
        node.start();
        awaitState(other, JobState.DONE);
        awaitWaiting(asks, "approval");
    }

    @Test
    void aGroupWaitsWithItsFirstJobAndOtherGroupsGoOn() {
        FifoQueue<String> lines = node.fifo("lines.fifo", String.class);
        node.handle(lines, (text, job) -> {
            if (text.equals("ask") && job.await("approval", Approval.class, WEEK).isEmpty()) {
                return;
            }
            seen.add(text);
        });
        JobId asks = lines.group("g").push("ask");
        JobId next = lines.group("g").push("next");
        JobId other = lines.group("h").push("other");
        node.start();
        awaitState(other, JobState.DONE);
        awaitWaiting(asks, "approval");
        assertThat(view(next).state()).isEqualTo(JobState.WAITING);
        event(asks, new Approval(true, null));
        awaitState(next, JobState.DONE);
        assertThat(seen).containsExactly("other", "ask", "next");
    }

    @Test
    void anAwaitingJobHoldsNoHandlerAndNoSlot() {
        StandardQueue<String> narrow = node.queue("narrow", String.class,
                _ -> QUICK.withConcurrency(1).withLimit(Limit.concurrency(1)));
        node.handle(narrow, (text, job) -> {
            if (text.equals("ask")) {
                job.await("approval", Approval.class, WEEK);
            }
        });
        node.start();
        JobId asks = narrow.push("ask");
        awaitWaiting(asks, "approval");
        awaitState(narrow.push("next"), JobState.DONE);
    }

    @Test
    void anAwaitingJobIsCancelledAtOnce() {
        JobId id = pushed(this::approve);
        awaitWaiting(id, "approval");
        node.jobs().cancel(id);
        assertThat(view(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(event(id, new Approval(true, null))).isEqualTo(EventResult.ENDED);
    }

    @Test
    void aPausedQueueKeepsTheEventUntilItGoesOn() {
        JobId id = pushed(this::approve);
        awaitWaiting(id, "approval");
        node.jobs().pause(orders.name(), true);
        event(id, new Approval(true, null));
        awaitState(id, JobState.WAITING);
        node.jobs().pause(orders.name(), false);
        awaitState(id, JobState.DONE);
    }

    @Test
    void anotherNodeGoesOnWithAJobThatAwaits() {
        JobId id = pushed(this::approve);
        awaitWaiting(id, "approval");
        node.stop();
        orderly.handle(orderly.queue("orders", String.class, _ -> QUICK), (_, job) -> approve(job));
        orderly.start();
        orderly.jobs().event(id, "approval", new Approval(true, null));
        awaitState(id, JobState.DONE);
        assertThat(seen).containsExactly("approved");
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aWaitIsAskedForUntilTheStoreAnswers(Fault fault) {
        JobId id = pushed(job -> {
            faulty.failNext(Call.AWAIT_EVENT, fault, 3);
            approve(job);
        });
        awaitWaiting(id, "approval");
        assertThat(view(id).failures()).isZero();
    }

    @Test
    void aStaleAttemptAwaitsNothingAndIsToldSo() {
        CountDownLatch over = new CountDownLatch(1);
        JobId id = pushed(job -> {
            declareAllDead();
            assertThatThrownBy(() -> approve(job)).isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining("awaits no event approval").hasMessageContaining("end this handler");
            over.countDown();
        }, _ -> {});
        awaitState(id, JobState.DONE);
        assertThat(over.getCount()).isZero();
        assertThat(node.jobs().events(id)).isEmpty();
    }

    @Test
    void whatIsMalformedIsRefusedAndKeepsNothing() {
        JobId id = pushed(job -> {
            for (String name : List.of("", "a b", "x".repeat(65), "ä")) {
                assertThatThrownBy(() -> job.await(name, String.class, WEEK))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("is not the name of an event");
                assertThatThrownBy(() -> node.jobs().event(job.id(), name, "x"))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            for (Duration wait : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(366))) {
                assertThatThrownBy(() -> job.await("approval", String.class, wait))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("at most 365 days");
            }
            assertThatThrownBy(() -> event(job.id(), new byte[JobStep.VALUE_MAX + 1]))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("event approval")
                    .hasMessageContaining("reference");
        });
        awaitState(id, JobState.DONE);
        assertThat(node.jobs().events(id)).isEmpty();
    }

    @Test
    void aValueThatCannotBeReadFailsTheAttemptAndNamesTheEvent() {
        JobId id = orders.push("order");
        node.jobs().event(id, "approval", Payload.json("{\"ok\":\"perhaps\"}"));
        node.jobs().event(id, "nothing", Payload.json("null"));
        node.handle(orders, (_, job) -> {
            assertThatThrownBy(() -> approve(job)).isInstanceOf(UnreadablePayloadException.class)
                    .hasMessageContaining("event approval").hasMessageContaining("another name");
            assertThatThrownBy(() -> job.await("nothing", Approval.class, WEEK))
                    .isInstanceOf(UnreadablePayloadException.class).hasMessageContaining("event nothing");
        });
        node.start();
        awaitState(id, JobState.DONE);
        assertThat(node.jobs().events(id)).extracting(JobEvent::name).containsExactly("approval", "nothing");
    }
}
