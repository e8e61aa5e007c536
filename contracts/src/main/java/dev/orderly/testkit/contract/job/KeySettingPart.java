package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.Limit;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.SetResult;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.KeyView;
import dev.orderly.testkit.contract.input.CallerThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pauses and bounds of single keys, and pauses of single groups. */
public interface KeySettingPart extends JobPart {
    /** A pause by an operator. */
    KeySettings PAUSED = KeySettings.NONE.withPaused(true).changed("ann", Instant.ofEpochMilli(1_700_000_000_123L));

    private static KeySettings bounds(@Nullable Integer concurrency, @Nullable Integer starts) {
        return KeySettings.NONE.withBounds(LimitOverride.NONE.withConcurrency(concurrency).withRate(starts,
                starts == null ? null : Duration.ofMinutes(1))).changed("bob", Instant.ofEpochMilli(7));
    }

    private KeySettings settings(QueueName queue, String key) {
        return trial().views().keys(queue, key, 1).stream().map(KeyView::settings).findFirst()
                .orElse(KeySettings.NONE);
    }

    private void set(QueueName queue, String key, KeySettings next) {
        assertThat(trial().jobs().set(queue, key, settings(queue, key), next)).isEqualTo(SetResult.SET);
    }

    private static List<String> take(TestNode node) {
        return TestNode.bodies(KeyPart.take(node, 20));
    }

    private void push(String... bodies) {
        trial().pushAll(List.of(bodies).stream().map(body -> mail(body).key(body.substring(0, 1))).toList());
    }

    @Test
    default void aPausedKeyStartsNothingAndTheOthersGoOn() {
        push("a0", "b0");
        set(MAIL, "a", PAUSED);
        push("a1", "b1");
        TestNode node = trial().node();
        ClaimedJobs claimed = node.claim(MAIL, 20);
        assertThat(TestNode.bodies(claimed.jobs())).containsExactlyInAnyOrder("b0", "b1");
        assertThat(claimed.limited()).as("no reason to look again soon").isEmpty();
        assertThat(take(trial().node())).isEmpty();
        set(MAIL, "a", KeySettings.NONE);
        assertThat(take(node)).containsExactly("a0", "a1");
    }

    @Test
    default void aKeyIsPausedBeforeItsFirstJob() {
        set(MAIL, "a", PAUSED);
        push("a0", "b0");
        TestNode node = trial().node();
        assertThat(take(node)).containsExactly("b0");
        set(MAIL, "a", KeySettings.NONE);
        assertThat(take(node)).containsExactly("a0");
    }

    @Test
    default void whatRunsOfAPausedKeyOrGroupGoesOn() {
        push("a0");
        trial().push(order("g", "g0"));
        TestNode node = trial().node();
        ClaimedJob ofKey = KeyPart.take(node, 1).getFirst();
        ClaimedJob ofGroup = node.takeOne(ORDERS);
        set(MAIL, "a", PAUSED);
        set(ORDERS, "g", PAUSED);
        assertThat(trial().views().keys(MAIL, "a", 1).getFirst().running()).isEqualTo(1);
        assertThat(trial().views().keys(ORDERS, "g", 1).getFirst().running()).isEqualTo(1);
        assertThat(trial().views().keys(ORDERS, "g", 1).getFirst().oldest()).isNull();
        assertThat(node.retry(ofKey, Duration.ZERO)).isEqualTo(SettleResult.ACCEPTED);
        assertThat(node.retry(ofGroup, Duration.ZERO)).isEqualTo(SettleResult.ACCEPTED);
        trial().sleep(Duration.ofSeconds(1));
        node.beat();
        assertThat(take(node)).as("a retry of a paused key").isEmpty();
        assertThat(node.take(ORDERS, 5)).as("a retry of a paused group").isEmpty();
        set(MAIL, "a", KeySettings.NONE);
        set(ORDERS, "g", KeySettings.NONE);
        assertThat(take(node)).containsExactly("a0");
        assertThat(TestNode.bodies(node.take(ORDERS, 5))).containsExactly("g0");
    }

    @Test
    default void aPausedGroupStartsNothingAndTheOthersGoOn() {
        trial().push(order("a", "a0"), order("b", "b0"), order("a", "a1"));
        set(ORDERS, "a", PAUSED);
        trial().push(order("a", "a2"), order("c", "c0"));
        TestNode node = trial().node();
        assertThat(TestNode.bodies(node.take(ORDERS, 5))).containsExactly("b0", "c0");
        assertThat(trial().node().take(ORDERS, 5)).isEmpty();
        set(ORDERS, "a", KeySettings.NONE);
        assertThat(TestNode.bodies(node.take(ORDERS, 5))).containsExactly("a0", "a1", "a2");
    }

