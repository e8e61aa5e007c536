package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Limit;
import dev.orderly.job.PushResult;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.KeyView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rate of each group of a FIFO queue. */
public interface GroupRatePart extends JobPart {
    Limit TWO_A_MINUTE = Limit.of(2, Duration.ofMinutes(1));
    Duration PERIOD = Duration.ofSeconds(63); // with the slack, the width of a sub-window, and room for rounding

    private void limit(Limit each) {
        KeyPart.declare(trial(), ORDERS, Optional.of(each), Optional.empty());
    }

    /** Pushes jobs {@code a0} to {@code a4} into group a for 5. */
    private List<JobId> push(String group, int jobs) {
        return trial().pushAll(IntStream.range(0, jobs).mapToObj(n -> order(group, group + n)).toList()).stream()
                .map(PushResult::id).toList();
    }

    /** Claims and completes until the queue gives no more; returns the bodies. */
    private List<String> drain(TestNode node) {
        return node.drain(ORDERS);
    }

    private void wait(TestNode node, Duration time) {
        trial().pass(time);
        node.beat();
    }

    @Test
    default void aGroupWhoseRateIsUsedUpRestsAndTheOthersGoOnInTheirOrder() {
        limit(TWO_A_MINUTE);
        push("a", 5);
        TestNode node = trial().node();
        assertThat(drain(node)).containsExactly("a0", "a1");
        push("b", 3);
        assertThat(drain(node)).containsExactly("b0", "b1");
        assertThat(trial().view(trial().list(ORDERS, JobState.WAITING).getFirst()).attempt()).isZero();
        wait(node, PERIOD);
        assertThat(drain(node)).hasSize(3).containsSubsequence("a2", "a3").contains("b2")
                .doesNotContain("a4");
    }

    @Test
    default void groupsThatRestAreCounted() {
        limit(TWO_A_MINUTE);
        push("a", 3);
        push("b", 4);
        push("c", 2);
        TestNode node = trial().node();
        assertThat(drain(node)).hasSize(6);
        assertThat(trial().views().keyCounts()).containsExactly(new KeyCounts(ORDERS, 0, 2, 0));
        wait(node, PERIOD);
        assertThat(drain(node)).hasSize(3);
        assertThat(trial().views().keyCounts()).isEmpty();
    }

    @Test
    default void aClaimSaysWhenTheRateOfAGroupLetsItsNextJobStart() {
        limit(TWO_A_MINUTE);
        push("a", 3);
        TestNode node = trial().node();
        assertThat(drain(node)).hasSize(2);
        ClaimedJobs none = node.claim(ORDERS, 5);
        assertThat(none.jobs()).isEmpty();
        assertThat(none.nextDue()).isNotNull().isAfter(trial().now()).isBefore(trial().in(PERIOD));
    }

    @Test
    default void oneJobOfAGroupWithARateIsClaimedAtATime() {
        limit(Limit.of(5, Duration.ofMinutes(1)));
        push("a", 4);
        TestNode node = trial().node();
        List<ClaimedJob> first = node.take(ORDERS, 10);
        assertThat(TestNode.bodies(first)).containsExactly("a0");
        assertThat(node.take(ORDERS, 10)).isEmpty();
        node.done(first);
        assertThat(TestNode.bodies(node.take(ORDERS, 10))).containsExactly("a1");
    }

    @Test
    default void noMoreJobsOfAGroupStartInAnySpanOfThePeriod() {
        Random random = new Random(5);
        Limit five = Limit.of(5, Duration.ofMinutes(1));
        limit(five);
        List<String> groups = List.of("a", "b", "c");
        groups.forEach(group -> push(group, 60));
        TestNode node = trial().node();
        Map<String, List<Long>> claims = new HashMap<>();
        for (int step = 0; step < 120; step++) {
            List<ClaimedJob> jobs = node.take(ORDERS, 1 + random.nextInt(4));
            long now = trial().now().toEpochMilli();
            jobs.forEach(job -> claims.computeIfAbsent(Objects.requireNonNull(job.group()), _ -> new ArrayList<>())
                    .add(now));
            if (random.nextInt(4) == 0) {
                jobs.forEach(node::giveBack);
            } else {
                node.done(jobs);
            }
            trial().sleep(Duration.ofMillis(random.nextInt(6_000)));
        }
        assertThat(claims.keySet()).containsExactlyInAnyOrderElementsOf(groups);
        claims.forEach((group, starts) -> StartRate.holds(group, five, starts));
    }

    @Test
    default void aRetryOfAGroupTakesATokenAgainAndKeepsItsOrder() {
        limit(TWO_A_MINUTE);
        push("a", 3);
        TestNode node = trial().node();
        node.retry(node.takeOne(ORDERS), Duration.ofSeconds(1));
        wait(node, Duration.ofSeconds(2));
        assertThat(drain(node)).containsExactly("a0");
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("a1", "a2");
    }

    @Test
    default void tokensOfGroupsCountAfterTheDeathOfTheProcess() {
        limit(TWO_A_MINUTE);
        push("a", 4);
        push("b", 1);
        assertThat(drain(trial().node())).hasSize(3);
        trial().crashAndRecover();
        assertThat(drain(trial().node())).isEmpty();
        push("b", 2);
        assertThat(drain(trial().node())).hasSize(1);
    }

