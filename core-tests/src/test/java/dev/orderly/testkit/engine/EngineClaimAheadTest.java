package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.CancelResult;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.testkit.resilience.InterceptedStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Jobs that a node claims before a handler is free. Its handlers are short at first, then block. */
class EngineClaimAheadTest extends EngineTest {
    private static final int CONCURRENCY = 2;
    private static final int SHORT = 300;
    private static final int ALL = 1_000;

    private final StandardQueue<Integer> numbers = orderly.queue("numbers", Integer.class,
            o -> o.withConcurrency(CONCURRENCY));
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final List<Integer> ran = new CopyOnWriteArrayList<>();

    private void handle(int number) throws InterruptedException {
        int before = begun.incrementAndGet();
        if (before > SHORT + CONCURRENCY && mayEnd.getCount() == 0) {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            time.advance(Duration.ofMillis(1));
            inside.decrementAndGet();
        } else if (before > SHORT) {
            mayEnd.await();
        } else {
            time.advance(Duration.ofMillis(1)); // the length of a short attempt
        }
        ran.add(number);
    }

    /** Runs the short jobs; returns when all handlers are blocked and further jobs are claimed. */
    private void claimAhead() {
        orderly.handle(numbers, (number, _) -> handle(number));
        numbers.pushAll(IntStream.range(0, ALL).boxed().toList());
        orderly.start();
        awaitTrue(() -> begun.get() == SHORT + CONCURRENCY);
        // The clock stands, so that nothing becomes stale while the outcomes of the short jobs are stored.
        await().until(() -> list(numbers.name(), JobState.DONE).size() == SHORT
                && running(numbers.name()).size() > CONCURRENCY);
    }

    private List<JobId> running(QueueName queue) {
        return list(queue, JobState.RUNNING);
    }

    private List<JobId> list(QueueName queue, JobState state) {
        return orderly.jobs().list(queue, state, null, ALL).stream().map(JobView::id).toList();
    }

    @Test
    void jobsClaimedAheadGoBackWhenHandlersTurnSlowAndRunOnceLater() {
        claimAhead();
        awaitTrue(() -> running(numbers.name()).size() == CONCURRENCY);
        assertThat(list(numbers.name(), JobState.WAITING)).hasSize(ALL - SHORT - CONCURRENCY)
                .allSatisfy(id -> assertThat(view(id).failures()).isZero());
        assertThat(begun).hasValue(SHORT + CONCURRENCY);
        mayEnd.countDown();
        awaitTrue(() -> list(numbers.name(), JobState.DONE).size() == ALL);
        assertThat(ran).hasSize(ALL).doesNotHaveDuplicates();
    }

    @Test
    void aDrainGivesJobsClaimedAheadBackAndStartsNone() {
        claimAhead();
        orderly.drain(new NodeId("node-a"), true);
        mayEnd.countDown();
        awaitTrue(() -> running(numbers.name()).isEmpty());
        assertThat(list(numbers.name(), JobState.WAITING)).hasSize(ALL - SHORT - CONCURRENCY)
                .allSatisfy(id -> assertThat(view(id).failures()).isZero());
        assertThat(begun).hasValue(SHORT + CONCURRENCY);
    }

    @Test
    void aStopGivesJobsClaimedAheadBackAndStartsNone() {
        claimAhead();
        orderly.stop();
        assertThat(running(numbers.name())).isEmpty();
        assertThat(list(numbers.name(), JobState.WAITING)).hasSize(ALL - SHORT)
                .allSatisfy(id -> assertThat(view(id).failures()).isZero());
        assertThat(begun).hasValue(SHORT + CONCURRENCY);
    }

    @Test
    void jobsClaimedAheadByANodeThatIsDeclaredDeadRunOnceOnly() {
        claimAhead();
        declareAllDead();
        time.advance(Duration.ofSeconds(5)); // the next beat reports the death
        Orderly other = node("node-b");
        List<Integer> elsewhere = new CopyOnWriteArrayList<>();
        other.handle(other.queue("numbers", Integer.class, o -> o.withConcurrency(CONCURRENCY)),
                (number, _) -> elsewhere.add(number));
        other.start();
        awaitTrue(() -> begun.get() > SHORT + CONCURRENCY); // the handlers were interrupted, the node goes on
        mayEnd.countDown();
        awaitTrue(() -> list(numbers.name(), JobState.DONE).size() == ALL);
        assertThat(Stream.concat(ran.stream(), elsewhere.stream())).doesNotHaveDuplicates().hasSize(ALL);
        other.stop();
    }

    @Test
    void jobsClaimedAheadOfAPausedQueueDoNotStart() {
        claimAhead();
        orderly.jobs().pause(numbers.name(), true);
        awaitTrue(() -> running(numbers.name()).size() == CONCURRENCY);
        mayEnd.countDown();
        awaitTrue(() -> running(numbers.name()).isEmpty());
        assertThat(ran).hasSize(SHORT + CONCURRENCY);
    }