    @Test
    default void aPushIntoAPausedGroupIsNotHandedOff() {
        TestNode node = trial().node();
        set(ORDERS, "a", PAUSED);
        assertThat(((PushResult.Accepted) trial().answer(order("a", "a0").claimer(node))).handedOff()).isFalse();
        assertThat(node.take(ORDERS, 5)).isEmpty();
        PushResult.Accepted other = (PushResult.Accepted) trial().answer(order("b", "b0").claimer(node));
        assertThat(other.handedOff() || TestNode.bodies(node.take(ORDERS, 5)).equals(List.of("b0")))
                .as("the group beside it").isTrue();
    }

    @Test
    default void aPauseOutlivesChangesOfItsJobs() {
        JobId first = trial().push(order("a", "a0"));
        TestNode node = trial().node();
        node.dead(node.takeOne(ORDERS), true);
        trial().push(order("a", "a1"), mail("m0").key("m"), mail("m1").key("m"));
        ClaimedJob mail = KeyPart.take(node, 1).getFirst();
        node.dead(mail, false);
        set(ORDERS, "a", PAUSED);
        set(MAIL, "m", PAUSED);
        trial().redrive(ORDERS, first);
        trial().redrive(MAIL, mail.id());
        assertThat(node.take(ORDERS, 5)).isEmpty();
        assertThat(take(node)).isEmpty();
        trial().push(order("b", "b0"));
        ClaimedJob later = node.takeOne(ORDERS);
        node.retry(later, Duration.ofDays(1));
        set(ORDERS, "b", PAUSED);
        assertThat(trial().jobs().runNow(later.id(), trial().now())).isEqualTo(RunNowResult.DUE);
        assertThat(node.take(ORDERS, 5)).isEmpty();
        trial().cancel(first);
        trial().upkeep();
        node.beat();
        assertThat(node.take(ORDERS, 5)).isEmpty();
        set(ORDERS, "a", KeySettings.NONE);
        set(ORDERS, "b", KeySettings.NONE);
        set(MAIL, "m", KeySettings.NONE);
        assertThat(TestNode.bodies(node.take(ORDERS, 5))).containsExactlyInAnyOrder("a1", "b0");
        assertThat(take(node)).containsExactlyInAnyOrder("m0", "m1");
    }

    @Test
    default void settingsOutliveTheProcess() {
        push("a0", "b0", "b1", "b2");
        trial().push(order("g", "g0"), order("h", "h0"));
        set(MAIL, "a", PAUSED);
        set(MAIL, "b", bounds(2, null));
        set(ORDERS, "g", PAUSED);
        trial().crashAndRecover();
        TestNode node = trial().node();
        assertThat(settings(MAIL, "a")).isEqualTo(PAUSED);
        assertThat(settings(MAIL, "b")).isEqualTo(bounds(2, null));
        assertThat(settings(ORDERS, "g")).isEqualTo(PAUSED);
        assertThat(take(node)).containsExactly("b0", "b1");
        assertThat(TestNode.bodies(node.take(ORDERS, 5))).containsExactly("h0");
    }

    @Test
    default void boundsOfAKeyCountInPlaceOfThoseThatEachKeyHas() {
        KeyPart.declare(trial(), Optional.of(Limit.concurrency(2)), Optional.empty());
        push("a0", "a1", "a2", "a3", "b0", "b1", "b2");
        set(MAIL, "a", bounds(3, null));
        TestNode node = trial().node();
        assertThat(take(node)).containsExactlyInAnyOrder("a0", "a1", "a2", "b0", "b1");
        set(MAIL, "a", bounds(4, null));
        assertThat(take(node)).as("a higher bound counts for the next claim").containsExactly("a3");
        set(MAIL, "b", bounds(null, 2));
        assertThat(take(node)).as("the concurrency that is declared counts on").isEmpty();
        assertThat(trial().views().keys(MAIL, "a", 1).getFirst().limit()).isEqualTo(Limit.concurrency(4));
        assertThat(trial().views().keys(MAIL, "b", 1).getFirst().limit())
                .isEqualTo(Limit.concurrency(2).rate(2, Duration.ofMinutes(1)));
    }

    @Test
    default void aLowerBoundStopsNothingAndNewStartsWait() {
        push("a0", "a1", "a2");
        TestNode node = trial().node();
        List<ClaimedJob> running = KeyPart.take(node, 2);
        set(MAIL, "a", bounds(1, null));
        node.done(running.getFirst());
        assertThat(take(node)).isEmpty();
        assertThat(node.done(running.getLast())).isEqualTo(SettleResult.ACCEPTED);
        assertThat(take(node)).containsExactly("a2");
    }

