package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.CancellationSignal;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A transaction that locks a group affects no other group. */
class HeldGroupsResilienceTest {
    private final ManualTime time = new ManualTime();
    private final HeldGroups store = new HeldGroups(new MemoryStore());
    private final Orderly orderly = Orderly.open(store,
            EngineOptions.defaults().withTime(time).withRandom(new Random(1)).withStopGrace(Duration.ZERO));
    private final FifoQueue<String> orders = orderly.fifo("orders.fifo", String.class);
    private final StandardQueue<String> mail = orderly.queue("mail", String.class);

    @AfterEach
    void close() {
        store.letGo("g");
        orderly.close();
    }

    @Test
    void jobsOfOtherGroupsEndWhileAGroupIsLockedAndItsOwnJobsEndAfterwardsInOrder() throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        orderly.handle(orders, (text, _) -> {
            running.countDown();
            assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
            ran.add(text);
        });
        orderly.handle(mail, (_, _) -> {});
        List<JobId> own = orders.pushAll(List.of("1", "2", "3"), _ -> "g");
        orderly.start();
        awaitTrue(() -> running.getCount() == 0);
        store.hold("g");
        go.countDown();
        awaitTrue(() -> ran.equals(List.of("1")));
        List<JobId> others = new ArrayList<>(orders.pushAll(List.of("a", "b", "c"), text -> text));
        for (int n = 0; n < 20; n++) {
            others.add(mail.push("m" + n));
        }
        awaitTrue(() -> others.stream().allMatch(id -> state(id) == JobState.DONE));
        assertThat(state(own.getFirst())).isEqualTo(JobState.RUNNING);
        store.letGo("g");
        awaitTrue(() -> own.stream().allMatch(id -> state(id) == JobState.DONE));
        assertThat(ran).containsSubsequence("1", "2", "3").hasSize(6);
    }

    @Test
    void aPushIntoALockedGroupWaitsAloneAndIsStoredWhenTheGroupIsFree() {
        store.hold("g");
        CompletableFuture<JobId> later = pushing("g");
        awaitTrue(() -> {
            orders.group("h").push("h" + time.nanos());
            mail.push("m");
            return orderly.jobs().list(mail.name(), JobState.WAITING, null, 100).size() >= 20;
        });
        assertThat(later).isNotDone();
        store.letGo("g");
        awaitTrue(later::isDone);
        assertThat(state(later.join())).isEqualTo(JobState.WAITING);
    }

    @Test
    void aPushIntoAGroupThatIsLockedTooLongIsRefusedAndNamesTheGroup() {
        store.hold("g");
        CompletableFuture<JobId> refused = pushing("g");
        awaitTrue(refused::isDone);
        assertThatThrownBy(refused::get).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreException.Unavailable.class).hasMessageContaining("Group g is held")
                .hasMessageContaining("Waited 5 s");
        store.letGo("g");
        assertThat(state(orders.group("g").push("again"))).isEqualTo(JobState.WAITING);
    }

    @Test
    void aBulkPushIntoALockedGroupIsStoredWhollyOrNotAtAll() {
        store.hold("g");
        CompletableFuture<List<JobId>> bulk = CompletableFuture
                .supplyAsync(() -> orders.pushAll(List.of("g", "h"), text -> text), Thread::startVirtualThread);
        awaitTrue(bulk::isDone);
        assertThat(bulk).isCompletedExceptionally();
        assertThat(orderly.jobs().list(orders.name(), JobState.WAITING, null, 10)).isEmpty();
    }

    @Test
    void aTimeoutTakesEffectWhileProgressReportsHang() {
        CompletableFuture<CancellationSignal.Reason> heard = new CompletableFuture<>();
        StandardQueue<String> slow = orderly.queue("slow", String.class,
                o -> o.withTimeout(Duration.ofSeconds(1)));
        store.progress().lock();
        try {
            orderly.handle(slow, (_, job) -> {
                job.signal().onRaise(() -> heard.complete(job.signal().reason().orElseThrow()));
                job.progress(1, 2, "half");
                await().atMost(Duration.ofSeconds(60)).until(heard::isDone);
            });
            slow.push("a");
            orderly.start();
            awaitTrue(() -> store.progress().hasQueuedThreads());
            awaitTrue(heard::isDone);
            assertThat(heard).isCompletedWithValue(CancellationSignal.Reason.TIMEOUT);
        } finally {
            store.progress().unlock();
        }
    }

    private CompletableFuture<JobId> pushing(String group) {
        return CompletableFuture.supplyAsync(() -> orders.group(group).push("late"), Thread::startVirtualThread);
    }

    private JobState state(JobId id) {
        return orderly.jobs().find(id).orElseThrow().state();
    }

    /** Waits until the condition holds; advances the clocks a little after each attempt. */
    private void awaitTrue(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(2)).until(() -> {
            time.advance(Duration.ofMillis(50));
            return condition.call();
        });
    }
}
