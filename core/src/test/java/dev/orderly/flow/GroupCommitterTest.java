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

class GroupCommitterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<List<Integer>> commits = new CopyOnWriteArrayList<>();
    private final CountDownLatch firstStarted = new CountDownLatch(1);
    private final CountDownLatch firstMayEnd = new CountDownLatch(1);

    /** Blocks the first group commit until the test releases it: the test knows which items gather meanwhile. */
    private List<Integer> heldDoubling(List<Integer> items) {
        commits.add(items);
        firstStarted.countDown();
        await(firstMayEnd);
        return items.stream().map(i -> 2 * i).toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatComesDuringAGroupCommitGathersIntoTheNextInOrder() {
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>("test", Time.system(),
                new GroupCommitter.Bounds<>(100, 1_000, _ -> 1),
                this::heldDoubling);
        List<CompletableFuture<Integer>> futures = new ArrayList<>(List.of(committer.submit(0)));
        await(firstStarted);
        for (int i = 1; i <= 50; i++) {
            futures.add(committer.submit(i));
        }
        firstMayEnd.countDown();
        for (int i = 0; i <= 50; i++) {
            assertThat(futures.get(i).join()).isEqualTo(2 * i);
        }
        assertThat(commits).hasSize(2);
        assertThat(commits.get(1)).hasSize(50).isSorted();
        committer.close(PATIENCE);
    }

    /** A committer whose pause only ends early; negative items do not wait. */
    private GroupCommitter<Integer, Integer> patient() {
        return new GroupCommitter<>("test", Time.system(), new GroupCommitter.Bounds<>(10, 1_000, _ -> 1),
                new GroupCommitter.Patience<>(Duration.ofDays(1), item -> item >= 0), items -> {
                    commits.add(items);
                    return items;
                });
    }

    @Test
    void patientItemsWaitAfterAGroupCommitForAnItemThatCannotWait() {
        GroupCommitter<Integer, Integer> committer = patient();
        assertThat(committer.submit(0).join()).isZero();
        CompletableFuture<Integer> patient = committer.submit(1);
        assertThat(committer.submit(-1).join()).isEqualTo(-1);
        assertThat(patient.join()).isEqualTo(1);
        assertThat(commits).containsExactly(List.of(0), List.of(1, -1));
        committer.close(PATIENCE);
    }

    @Test
    void aFullGroupCommitOfPatientItemsDoesNotWait() {
        GroupCommitter<Integer, Integer> committer = patient();
        assertThat(committer.submit(0).join()).isZero();
        List<CompletableFuture<Integer>> all = IntStream.range(0, 10).mapToObj(committer::submit).toList();
        assertThat(all).allSatisfy(each -> assertThat(each.get(60, TimeUnit.SECONDS)).isNotNull());
        committer.close(PATIENCE);
    }

    @Test
    void aCloseRunsPatientItemsAtOnce() {
        GroupCommitter<Integer, Integer> committer = patient();
        assertThat(committer.submit(0).join()).isZero();
        CompletableFuture<Integer> patient = committer.submit(1);
        committer.close(PATIENCE);
        assertThat(patient).isCompletedWithValue(1);
    }

    @Test
    void aLoneCallerDoesItsItemItselfAndHoldsUpNobodyElse() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>("test", Time.system(),
                new GroupCommitter.Bounds<>(100, 1_000, _ -> 1), items -> {
                    threads.add(Thread.currentThread());
                    return items.getFirst() == 0 ? heldDoubling(items) : items.stream().map(i -> 2 * i).toList();
                });
        CompletableFuture<Integer> slow = new CompletableFuture<>();
        Thread caller = Thread.ofVirtual().start(() -> slow.complete(committer.call(0)));
        await(firstStarted);
        assertThat(committer.call(1)).isEqualTo(2);
        assertThat(committer.submit(2).join()).isEqualTo(4);
        firstMayEnd.countDown();
        assertThat(slow.join()).isZero();
        assertThat(committer.call(3)).isEqualTo(6);
        assertThat(threads.getFirst()).isSameAs(caller);
        assertThat(threads.get(1)).isNotIn(caller, Thread.currentThread());
        committer.close(PATIENCE);
        assertThatThrownBy(() -> committer.call(4)).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLoneCallerThatFailsGetsItsFailureAndTheNextOneIsServed() {
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>("test", Time.system(),
                new GroupCommitter.Bounds<>(100, 1_000, _ -> 1), items -> {
                    if (items.contains(0)) {
                        throw new StackOverflowError("planted");
                    }
                    return items;
                });
        assertThatThrownBy(() -> committer.call(0)).isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("planted");
        assertThat(committer.call(1)).isEqualTo(1);
        committer.close(PATIENCE);
    }

    @Test
    void aGroupCommitEndsAtItsWeight() {
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>("test", Time.system(),
                new GroupCommitter.Bounds<>(10, 1_000, i -> i),
                this::heldDoubling);
        CompletableFuture<Integer> first = committer.submit(1);
        await(firstStarted);
        List<CompletableFuture<Integer>> rest = List.of(committer.submit(6), committer.submit(6), committer.submit(6));
        firstMayEnd.countDown();
        first.join();
        rest.forEach(CompletableFuture::join);
        assertThat(commits).containsExactly(List.of(1), List.of(6, 6), List.of(6));
        committer.close(PATIENCE);
    }

    @Test
    void submittersAreHeldBackWhileTooMuchWaits() throws InterruptedException {
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>("test", Time.system(),
                new GroupCommitter.Bounds<>(1, 2, _ -> 1),
                this::heldDoubling);
        CompletableFuture<Integer> first = committer.submit(1);
        await(firstStarted);
        CompletableFuture<Integer> second = committer.submit(2);
        CompletableFuture<Integer> third = committer.submit(3);
        Thread fourth = Thread.ofVirtual().start(() -> committer.submit(4).join());
        assertThat(fourth.join(Duration.ofMillis(100))).isFalse();
        firstMayEnd.countDown();
        assertThat(fourth.join(PATIENCE)).isTrue();
        assertThat(List.of(first.join(), second.join(), third.join())).containsExactly(2, 4, 6);
        committer.close(PATIENCE);
    }

    @Test
    void aGroupCommitThatThrowsFailsItsItemsAndNoOthers() {
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>("test", Time.system(),
                new GroupCommitter.Bounds<>(100, 1_000, _ -> 1), items -> {
                    if (items.contains(13)) {
                        throw new IllegalArgumentException("13");
                    }
                    return items;
                });
        assertThatThrownBy(() -> committer.submit(13).join()).hasRootCauseMessage("13");
        assertThat(committer.submit(14).join()).isEqualTo(14);
        committer.close(PATIENCE);
    }

    @Test
    void closingDoesWhatWaitsAndTakesNoMore() {
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>("test", Time.system(),
                new GroupCommitter.Bounds<>(1, 1_000, _ -> 1),
                this::heldDoubling);
        List<CompletableFuture<Integer>> futures = List.of(committer.submit(1), committer.submit(2),
                committer.submit(3));
        firstMayEnd.countDown();
        committer.close(PATIENCE);
        assertThat(futures).allMatch(CompletableFuture::isDone).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(committer.submit(4)).isCompletedExceptionally();
    }

    @Test
    void aThreadThatCannotBeStartedFailsWhatWaitsAndTheNextItemTriesAgain() {
        AtomicInteger tries = new AtomicInteger();
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>(Time.system(),
                new GroupCommitter.Bounds<>(100, 1_000, _ -> 1),
                items -> items,
                task -> {
                    if (tries.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                });
        assertThat(committer.submit(1)).isCompletedExceptionally();
        assertThat(committer.submit(2)).isCompletedWithValue(2);
        committer.close(PATIENCE);
    }

    @Test
    void aGroupCommitWithTooFewOrTooManyOutcomesFailsItsItemsAndNoOthers() {
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>("test", Time.system(),
                new GroupCommitter.Bounds<>(100, 1_000, _ -> 1),
                items -> switch (items.getFirst()) {
                    case 1 -> List.of();
                    case 2 -> List.of(2, 3);
                    default -> items;
                });
        assertThatThrownBy(() -> committer.submit(1).join()).hasRootCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> committer.submit(2).join()).hasRootCauseInstanceOf(IllegalStateException.class);
        assertThat(committer.submit(3).join()).isEqualTo(3);
        committer.close(PATIENCE);
    }

    @Test
    void anErrorInAGroupCommitFailsItsItemsAndNoOthers() {
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>("test", Time.system(),
                new GroupCommitter.Bounds<>(100, 1_000, _ -> 1), items -> {
                    if (items.contains(13)) {
                        throw new NoClassDefFoundError("13");
                    }
                    return items;
                });
        assertThatThrownBy(() -> committer.submit(13).join()).hasRootCauseMessage("13");
        assertThat(committer.submit(14).join()).isEqualTo(14);
        committer.close(PATIENCE);
    }

    @Test
    void whatHangsOnAnOutcomeAndThrowsKeepsNoOtherOutcomeBack() {
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>("test", Time.system(),
                new GroupCommitter.Bounds<>(100, 1_000, _ -> 1),
                this::heldDoubling);
        CompletableFuture<Integer> first = committer.submit(1);
        await(firstStarted);
        CompletableFuture<Integer> second = committer.submit(2);
        CompletableFuture<Integer> third = committer.submit(3);
        var _ = second.whenComplete((_, _) -> {
            throw new IllegalStateException("of a caller");
        });
        firstMayEnd.countDown();
        assertThat(List.of(first.join(), second.join(), third.join())).containsExactly(2, 4, 6);
        assertThat(committer.submit(4).join()).isEqualTo(8);
        committer.close(PATIENCE);
    }
}