    @Test
    default void tokensOfAGroupCountAfterItsLastJobHasEnded() {
        limit(TWO_A_MINUTE);
        push("a", 2);
        TestNode node = trial().node();
        assertThat(drain(node)).hasSize(2);
        push("a", 1);
        assertThat(drain(node)).isEmpty();
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("a0");
    }

    @Test
    default void aChangedRateCountsAtOnceForGroupsThatRest() {
        limit(Limit.of(1, Duration.ofHours(1)));
        push("a", 5);
        TestNode node = trial().node();
        assertThat(drain(node)).hasSize(1);
        limit(Limit.of(3, Duration.ofHours(1)));
        assertThat(drain(node)).containsExactly("a1", "a2");
        KeyPart.declare(trial(), ORDERS, Optional.empty(), Optional.empty());
        assertThat(drain(node)).containsExactly("a3", "a4");
    }

    @Test
    default void aPushIntoAQueueWithARateOfItsGroupsIsNotHandedOff() {
        limit(TWO_A_MINUTE);
        TestNode node = trial().node();
        assertThat(node.take(ORDERS, 1)).isEmpty();
        assertThat(trial().answer(order("a", "a0").claimer(node))).isInstanceOfSatisfying(PushResult.Accepted.class,
                accepted -> assertThat(accepted.handedOff()).isFalse());
        assertThat(drain(node)).containsExactly("a0");
    }

    @Test
    default void aRestingGroupIsPausedAndGoesOnByItsRateWhenItIsResumed() {
        limit(TWO_A_MINUTE);
        push("a", 4);
        TestNode node = trial().node();
        assertThat(drain(node)).hasSize(2);
        KeySettings paused = KeySettings.NONE.withPaused(true);
        trial().jobs().set(ORDERS, "a", KeySettings.NONE, paused);
        assertThat(drain(node)).isEmpty();
        wait(node, PERIOD);
        assertThat(drain(node)).isEmpty();
        trial().jobs().set(ORDERS, "a", paused, KeySettings.NONE);
        assertThat(drain(node)).containsExactly("a2", "a3");
    }

    @Test
    default void aRestingGroupWhoseFirstJobIsCancelledOrRedrivenKeepsItsOrder() {
        limit(TWO_A_MINUTE);
        List<JobId> ids = push("a", 5);
        TestNode node = trial().node();
        node.dead(node.takeOne(ORDERS), false);
        assertThat(drain(node)).containsExactly("a1");
        assertThat(node.take(ORDERS, 1)).isEmpty();
        trial().jobs().cancel(ids.get(2), trial().now());
        assertThat(trial().jobs().redriveAll(ORDERS, 10, trial().now())).isEqualTo(1);
        assertThat(node.take(ORDERS, 1)).isEmpty();
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("a0", "a3");
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("a4");
    }

    @Test
    default void upkeepFindsNothingToRepairInGroupsThatRest() {
        limit(TWO_A_MINUTE);
        push("a", 5);
        TestNode node = trial().node();
        assertThat(drain(node)).hasSize(2);
        assertThat(trial().upkeep()).allSatisfy(round -> assertThat(round.repaired()).isZero());
        assertThat(drain(node)).isEmpty();
    }

    @Test
    default void viewsShowTheStartsOfGroupsThatHaveJobs() {
        limit(TWO_A_MINUTE);
        push("a", 3);
        push("b", 1);
        TestNode node = trial().node();
        assertThat(drain(node)).hasSize(3);
        assertThat(trial().views().keys(ORDERS, null, 10)).singleElement().satisfies(view -> {
            assertThat(view.key()).isEqualTo("a");
            assertThat(view.limit()).isEqualTo(TWO_A_MINUTE);
            assertThat(view.started()).isEqualTo(2);
            assertThat(view.next()).isNotNull();
            assertThat(view.oldest()).isNotNull();
            assertThat(view.isFull()).isTrue();
        });
        assertThat(trial().views().keys(ORDERS, "a", 10)).extracting(KeyView::key).containsExactly("a");
        assertThat(trial().views().keys(ORDERS, "b", 10)).isEmpty();
    }

    @Test
    default void pendingJobsOfEachGroupAreCounted() {
        assertThat(trial().views().pending(ORDERS, Set.of("a"), 10)).isEmpty();
        push("a", 4);
        push("b", 2);
        assertThat(trial().views().pending(ORDERS, Set.of("a", "b", "c"), 10)).isEqualTo(Map.of("a", 4, "b", 2));
        assertThat(trial().views().pending(ORDERS, Set.of("a"), 3)).isEqualTo(Map.of("a", 3));
        limit(TWO_A_MINUTE);
        TestNode node = trial().node();
        List<ClaimedJob> jobs = node.take(ORDERS, 2);
        assertThat(trial().views().pending(ORDERS, Set.of("a", "b"), 10)).isEqualTo(Map.of("a", 3, "b", 1));
        jobs.forEach(job -> node.retry(job, Duration.ofHours(1)));
        assertThat(trial().views().pending(ORDERS, Set.of("a", "b"), 10)).isEqualTo(Map.of("a", 4, "b", 2));
    }
}
