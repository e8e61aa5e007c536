package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.CancelResult;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.store.Bus;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.resilience.InterceptedStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What keeps a claimed job from starting: a stop, a pause, a cancellation. */
class EngineGateTest extends EngineTest {
    private static final QueueOptions RETRIED_SOON = QueueOptions.FIFO
            .withRetry(new RetryPolicy(8, Duration.ofMillis(200), 1, Duration.ofMillis(200), 0));

    private final InterceptedStore intercepted = new InterceptedStore(store);
    private final Orderly node = Orderly.open(intercepted, options("node-g"));
    private final FifoQueue<String> orders = node.fifo("orders.fifo", String.class, _ -> RETRIED_SOON);
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final Semaphore mayEnd = new Semaphore(0);

    /** Starts the node with one group of jobs, each of which waits for a permit; returns when the first has begun. */
    private List<JobId> runGroup(String... texts) {
        node.handle(orders, (text, job) -> {
            begun.add(text);
            mayEnd.acquire();
            if (text.equals("fails") && job.failures() == 0) {
                throw new IllegalStateException("fails once");
            }
        });
        List<JobId> ids = orders.group("g").pushAll(List.of(texts));
        node.start();
        awaitTrue(() -> !begun.isEmpty());
        return ids;
    }

    private List<JobId> list(JobState state) {
        return orderly.jobs().list(orders.name(), state, null, 100).stream().map(JobView::id).toList();
    }

    /** Waits until the node has heard from the store by a heartbeat that was sent from now on. */
    private void awaitHeartbeat() {
        int before = intercepted.calls("beat");
        awaitTrue(() -> intercepted.calls("beat") >= before + 2);
    }

    @AfterEach
    void closeNode() {
        mayEnd.release(1_000);
        node.close();
    }

    // ---- stop

