package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.diagnosis.JobDiagnosis.Cause;
import dev.orderly.job.pull.PullRequest;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.resilience.InterceptedStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits over all nodes, as handlers see them. */
class EngineLimitTest extends EngineTest {
    private static final LimitName CRM = new LimitName("crm");

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final List<String> ran = new CopyOnWriteArrayList<>();

    /** A handler that counts how many run at once. */
    private void work(String text) {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        ran.add(text);
        for (int turn = 0; turn < 100; turn++) {
            Thread.onSpinWait();
        }
        running.decrementAndGet();
    }

    /** @param suspended whether the machine is suspended, so that its monotonic clock stands still */
    private void pass(Duration span, boolean suspended) {
        if (suspended) {
            time.jump(span);
        } else {
            time.advance(span);
        }
    }

    private StandardQueue<String> queue(Orderly node, String name) {
        StandardQueue<String> queue = node.queue(name, String.class, options -> options.withLimit("crm"));
        node.handle(queue, (text, _) -> work(text));
        return queue;
    }

    @Test
    void aLimitHoldsForQueuesThatShareItOnAllNodes() {
        Orderly other = Orderly.open(store.beside(), options("node-b"));
        List<Orderly> nodes = List.of(orderly, other);
        nodes.forEach(node -> node.limit("crm", Limit.concurrency(2)));
        StandardQueue<String> mails = queue(orderly, "mails");
        StandardQueue<String> reports = queue(orderly, "reports");
        queue(other, "mails");
        queue(other, "reports");
        mails.pushAll(IntStream.range(0, 60).mapToObj(n -> "m" + n).toList());
        reports.pushAll(IntStream.range(0, 60).mapToObj(n -> "r" + n).toList());
        nodes.forEach(Orderly::start);
        awaitTrue(() -> ran.size() == 120);
        assertThat(most.get()).isLessThanOrEqualTo(2);
        assertThat(ran).doesNotHaveDuplicates();
        other.close();
    }

    @Test
    void boundsOfAnOperatorCountOnAllNodesUntilTheyAreReset() {
        Orderly other = Orderly.open(store.beside(), options("node-b"));
        List<Orderly> nodes = List.of(orderly, other);
        for (Orderly node : nodes) {
            node.limit("crm", Limit.concurrency(20));
            queue(node, "mails");
            node.start();
        }
        awaitTrue(() -> "concurrency 20".equals(inForce(other)));
        orderly.limitSettings().change(CRM, before -> before.withConcurrency(1).withRate(500, Duration.ofSeconds(1)),
                "ann");
        awaitTrue(() -> "concurrency 1, rate 500 per 1s".equals(inForce(orderly)));
        awaitTrue(() -> !other.engines().jobs().limitOverride(CRM).isEmpty());
        most.set(0);
        orderly.queue("mails", String.class, options -> options.withLimit("crm"))
                .pushAll(IntStream.range(0, 40).mapToObj(n -> "m" + n).toList());
        awaitTrue(() -> ran.size() == 40);
        assertThat(most).hasValue(1);

        Orderly next = Orderly.open(store.beside(), options("node-c"));
        next.limit("crm", Limit.concurrency(50));
        queue(next, "mails");
        next.start();
        nodes.forEach(Orderly::stop);
        assertThat(next.limitSettings().of(CRM).by()).isEqualTo("ann");
        next.limitSettings().change(CRM, before -> before.withConcurrency(null), "eve");
        awaitTrue(() -> "concurrency 50, rate 500 per 1s".equals(inForce(next)));
        next.limitSettings().change(CRM, _ -> LimitOverride.NONE, "eve");
        awaitTrue(() -> "concurrency 50".equals(inForce(next)));
        next.close();
    }

    private static String inForce(Orderly node) {
        return node.jobs().limits().stream().filter(view -> view.name().equals(CRM))
                .map(view -> view.limit().toString())
                .findFirst().orElse("");
    }