    @Test
    default void aRateOfAKeyCountsWithoutALimitOfEachKey() {
        push("a0", "a1", "a2", "b0", "b1", "b2");
        set(MAIL, "a", bounds(null, 2));
        TestNode node = trial().node();
        List<ClaimedJob> jobs = KeyPart.take(node, 20);
        assertThat(TestNode.bodies(jobs)).containsExactlyInAnyOrder("a0", "a1", "b0", "b1", "b2");
        node.done(jobs);
        trial().upkeep();
        trial().crashAndRecover();
        assertThat(take(trial().node())).isEmpty();
        trial().pass(Duration.ofSeconds(62));
        assertThat(take(trial().node())).containsExactly("a2");
    }

    @Test
    default void resetBoundsAreThoseThatEachKeyHas() {
        KeyPart.declare(trial(), Optional.of(Limit.concurrency(1)), Optional.empty());
        push("a0", "a1", "a2");
        set(MAIL, "a", bounds(2, null));
        TestNode node = trial().node();
        List<ClaimedJob> jobs = KeyPart.take(node, 20);
        set(MAIL, "a", KeySettings.NONE);
        node.done(jobs.getFirst());
        assertThat(take(node)).isEmpty();
        node.done(jobs.getLast());
        assertThat(take(node)).containsExactly("a2");
    }

    @Test
    default void aPausedKeyThatGoesOnStillRests() {
        push("a0", "a1");
        TestNode node = trial().node();
        List<ClaimedJob> jobs = KeyPart.take(node, 1);
        set(MAIL, "a", PAUSED);
        node.throttle(jobs.getFirst(), Duration.ofMinutes(2), false);
        set(MAIL, "a", KeySettings.NONE);
        assertThat(take(node)).isEmpty();
        trial().pass(Duration.ofSeconds(121));
        node.beat();
        assertThat(take(node)).containsExactly("a0", "a1");
    }

    @Test
    default void keysAndGroupsWithSettingsAreListedAlsoWithoutJobs() {
        push("a0");
        set(MAIL, "a", PAUSED);
        set(MAIL, "z", bounds(3, 10));
        set(ORDERS, "g", PAUSED);
        assertThat(trial().views().keys(MAIL, null, 10)).extracting(KeyView::key, KeyView::settings)
                .containsExactlyInAnyOrder(tuple("a", PAUSED),
                        tuple("z", bounds(3, 10)));
        assertThat(trial().views().keys(ORDERS, null, 10)).extracting(KeyView::key).containsExactly("g");
        assertThat(trial().views().keys(ORDERS, "h", 10)).isEmpty();
        trial().push(order("g", "g0"));
        trial().eventually(() -> assertThat(
                Objects.requireNonNull(trial().views().keys(ORDERS, "g", 1).getFirst().oldest())).isNotNull());
        set(MAIL, "z", KeySettings.NONE);
        assertThat(trial().views().keys(MAIL, null, 10)).extracting(KeyView::key).containsExactly("a");
    }

    @Test
    default void keysAreCountedByWhatKeepsThem() {
        assertThat(trial().views().keyCounts()).isEmpty();
        KeyPart.declare(trial(), Optional.of(Limit.concurrency(1)), Optional.empty());
        push("a0", "a1", "b0", "b1", "c0", "d0");
        set(MAIL, "c", PAUSED);
        set(MAIL, "z", PAUSED);
        set(MAIL, "d", bounds(3, null));
        set(ORDERS, "g", PAUSED);
        assertThat(trial().views().keyCounts()).containsExactlyInAnyOrder(new KeyCounts(MAIL, 3, 0, 2),
                new KeyCounts(ORDERS, 0, 0, 1));
        TestNode node = trial().node();
        List<ClaimedJob> jobs = KeyPart.take(node, 20);
        assertThat(jobs).hasSize(3);
        assertThat(trial().views().keyCounts()).contains(new KeyCounts(MAIL, 0, 2, 2));
        node.throttle(jobs.stream().filter(job -> "d".equals(job.terms().key())).findFirst().orElseThrow(),
                Duration.ofMinutes(1), false);
        assertThat(KeyPart.take(node, 20)).isEmpty();
        assertThat(trial().views().keyCounts()).contains(new KeyCounts(MAIL, 0, 3, 2));
    }

