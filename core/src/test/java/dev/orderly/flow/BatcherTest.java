package dev.orderly.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatcherTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();
    private final CountDownLatch firstStarted = new CountDownLatch(1);
    private final CountDownLatch firstMayEnd = new CountDownLatch(1);

    /** Holds the first batch until told, so that what gathers behind it is known. */
    private List<Integer> heldDoubling(List<Integer> batch) {
        batches.add(batch);
        firstStarted.countDown();
        await(firstMayEnd);
        return batch.stream().map(i -> 2 * i).toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatComesDuringABatchGathersIntoTheNextInOrder() {
        Batcher<Integer, Integer> batcher = new Batcher<>("test", Time.system(),
                new Batcher.Bounds<>(100, 1_000, _ -> 1),
                this::heldDoubling);
        List<CompletableFuture<Integer>> futures = new ArrayList<>(List.of(batcher.submit(0)));
        await(firstStarted);
        for (int i = 1; i <= 50; i++) {
            futures.add(batcher.submit(i));
        }
        firstMayEnd.countDown();
        for (int i = 0; i <= 50; i++) {
            assertThat(futures.get(i).join()).isEqualTo(2 * i);
        }
        assertThat(batches).hasSize(2);
        assertThat(batches.get(1)).hasSize(50).isSorted();
        batcher.close(PATIENCE);
    }

    /** A batcher whose pause only ends early; negative items do not wait. */
    private Batcher<Integer, Integer> patient() {
        return new Batcher<>("test", Time.system(), new Batcher.Bounds<>(10, 1_000, _ -> 1),
                new Batcher.Patience<>(Duration.ofDays(1), item -> item >= 0), batch -> {
                    batches.add(batch);
                    return batch;
                });
    }

    @Test
    void patientItemsWaitAfterABatchForAnItemThatCannotWait() {
        Batcher<Integer, Integer> batcher = patient();
        assertThat(batcher.submit(0).join()).isZero();
        CompletableFuture<Integer> patient = batcher.submit(1);
        assertThat(batcher.submit(-1).join()).isEqualTo(-1);
        assertThat(patient.join()).isEqualTo(1);
        assertThat(batches).containsExactly(List.of(0), List.of(1, -1));
        batcher.close(PATIENCE);
    }

    @Test
    void aFullBatchOfPatientItemsDoesNotWait() {
        Batcher<Integer, Integer> batcher = patient();
        assertThat(batcher.submit(0).join()).isZero();
        List<CompletableFuture<Integer>> all = IntStream.range(0, 10).mapToObj(batcher::submit).toList();
        assertThat(all).allSatisfy(each -> assertThat(each.get(60, TimeUnit.SECONDS)).isNotNull());
        batcher.close(PATIENCE);
    }

    @Test
    void aCloseRunsPatientItemsAtOnce() {
        Batcher<Integer, Integer> batcher = patient();
        assertThat(batcher.submit(0).join()).isZero();
        CompletableFuture<Integer> patient = batcher.submit(1);
        batcher.close(PATIENCE);
        assertThat(patient).isCompletedWithValue(1);
    }

    @Test
    void aLoneCallerDoesItsItemItselfAndHoldsUpNobodyElse() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Batcher<Integer, Integer> batcher = new Batcher<>("test", Time.system(),
                new Batcher.Bounds<>(100, 1_000, _ -> 1), batch -> {
                    threads.add(Thread.currentThread());
                    return batch.getFirst() == 0 ? heldDoubling(batch) : batch.stream().map(i -> 2 * i).toList();
                });
        CompletableFuture<Integer> slow = new CompletableFuture<>();
        Thread caller = Thread.ofVirtual().start(() -> slow.complete(batcher.call(0)));
        await(firstStarted);
        assertThat(batcher.call(1)).isEqualTo(2);
        assertThat(batcher.submit(2).join()).isEqualTo(4);
        firstMayEnd.countDown();
        assertThat(slow.join()).isZero();
        assertThat(batcher.call(3)).isEqualTo(6);
        assertThat(threads.getFirst()).isSameAs(caller);
        assertThat(threads.get(1)).isNotIn(caller, Thread.currentThread());
        batcher.close(PATIENCE);
        assertThatThrownBy(() -> batcher.call(4)).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLoneCallerThatFailsGetsItsFailureAndTheNextOneIsServed() {
        Batcher<Integer, Integer> batcher = new Batcher<>("test", Time.system(),
                new Batcher.Bounds<>(100, 1_000, _ -> 1), batch -> {
                    if (batch.contains(0)) {
                        throw new StackOverflowError("planted");
                    }
                    return batch;
                });
        assertThatThrownBy(() -> batcher.call(0)).isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("planted");
        assertThat(batcher.call(1)).isEqualTo(1);
        batcher.close(PATIENCE);
    }

    @Test
    void aBatchEndsAtItsWeight() {
        Batcher<Integer, Integer> batcher = new Batcher<>("test", Time.system(),
                new Batcher.Bounds<>(10, 1_000, i -> i),
                this::heldDoubling);
        CompletableFuture<Integer> first = batcher.submit(1);
        await(firstStarted);
        List<CompletableFuture<Integer>> rest = List.of(batcher.submit(6), batcher.submit(6), batcher.submit(6));
        firstMayEnd.countDown();
        first.join();
        rest.forEach(CompletableFuture::join);
        assertThat(batches).containsExactly(List.of(1), List.of(6, 6), List.of(6));
        batcher.close(PATIENCE);
    }

    @Test
    void submittersAreHeldBackWhileTooMuchWaits() throws InterruptedException {
        Batcher<Integer, Integer> batcher = new Batcher<>("test", Time.system(), new Batcher.Bounds<>(1, 2, _ -> 1),
                this::heldDoubling);
        CompletableFuture<Integer> first = batcher.submit(1);
        await(firstStarted);
        CompletableFuture<Integer> second = batcher.submit(2);
        CompletableFuture<Integer> third = batcher.submit(3);
        Thread fourth = Thread.ofVirtual().start(() -> batcher.submit(4).join());
        assertThat(fourth.join(Duration.ofMillis(100))).isFalse();
        firstMayEnd.countDown();
        assertThat(fourth.join(PATIENCE)).isTrue();
        assertThat(List.of(first.join(), second.join(), third.join())).containsExactly(2, 4, 6);
        batcher.close(PATIENCE);
    }

    @Test
    void aBatchThatThrowsFailsItsItemsAndNoOthers() {
        Batcher<Integer, Integer> batcher = new Batcher<>("test", Time.system(),
                new Batcher.Bounds<>(100, 1_000, _ -> 1), batch -> {
                    if (batch.contains(13)) {
                        throw new IllegalArgumentException("13");
                    }
                    return batch;
                });
        assertThatThrownBy(() -> batcher.submit(13).join()).hasRootCauseMessage("13");
        assertThat(batcher.submit(14).join()).isEqualTo(14);
        batcher.close(PATIENCE);
    }

    @Test
    void closingDoesWhatWaitsAndTakesNoMore() {
        Batcher<Integer, Integer> batcher = new Batcher<>("test", Time.system(), new Batcher.Bounds<>(1, 1_000, _ -> 1),
                this::heldDoubling);
        List<CompletableFuture<Integer>> futures = List.of(batcher.submit(1), batcher.submit(2), batcher.submit(3));
        firstMayEnd.countDown();
        batcher.close(PATIENCE);
        assertThat(futures).allMatch(CompletableFuture::isDone).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(batcher.submit(4)).isCompletedExceptionally();
    }

    @Test
    void aThreadThatCannotBeStartedFailsWhatWaitsAndTheNextItemTriesAgain() {
        AtomicInteger tries = new AtomicInteger();
        Batcher<Integer, Integer> batcher = new Batcher<>(Time.system(), new Batcher.Bounds<>(100, 1_000, _ -> 1),
                batch -> batch,
                task -> {
                    if (tries.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                });
        assertThat(batcher.submit(1)).isCompletedExceptionally();
        assertThat(batcher.submit(2)).isCompletedWithValue(2);
        batcher.close(PATIENCE);
    }

    @Test
    void aBatchWithTooFewOrTooManyOutcomesFailsItsItemsAndNoOthers() {
        Batcher<Integer, Integer> batcher = new Batcher<>("test", Time.system(),
                new Batcher.Bounds<>(100, 1_000, _ -> 1),
                batch -> switch (batch.getFirst()) {
                    case 1 -> List.of();
                    case 2 -> List.of(2, 3);
                    default -> batch;
                });
        assertThatThrownBy(() -> batcher.submit(1).join()).hasRootCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> batcher.submit(2).join()).hasRootCauseInstanceOf(IllegalStateException.class);
        assertThat(batcher.submit(3).join()).isEqualTo(3);
        batcher.close(PATIENCE);
    }

    @Test
    void anErrorInABatchFailsItsItemsAndNoOthers() {
        Batcher<Integer, Integer> batcher = new Batcher<>("test", Time.system(),
                new Batcher.Bounds<>(100, 1_000, _ -> 1), batch -> {
                    if (batch.contains(13)) {
                        throw new NoClassDefFoundError("13");
                    }
                    return batch;
                });
        assertThatThrownBy(() -> batcher.submit(13).join()).hasRootCauseMessage("13");
        assertThat(batcher.submit(14).join()).isEqualTo(14);
        batcher.close(PATIENCE);
    }

    @Test
    void whatHangsOnAnOutcomeAndThrowsKeepsNoOtherOutcomeBack() {
        Batcher<Integer, Integer> batcher = new Batcher<>("test", Time.system(),
                new Batcher.Bounds<>(100, 1_000, _ -> 1),
                this::heldDoubling);
        CompletableFuture<Integer> first = batcher.submit(1);
        await(firstStarted);
        CompletableFuture<Integer> second = batcher.submit(2);
        CompletableFuture<Integer> third = batcher.submit(3);
        var _ = second.whenComplete((_, _) -> {
            throw new IllegalStateException("of a caller");
        });
        firstMayEnd.countDown();
        assertThat(List.of(first.join(), second.join(), third.join())).containsExactly(2, 4, 6);
        assertThat(batcher.submit(4).join()).isEqualTo(8);
        batcher.close(PATIENCE);
    }
}