    /** Lets the answer of the next claim that gets jobs wait; returns a latch that opens when it waits. */
    private CountDownLatch holdClaim(CountDownLatch until) {
        CountDownLatch claimed = new CountDownLatch(1);
        intercepted.around("claim", (_, inner) -> {
            Object answer = inner.get();
            if (!((ClaimedJobs) answer).jobs().isEmpty()) {
                claimed.countDown();
                try {
                    assertThat(until.await(60, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return answer;
        });
        return claimed;
    }

    /** Starts the node, and pushes jobs of a group on another node, so that they are claimed and not handed off. */
    private List<JobId> claimedLate(CountDownLatch until) throws InterruptedException {
        node.handle(orders, (text, _) -> begun.add(text));
        node.start();
        CountDownLatch claimed = holdClaim(until);
        FifoQueue<String> pushed = orderly.fifo("orders.fifo", String.class, _ -> RETRIED_SOON);
        List<JobId> ids = pushed.group("g").pushAll(List.of("1", "2"));
        while (!claimed.await(2, TimeUnit.MILLISECONDS)) {
            time.advance(Duration.ofMillis(10));
        }
        return ids;
    }

    @Test
    void aStopStartsNothingOfAClaimThatIsAnsweredDuringIt() throws InterruptedException {
        CountDownLatch answer = new CountDownLatch(1);
        List<JobId> ids = claimedLate(answer);
        Thread stopping = beginStop(node);
        answer.countDown();
        assertThat(stopping.join(Duration.ofSeconds(60))).isTrue();
        assertThat(begun).isEmpty();
        assertThat(list(JobState.WAITING)).containsExactlyElementsOf(ids);
        assertThat(ids).allSatisfy(id -> assertThat(view(id).failures()).isZero());
    }

    @Test
    @Tag("slow") // the stop waits 5 seconds for the claim
    void aClaimThatIsAnsweredAfterTheStopStartsNothingAndItsJobsHaveRunElsewhereInOrder() throws InterruptedException {
        CountDownLatch answer = new CountDownLatch(1);
        List<JobId> ids = claimedLate(answer);
        node.stop();
        assertThat(list(JobState.WAITING)).as("given back by the stop").containsExactlyElementsOf(ids);
        List<String> elsewhere = new CopyOnWriteArrayList<>();
        orderly.handle(orderly.fifo("orders.fifo", String.class, _ -> RETRIED_SOON), (text, _) -> elsewhere.add(text));
        orderly.start();
        awaitState(ids.getLast(), JobState.DONE);
        int settled = intercepted.calls("settle");
        answer.countDown();
        await().atMost(Duration.ofSeconds(60)).until(() -> intercepted.calls("settle") > settled);
        assertThat(begun).isEmpty();
        assertThat(elsewhere).containsExactly("1", "2");
    }

    @Test
    void aNodeThatHasStoppedGetsNoJobsOfAClaimThatReachesTheStoreAfterwards() {
        node.handle(orders, (text, _) -> begun.add(text));
        node.start();
        awaitState(orders.group("g").push("1"), JobState.DONE);
        node.stop();
        orderly.fifo("orders.fifo", String.class, _ -> RETRIED_SOON).group("g").push("2");
        ClaimRequest late = new ClaimRequest(options("node-g").node(), List.of(new Demand(orders.name(), 1)));
        assertThat(store.jobs().claim(late, time.now()).jobs()).isEmpty();
        assertThat(store.jobViews().workers(orders.name())).isEmpty();
    }

    // ---- pause

    @Test
    void aPauseStartsNoFurtherJobOfAGroupThatTheNodeHolds() {
        List<JobId> ids = runGroup("1", "2", "3");
        node.jobs().pause(orders.name(), true);
        mayEnd.release(3);
        awaitState(ids.getFirst(), JobState.DONE);
        awaitTrue(() -> list(JobState.RUNNING).isEmpty());
        assertThat(begun).containsExactly("1");
        assertThat(list(JobState.WAITING)).containsExactlyElementsOf(ids.subList(1, 3));
        node.jobs().pause(orders.name(), false);
        awaitState(ids.getLast(), JobState.DONE);
        assertThat(begun).containsExactly("1", "2", "3");
    }

    @Test
    void aPauseByAnotherNodeStartsNoFurtherJobEither() {
        List<JobId> ids = runGroup("1", "2", "3");
        Store beside = store.beside();
        AtomicInteger heard = new AtomicInteger();
        store.bus().subscribe(Bus.Topic.WORK, _ -> heard.incrementAndGet()); // after the node's own subscription
        try (Orderly other = Orderly.open(beside, options("node-b"))) {
            other.jobs().pause(orders.name(), true);
            awaitTrue(() -> heard.get() > 0);
            mayEnd.release(3);
            awaitTrue(() -> list(JobState.RUNNING).isEmpty());
            assertThat(begun).containsExactly("1");
            other.jobs().pause(orders.name(), false);
            awaitState(ids.getLast(), JobState.DONE);
        }
        assertThat(begun).containsExactly("1", "2", "3");
    }

    @Test
    void aLateMessageAboutAnEarlierResumeEndsNoPause() {
        node.engines().jobs().change(orders.name(), RETRIED_SOON.withConcurrency(1));
        List<JobId> ids = runGroup("1", "2", "3"); // no handler is free, so that no claim tells of the pause
        node.jobs().pause(orders.name(), true);
        AtomicInteger heard = new AtomicInteger();
        store.bus().subscribe(Bus.Topic.WORK, _ -> heard.incrementAndGet()); // after the node's own subscription
        store.beside().bus().publish(Bus.Topic.WORK, ("resumed " + orders.name()).getBytes(StandardCharsets.UTF_8));
        awaitTrue(() -> heard.get() > 0);
        mayEnd.release(3);
        awaitTrue(() -> list(JobState.RUNNING).isEmpty());
        assertThat(begun).containsExactly("1");
        node.jobs().pause(orders.name(), false);
        awaitState(ids.getLast(), JobState.DONE);
        assertThat(begun).containsExactly("1", "2", "3");
    }

    @Test
    void aPauseWhoseMessageWasLostIsKnownByTheNextHeartbeatAndSoIsAResume() {
        QueueOptions one = RETRIED_SOON.withConcurrency(1);
        node.engines().jobs().change(orders.name(), one);
        List<JobId> ids = runGroup("1", "2", "3"); // no handler is free, so that no claim tells of the pause
        store.jobs().pause(orders.name(), true);
        awaitHeartbeat();
        mayEnd.release(3);
        awaitTrue(() -> list(JobState.RUNNING).isEmpty());
        assertThat(begun).containsExactly("1");
        store.jobs().pause(orders.name(), false);
        awaitState(ids.getLast(), JobState.DONE);
        assertThat(begun).containsExactly("1", "2", "3");
    }

    // ---- cancel

    @Test
    void aJobCancelledBehindAnotherOfItsGroupNeverRunsThoughTheOtherIsRetried() {
        List<JobId> ids = runGroup("fails", "refund", "last");
        assertThat(node.jobs().cancel(ids.get(1))).isEqualTo(CancelResult.CANCELLED);
        assertThat(node.jobs().cancel(ids.get(1))).as("again").isEqualTo(CancelResult.CANCELLED);
        mayEnd.release(10);
        awaitState(ids.getLast(), JobState.DONE);
        assertThat(begun).containsExactly("fails", "fails", "last");
        assertThat(view(ids.get(1)).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aJobThatAnotherNodeCancelledBeforeItBeganNeverRuns() {
        List<JobId> ids = runGroup("fails", "refund", "last");
        assertThat(orderly.jobs().cancel(ids.get(1))).as("it is not known there whether it began")
                .isEqualTo(CancelResult.REQUESTED);
        mayEnd.release(10);
        awaitState(ids.getLast(), JobState.DONE);
        assertThat(begun).doesNotContain("refund");
        assertThat(view(ids.get(1)).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aNodeLearnsByItsHeartbeatOfAJobThatAnotherNodeCancelled() {
        List<JobId> ids = runGroup("1", "refund", "last");
        assertThat(store.jobs().cancel(ids.get(1), orderly.jobs().now())).isEqualTo(CancelResult.REQUESTED);
        awaitHeartbeat();
        mayEnd.release(10);
        awaitState(ids.getLast(), JobState.DONE);
        assertThat(begun).containsExactly("1", "last");
        assertThat(view(ids.get(1)).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aJobThatHasBegunElsewhereIsSignalledBeforeTheHeartbeatThatTellsOfIt() {
        intercepted.around("beat", (_, inner) -> {
            Heartbeat beat = (Heartbeat) inner.get();
            return new Heartbeat(beat.alive(), Set.of(), beat.paused());
        });
        List<JobId> ids = runGroup("1");
        try (Orderly other = Orderly.open(store.beside(), options("node-b"))) {
            assertThat(other.jobs().cancel(ids.getFirst())).isEqualTo(CancelResult.REQUESTED);
            awaitState(ids.getFirst(), JobState.CANCELLED); // interrupted
        }
    }

    @Test
    void aJobThatHasBegunIsSignalledAndMayStillEndAsDone() {
        List<JobId> ids = runGroup("1");
        CountDownLatch signalled = new CountDownLatch(1);
        assertThat(node.jobs().cancel(ids.getFirst())).isEqualTo(CancelResult.SIGNALLED);
        awaitState(ids.getFirst(), JobState.CANCELLED); // interrupted
        FifoQueue<String> stubborn = node.fifo("stubborn.fifo", String.class);
        node.handle(stubborn, (_, job) -> {
            job.signal().onRaise(signalled::countDown);
            begun.add("stubborn");
            mayEnd.acquireUninterruptibly();
        });
        JobId last = stubborn.group("g").push("on");
        awaitTrue(() -> begun.contains("stubborn"));
        assertThat(node.jobs().cancel(last)).isEqualTo(CancelResult.SIGNALLED);
        awaitTrue(() -> signalled.getCount() == 0);
        assertThat(node.jobs().cancel(last)).as("again").isEqualTo(CancelResult.SIGNALLED);
        mayEnd.release();
        awaitState(last, JobState.DONE);
    }

    @Test
    void aCancelledJobThatIsGivenBackIsCancelled() {
        List<JobId> ids = runGroup("1", "refund", "last");
        node.jobs().cancel(ids.get(1));
        node.drain(options("node-g").node(), true);
        mayEnd.release(10);
        awaitState(ids.getFirst(), JobState.DONE);
        awaitState(ids.get(1), JobState.CANCELLED);
        awaitState(ids.getLast(), JobState.WAITING);
        assertThat(begun).containsExactly("1");
    }

    @Test
    void aRequestToCancelThatTheStoreDidNotTakeChangesNothing() {
        List<JobId> ids = runGroup("1", "2");
        intercepted.around("cancel", (_, _) -> {
            throw new StoreException.Unavailable("Nothing was done", null);
        });
        assertThatThrownBy(() -> node.jobs().cancel(ids.get(1))).isInstanceOf(StoreException.class);
        mayEnd.release(2);
        awaitState(ids.get(1), JobState.DONE);
        assertThat(begun).containsExactly("1", "2");
    }
}