    @Test
    void aQueueIsNotClaimedBeforeTheStoreKnowsItsLimit() {
        InterceptedStore seen = new InterceptedStore(store);
        AtomicInteger outage = new AtomicInteger();
        AtomicInteger early = new AtomicInteger();
        seen.around("upkeep", (_, upkeep) -> {
            if (outage.getAndDecrement() > 0) {
                throw new StoreException.Unavailable("The store is away", null);
            }
            return upkeep.get();
        });
        seen.around("claim", (arguments, claim) -> {
            boolean known = !store.jobViews().limits().isEmpty();
            if (!known && !((ClaimRequest) arguments[0]).wants().isEmpty()) {
                early.incrementAndGet();
            }
            return claim.get();
        });
        Orderly node = Orderly.open(seen, options("late"));
        node.limit("crm", Limit.concurrency(1));
        node.start();
        outage.set(3);
        StandardQueue<String> mails = queue(node, "mails");
        mails.pushAll(IntStream.range(0, 30).mapToObj(n -> "m" + n).toList());
        awaitTrue(() -> ran.size() == 30);
        assertThat(early).hasValue(0);
        assertThat(most.get()).isEqualTo(1);
        node.close();
    }

    @Test
    void aJobStartsWhenASlotIsFreedOnAnotherNodeWithoutAHint() {
        orderly.limit("crm", Limit.concurrency(1));
        StandardQueue<String> mails = queue(orderly, "mails");
        NodeId elsewhere = new NodeId("elsewhere");
        JobId first = mails.push("first");
        JobId second = mails.push("second");
        store.jobs().beat(elsewhere);
        ClaimedJob held = store.jobs().claim(new ClaimRequest(elsewhere,
                List.of(new ClaimRequest.Demand(mails.name(), 1))), time.now()).jobs().getFirst();
        orderly.start();
        awaitTrue(() -> orderly.why(second).cause() == Cause.LIMITED);
        store.jobs().settle(List.of(new Settlement(elsewhere, held.attempt(), new AttemptOutcome.Done(null))),
                time.now());
        awaitState(second, JobState.DONE);
        assertThat(held.id()).isEqualTo(first);
        assertThat(view(second).attempt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aJobThatStartsTooLateForARateIsGivenBackUncounted(boolean suspended) {
        InterceptedStore slow = new InterceptedStore(store);
        AtomicBoolean late = new AtomicBoolean(true);
        slow.around("claim", (_, claim) -> {
            ClaimedJobs claimed = (ClaimedJobs) claim.get();
            if (!claimed.jobs().isEmpty() && late.getAndSet(false)) {
                pass(Duration.ofMillis(1_500), suspended);
            }
            return claimed;
        });
        Orderly node = Orderly.open(slow, options("slow"));
        node.limit("crm", Limit.of(2, Duration.ofSeconds(10)));
        StandardQueue<String> mails = queue(node, "mails");
        JobId id = mails.push("a");
        node.start();
        awaitState(id, JobState.DONE);
        assertThat(view(id).attempt()).isEqualTo(2);
        assertThat(view(id).failures()).isZero();
        assertThat(ran).containsExactly("a");
        node.close();
    }

    @Test
    void jobsThatAreClaimedForWorkersElsewhereCount() {
        StandardQueue<String> pulled = orderly.queue("pulled", String.class,
                options -> options.withLimit(Limit.concurrency(1)));
        orderly.engines().jobs().pull(pulled);
        orderly.start();
        pulled.pushAll(List.of("a", "b"));
        ClaimedJob first = pull().join().getFirst();
        CompletableFuture<List<ClaimedJob>> next = pull();
        awaitTrue(() -> orderly.engines().pulls().waiting() == 1);
        assertThat(next).isNotDone();
        orderly.jobs().report(first.attempt(), new AttemptOutcome.Done(null));
        await().atMost(Duration.ofSeconds(60)).until(next::isDone);
        assertThat(next.join()).hasSize(1);
    }

    private CompletableFuture<List<ClaimedJob>> pull() {
        return orderly.engines().pulls().claim(new PullRequest(new QueueName("pulled"), 5, Duration.ofSeconds(20),
                Duration.ofHours(1))).orElseThrow();
    }

    @Test
    void aGroupKeepsItsOrderUnderALimit() {
        orderly.limit("crm", Limit.concurrency(2));
        FifoQueue<String> orders = orderly.fifo("orders.fifo", String.class, options -> options.withLimit("crm"));
        orderly.handle(orders, (text, _) -> work(text));
        List<String> pushed = IntStream.range(0, 20).mapToObj(n -> "o" + n).toList();
        orders.group("g").pushAll(pushed);
        orderly.start();
        awaitTrue(() -> ran.size() == 20);
        assertThat(ran).containsExactlyElementsOf(pushed);
    }

    @Test
    void aChangedLimitCounts() {
        orderly.limit("crm", Limit.concurrency(1));
        StandardQueue<String> mails = queue(orderly, "mails");
        orderly.start();
        awaitState(mails.push("a"), JobState.DONE);
        orderly.limit("crm", Limit.concurrency(7));
        awaitTrue(() -> orderly.jobs().limits().getFirst().limit().equals(Limit.concurrency(7)));
        orderly.engines().jobs().change(mails.name(), QueueOptions.STANDARD);
        awaitTrue(() -> orderly.jobs().limits().isEmpty());
        awaitState(mails.push("b"), JobState.DONE);
    }

    @Test
    void aNodeThatDoesNotNameTheLimitLiftsItForNobodyAndKeepsIt() {
        orderly.limit("crm", Limit.concurrency(1));
        StandardQueue<String> mails = queue(orderly, "mails");
        orderly.start();
        Orderly other = Orderly.open(store.beside(), options("node-b"));
        other.handle(other.queue("mails", String.class), (text, _) -> work(text));
        other.start();
        for (int n = 0; n < 10; n++) { // both repeat what they declare
            awaitState(mails.push("m" + n), JobState.DONE);
            time.advance(Duration.ofSeconds(5));
        }
        mails.pushAll(IntStream.range(0, 40).mapToObj(n -> "n" + n).toList());
        awaitTrue(() -> ran.size() == 50);
        assertThat(most.get()).isEqualTo(1);
        assertThat(orderly.jobs().limits()).singleElement()
                .satisfies(limit -> assertThat(limit.limit()).isEqualTo(Limit.concurrency(1)));
        other.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClaimOfAWorkerElsewhereThatIsAnsweredTooLateForItsRateGoesBack(boolean suspended) {
        InterceptedStore late = new InterceptedStore(store.beside());
        AtomicBoolean first = new AtomicBoolean(true);
        late.around("claim", (_, claim) -> {
            ClaimedJobs claimed = (ClaimedJobs) claim.get();
            if (!claimed.jobs().isEmpty() && first.getAndSet(false)) {
                pass(Duration.ofMillis(1_500), suspended);
            }
            return claimed;
        });
        Orderly node = Orderly.open(late, options("node-b"));
        StandardQueue<String> pulled = node.queue("pulled", String.class,
                options -> options.withLimit(Limit.of(2, Duration.ofSeconds(1))));
        node.engines().jobs().pull(pulled);
        node.start();
        pulled.push("a");
        List<ClaimedJob> got = claim(node, pulled);
        assertThat(got).singleElement().satisfies(job -> assertThat(job.attempt().number()).isEqualTo(2));
        node.close();
    }

    private List<ClaimedJob> claim(Orderly node, StandardQueue<String> queue) {
        CompletableFuture<List<ClaimedJob>> claim = node.engines().pulls()
                .claim(new PullRequest(queue.name(), 2, Duration.ofSeconds(20), Duration.ofHours(1))).orElseThrow();
        awaitTrue(claim::isDone);
        return claim.join();
    }

    @Test
    void noPulledJobIsHandedOutAfterItsExpiry() {
        InterceptedStore late = new InterceptedStore(store.beside());
        late.around("settle", (_, settle) -> {
            Object settled = settle.get();
            time.jump(Duration.ofMinutes(2));
            return settled;
        });
        Orderly node = Orderly.open(late, options("node-b"));
        StandardQueue<String> pulled = node.queue("pulled", String.class);
        node.engines().jobs().pull(pulled);
        node.start();
        JobId id = pulled.expires(Duration.ofMinutes(1)).push("a");
        assertThat(claim(node, pulled)).isEmpty();
        awaitState(id, JobState.CANCELLED);
        node.close();
    }

    @Test
    void aQueueThatNamesAnUnknownLimitIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> orderly.queue("mails", String.class, options -> options.withLimit("crm")))
                .withMessage("Queue mails names limit crm, which is not declared on this node: declare the limit"
                        + " before the queue");
        assertThatThrownBy(() -> orderly.limit("queue:mails", Limit.concurrency(1)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("use another name");
    }
}