    @Test
    void fewerHandlersCountForJobsClaimedAheadToo() {
        claimAhead();
        orderly.engines().settings().change(numbers.name(), before -> before.withConcurrency(1), "ann");
        mayEnd.countDown();
        awaitTrue(() -> list(numbers.name(), JobState.DONE).size() == ALL);
        assertThat(most).as("handlers at once after the change").hasValue(1);
    }

    @Test
    void aCancelledJobThatWasClaimedAheadDoesNotStart() {
        claimAhead();
        List<JobId> held = running(numbers.name());
        JobId last = held.getLast(); // jobs start in the order of their claims
        assertThat(orderly.jobs().cancel(last)).isEqualTo(CancelResult.CANCELLED);
        mayEnd.countDown();
        awaitState(last, JobState.CANCELLED);
        awaitTrue(() -> list(numbers.name(), JobState.DONE).size() == ALL - 1);
        assertThat(ran).hasSize(ALL - 1).doesNotHaveDuplicates();
    }

    @Test
    void aHandlerServesAnotherGroupWhileASettlementIsUnderWay() {
        InterceptedStore intercepted = new InterceptedStore(store);
        try (Orderly node = Orderly.open(intercepted, options("node-b"))) {
            FifoQueue<Integer> orders = node.fifo("orders.fifo", Integer.class, o -> o.withConcurrency(1));
            node.handle(orders, (number, _) -> handle(number));
            orders.pushAll(IntStream.range(0, SHORT / 2).boxed().toList(), number -> "short " + number);
            node.start();
            // The clock stands between the handlers, so that they stay short.
            await().until(() -> list(orders.name(), JobState.DONE).size() == SHORT / 2);
            node.jobs().pause(orders.name(), true);
            orders.pushAll(List.of(1_001, 1_002, 2_001), number -> "g" + number / 1_000);
            CountDownLatch maySettle = new CountDownLatch(1);
            intercepted.holdCalls("settle", maySettle);
            node.jobs().pause(orders.name(), false);
            await().until(() -> ran.containsAll(List.of(1_001, 2_001)));
            assertThat(ran).doesNotContain(1_002);
            maySettle.countDown();
            await().until(() -> ran.contains(1_002));
            awaitTrue(() -> list(orders.name(), JobState.DONE).size() == SHORT / 2 + 3);
        }
    }

    @Test
    void aParkedGroupGoesBackAtAStopAndItsNextJobDoesNotStart() {
        InterceptedStore intercepted = new InterceptedStore(store);
        try (Orderly node = Orderly.open(intercepted, options("node-b"))) {
            FifoQueue<Integer> orders = node.fifo("orders.fifo", Integer.class, o -> o.withConcurrency(1));
            node.handle(orders, (number, _) -> handle(number));
            orders.pushAll(IntStream.range(0, SHORT / 2).boxed().toList(), number -> "short " + number);
            node.start();
            await().until(() -> list(orders.name(), JobState.DONE).size() == SHORT / 2);
            node.jobs().pause(orders.name(), true);
            orders.pushAll(List.of(1_001, 1_002, 1_003), _ -> "g");
            CountDownLatch maySettle = new CountDownLatch(1);
            CountDownLatch settling = intercepted.holdCalls("settle", maySettle);
            node.jobs().pause(orders.name(), false);
            await().until(() -> settling.getCount() == 0);
            Thread stopping = beginStop(node);
            maySettle.countDown();
            awaitTrue(() -> !stopping.isAlive());
            assertThat(ran).contains(1_001).doesNotContain(1_002, 1_003);
            assertThat(list(orders.name(), JobState.WAITING)).hasSize(2)
                    .allSatisfy(id -> assertThat(view(id).failures()).isZero());
        }
    }

    @Test
    void groupsClaimedAheadKeepTheirOrderThroughAGiveBack() {
        FifoQueue<Integer> orders = orderly.fifo("orders.fifo", Integer.class,
                o -> o.withConcurrency(CONCURRENCY));
        Map<String, List<Integer>> seen = new ConcurrentHashMap<>();
        Set<String> inside = ConcurrentHashMap.newKeySet();
        orderly.handle(orders, (number, job) -> {
            assertThat(inside.add(job.groupId().orElseThrow())).isTrue();
            handle(number);
            seen.computeIfAbsent(job.groupId().orElseThrow(), _ -> new CopyOnWriteArrayList<>()).add(number);
            inside.remove(job.groupId().orElseThrow());
        });
        orders.pushAll(IntStream.range(0, ALL).boxed().toList(), number -> "g" + number % 250);
        orderly.start();
        awaitTrue(() -> begun.get() == SHORT + CONCURRENCY);
        mayEnd.countDown();
        awaitTrue(() -> list(orders.name(), JobState.DONE).size() == ALL);
        assertThat(seen).hasSize(250).allSatisfy((_, list) -> assertThat(list).hasSize(4).isSorted());
    }
}
