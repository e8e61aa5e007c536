package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.resilience.HeldGroups;
import dev.orderly.testkit.resilience.InterceptedStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The hand-off of pushed jobs to the pushing node; claims are counted, or fail, so that only a hand-off starts a job.
 */
class EngineHandOffTest extends EngineTest {
    /** A step of the clocks for waits of many seconds. */
    private static final Duration FAST = Duration.ofMillis(50);

    private final InterceptedStore intercepted = new InterceptedStore(store);
    private final Orderly node = Orderly.open(intercepted, options("pushing"));
    private final StandardQueue<String> mails = node.queue("mails", String.class,
            o -> o.withConcurrency(2));
    private final BlockingQueue<String> runs = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        intercepted.heal();
        node.stop();
    }

    @Test
    void aPushIntoAnEmptyQueueStartsItsHandlerWithoutAClaim() throws InterruptedException {
        node.handle(mails, (text, job) -> runs.put(text + " " + job.attempt()));
        startIdle();
        int claims = intercepted.calls("claim");
        JobId first = mails.push("a");
        assertThat(runs.take()).isEqualTo("a 1");
        await().until(() -> view(first).state() == JobState.DONE);
        mails.push("b");
        assertThat(runs.take()).isEqualTo("b 1");
        assertThat(intercepted.calls("claim")).isEqualTo(claims);
    }

    @Test
    void theFirstJobOfANewGroupStartsWithoutAClaim() throws InterruptedException {
        FifoQueue<String> orders = node.fifo("orders.fifo", String.class);
        node.handle(orders, (text, _) -> runs.put(text));
        startIdle();
        intercepted.around("claim", (_, _) -> {
            throw new StoreException.Unavailable("no claims", null);
        });
        orders.group("g").push("a");
        assertThat(runs.take()).isEqualTo("a");
    }

    @Test
    void noMoreHandlersRunThanAreConfiguredThoughPushesAreHandedOff() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        node.handle(mails, (_, _) -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            inside.decrementAndGet();
            done.incrementAndGet();
        });
        startIdle();
        for (int n = 0; n < 300; n++) {
            mails.push("m" + n);
        }
        mails.pushAll(List.of("x", "y", "z"));
        awaitTrue(() -> done.get() == 303);
        assertThat(most.get()).isLessThanOrEqualTo(2);
    }

    @Test
    void whatFindsNoFreeHandlerWaitsAndIsClaimedLater() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        node.handle(mails, (text, _) -> {
            runs.put(text);
            mayEnd.await();
        });
        startIdle();
        List<JobId> ids = mails.pushAll(List.of("a", "b", "c"));
        awaitTrue(() -> runs.size() == 2);
        assertThat(view(ids.get(2)).state()).isEqualTo(JobState.WAITING);
        mayEnd.countDown();
        ids.forEach(id -> awaitState(id, JobState.DONE));
    }

    @Test
    void aQueuePausedOnAnotherNodeStartsNothing() {
        node.handle(mails, (text, _) -> runs.put(text));
        startIdle();
        store.jobs().pause(mails.name(), true);
        JobId id = mails.push("a");
        awaitTrue(() -> intercepted.calls("claim") > 3);
        assertThat(view(id).state()).isEqualTo(JobState.WAITING);
        assertThat(runs).isEmpty();
    }

    @Test
    void aJobWhoseHandOffLostItsAnswerIsGivenBackAndRuns() {
        node.handle(mails, (text, job) -> runs.put(text + " " + job.attempt()));
        startIdle();
        intercepted.around("push", (_, push) -> {
            var _ = push.get();
            throw new StoreException.OutcomeUnknown("the answer is lost", null);
        });
        assertThatThrownBy(() -> mails.push("a")).isInstanceOf(StoreException.OutcomeUnknown.class);
        intercepted.leave("push");
        awaitTrue(() -> runs.contains("a 2"));
        assertThat(runs).hasSize(1);
    }

    @Test
    void aJobThatOnlyTheStoreCountsAsHeldHereIsGivenBackAndRuns() {
        node.handle(mails, (text, job) -> runs.put(text + " " + job.attempt()));
        startIdle();
        intercepted.around("push", (_, push) -> {
            @SuppressWarnings("unchecked") // the answer of a push
            List<PushResult> results = (List<PushResult>) push.get();
            return List.of(new PushResult.Accepted(results.getFirst().id(), false));
        });
        mails.push("a");
        intercepted.leave("push");
        awaitTrue(FAST, () -> runs.contains("a 2"));
        assertThat(runs).hasSize(1);
    }

    /** As of a claim that waits in the server for a standby, or in a network that stalls. */
    @Test
    void aJobWhoseClaimTheStoreCompletesAfterTheAnswerWasGivenUpIsFoundBeforeTheUsualSearch() {
        AtomicReference<@Nullable Supplier<Object>> givenUp = new AtomicReference<>();
        node.handle(mails, (text, job) -> runs.put(text + " " + job.attempt()));
        startIdle();
        intercepted.around("claim", (_, claim) -> {
            if (givenUp.compareAndSet(null, claim)) {
                throw new StoreException.OutcomeUnknown("the answer is lost", null);
            }
            return new ClaimedJobs(List.of(), null, Set.of());
        });
        awaitTrue(() -> givenUp.get() != null);
        int claims = intercepted.calls("claim");
        awaitTrue(() -> intercepted.calls("claim") > claims);
        assertThat(intercepted.calls("release")).as("what the store had completed was given back").isPositive();
        push("b");
        var _ = Objects.requireNonNull(givenUp.get()).get();
        intercepted.leave("claim");
        Instant completed = time.now();
        awaitTrue(Duration.ofMillis(5), () -> runs.contains("b 2"));
        assertThat(Duration.between(completed, time.now())).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void noStartWaitsForTheSearchForLostJobs() {
        CountDownLatch answers = new CountDownLatch(1);
        CountDownLatch asked = intercepted.holdCalls("held", answers);
        node.handle(mails, (text, job) -> runs.put(text + " " + job.attempt()));
        startIdle();
        awaitTrue(() -> asked.getCount() == 0);
        mails.push("a");
        awaitTrue(() -> runs.contains("a 1"));
        push("b");
        awaitTrue(() -> runs.contains("b 1"));
        answers.countDown();
    }

    @Test
    void jobsOfAHandOffUnderWayAreNotGivenBack() throws InterruptedException {
        node.handle(mails, (text, job) -> runs.put(text + " " + job.attempt()));
        startIdle();
        CountDownLatch stored = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        intercepted.around("push", (_, push) -> {
            Object results = push.get();
            stored.countDown();
            awaitLatch(answers);
            return results;
        });
        Thread pushing = Thread.ofVirtual().start(() -> mails.push("a"));
        stored.await();
        int releases = intercepted.calls("release");
        int searches = intercepted.calls("held");
        awaitTrue(FAST, () -> intercepted.calls("held") > searches + 2);
        assertThat(intercepted.calls("release")).isEqualTo(releases);
        answers.countDown();
        pushing.join();
        assertThat(runs.take()).isEqualTo("a 1");
        awaitTrue(() -> intercepted.calls("release") > releases);
        assertThat(runs).isEmpty();
    }

    @Test
    void aHandOffThatIsLateForTheStopIsGivenBack() throws InterruptedException {
        node.handle(mails, (text, _) -> runs.put(text));
        startIdle();
        CountDownLatch stored = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        intercepted.around("push", (_, push) -> {
            Object results = push.get();
            stored.countDown();
            awaitLatch(answers);
            return results;
        });
        Thread pushing = Thread.ofVirtual().start(() -> mails.push("a"));
        stored.await();
        Thread stopping = Thread.ofVirtual().start(node::stop);
        await().until(() -> Stream.of(stopping.getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith("HandOff")));
        answers.countDown();
        pushing.join();
        awaitTrue(() -> !stopping.isAlive());
        JobView job = orderly.jobs().list(mails.name(), JobState.WAITING, null, 10).getFirst();
        assertThat(job.failures()).isZero();
        assertThat(runs).isEmpty();
    }

    @Test
    void aPushThatWaitsForAHeldGroupOccupiesNoHandler() throws InterruptedException {
        HeldGroups held = new HeldGroups(store);
        Orderly other = Orderly.open(held, options("held"));
        FifoQueue<String> orders = other.fifo("orders.fifo", String.class, o -> o.withConcurrency(1));
        other.handle(orders, (text, _) -> runs.put(text));
        other.start();
        await().until(() -> isParked("orderly-claim", ManualTime.class));
        held.hold("h");
        Thread waiting = Thread.ofVirtual().start(() -> orders.group("h").push("blocked"));
        await().until(() -> Stream.of(waiting.getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith("BlockedPushes")));
        orders.group("g").push("free"); // the clock stands: the other push waits for all of this
        assertThat(runs.take()).isEqualTo("free");
        held.letGo("h");
        awaitTrue(() -> runs.contains("blocked"));
        waiting.join();
        other.stop();
    }

    /** Pushes a job as another node does. */
    private void push(String text) {
        store.jobs().push(List.of(new NewJob(mails.name(), null, Priority.NORMAL, null,
                Payload.json('"' + text + '"'), Map.of(), null, null, null)), time.now());
    }

    /** Starts the node and lets its claim loop see that nothing waits. */
    private void startIdle() {
        node.start();
        await().until(() -> intercepted.calls("claim") > 0 && isParked("orderly-claim", ManualTime.class));
    }

    private static boolean isParked(String thread, Class<?> in) {
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(each -> each.getKey().getName().equals(thread) && contains(each.getValue(), in));
    }

    private static boolean contains(StackTraceElement[] stack, Class<?> type) {
        return Stream.of(stack).anyMatch(frame -> frame.getClassName().equals(type.getName()));
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