    @Test
    default void ofChangesAtOnceEachIsSeenByTheNext() {
        assertThat(trial().jobs().set(MAIL, "a", PAUSED, KeySettings.NONE)).isEqualTo(SetResult.CHANGED_MEANWHILE);
        set(MAIL, "a", PAUSED);
        assertThat(trial().jobs().set(MAIL, "a", KeySettings.NONE, bounds(1, null)))
                .isEqualTo(SetResult.CHANGED_MEANWHILE);
        assertThat(settings(MAIL, "a")).isEqualTo(PAUSED);
        AtomicInteger turn = new AtomicInteger();
        List<SetResult> results = CallerThreads.all(4, 4, () -> trial().jobs().set(MAIL, "a", PAUSED,
                bounds(1 + turn.getAndIncrement(), null)));
        assertThat(results).containsOnlyOnce(SetResult.SET).contains(SetResult.CHANGED_MEANWHILE);
    }

    @Test
    default void aForgottenQueueHasNoSettingsOfKeysAnyMore() {
        set(ORDERS, "g", PAUSED);
        set(MAIL, "a", PAUSED);
        trial().upkeep();
        assertThat(trial().jobs().forget(ORDERS)).isInstanceOf(ForgetQueueResult.Forgotten.class);
        assertThat(trial().jobs().forget(MAIL)).isInstanceOf(ForgetQueueResult.Forgotten.class);
        assertThat(trial().views().keys(ORDERS, null, 10)).isEmpty();
        trial().push(order("g", "g0"), mail("a0").key("a"));
        TestNode node = trial().node();
        assertThat(TestNode.bodies(node.take(ORDERS, 5))).containsExactly("g0");
        assertThat(take(node)).containsExactly("a0");
    }

    @Test
    default void pausesAndResumesAmongClaimsLeaveNothingBehind() {
        List<TestNode> nodes = IntStream.range(0, 2).mapToObj(_ -> trial().node()).toList();
        AtomicInteger turn = new AtomicInteger();
        CallerThreads.all(4, 25, () -> {
            int caller = turn.getAndIncrement();
            String name = KeyPart.KEYS.get(caller % 2);
            if (caller % 4 < 2) {
                trial().push(order(name, name), mail(name).key(name));
                KeySettings seen = settings(MAIL, name);
                trial().jobs().set(MAIL, name, seen, seen.isEmpty() ? PAUSED : KeySettings.NONE);
                KeySettings ofGroup = settings(ORDERS, name);
                return trial().jobs().set(ORDERS, name, ofGroup, ofGroup.isEmpty() ? PAUSED : KeySettings.NONE);
            }
            TestNode node = nodes.get(caller % 2);
            node.done(KeyPart.take(node, 3));
            node.done(node.take(ORDERS, 3));
            return SetResult.SET;
        });
        for (String name : List.of("a", "b")) {
            set(MAIL, name, KeySettings.NONE);
            set(ORDERS, name, KeySettings.NONE);
        }
        trial().eventually(() -> {
            TestNode node = nodes.getFirst();
            node.done(KeyPart.take(node, 1_000));
            node.drain(ORDERS);
            assertThat(trial().view(MAIL).waiting() + trial().view(ORDERS).waiting()).isZero();
        });
    }

    @Test
    default void keysAndGroupsOfRandomCommandsStartIfAndOnlyIfTheyAreNotPaused() {
        Random random = new Random(5);
        TestNode node = trial().node();
        Set<String> paused = new HashSet<>();
        Map<String, Integer> waiting = new HashMap<>();
        List<ClaimedJob> running = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            String name = KeyPart.KEYS.get(random.nextInt(4));
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    trial().push(order(name, name), mail(name).key(name));
                    waiting.merge(name, 1, Integer::sum);
                }
                case 2 -> {
                    boolean stop = paused.add(name) || !paused.remove(name);
                    set(ORDERS, name, stop ? PAUSED : KeySettings.NONE);
                    set(MAIL, name, stop ? PAUSED : KeySettings.NONE);
                }
                case 3 -> {
                    node.done(running);
                    running.clear();
                }
                default -> {
                    node.done(running);
                    running.clear();
                    List<String> due = waiting.entrySet().stream().filter(each -> !paused.contains(each.getKey()))
                            .flatMap(each -> IntStream.range(0, each.getValue()).mapToObj(_ -> each.getKey()))
                            .sorted().toList();
                    List<ClaimedJob> keyed = KeyPart.take(node, 1_000);
                    assertThat(TestNode.bodies(keyed)).as("step %s, paused %s", step, paused)
                            .containsExactlyInAnyOrderElementsOf(due);
                    running.addAll(keyed);
                    assertThat(node.drain(ORDERS).stream().sorted(Comparator.naturalOrder()).toList())
                            .as("step %s, paused %s", step, paused).isEqualTo(due);
                    waiting.keySet().removeIf(key -> !paused.contains(key));
                }
            }
        }
    }
}
