package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The order inside a group, whatever happens to its jobs, and the independence of groups. */
public interface FifoPart extends JobPart {
    private void fill(String group, int jobs) {
        trial().pushAll(IntStream.range(0, jobs).mapToObj(n -> order(group, group + n)).toList());
    }

    private static List<String> named(String group, int from, int to) {
        return IntStream.range(from, to).mapToObj(n -> group + n).toList();
    }

    @Test
    default void aClaimHandsOutARunOfAGroupInOrder() {
        fill("g", 3);
        assertThat(TestNode.bodies(trial().node().take(ORDERS, 1))).isEqualTo(named("g", 0, 3));
    }

    @Test
    default void aRunIsNoLongerThanTheLimit() {
        fill("g", JobStore.GROUP_RUN + 5);
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 5);
        assertThat(run).hasSizeBetween(1, JobStore.GROUP_RUN);
        node.done(run);
        assertThat(TestNode.bodies(node.take(ORDERS, 5)).getFirst()).isEqualTo("g" + run.size());
    }

    @Test
    default void theLimitOfAClaimCountsGroupsAndNotJobs() {
        fill("a", 4);
        fill("b", 4);
        fill("c", 4);
        Set<String> groups = new HashSet<>();
        trial().node().take(ORDERS, 2).forEach(job -> groups.add(Objects.requireNonNull(job.group())));
        assertThat(groups).hasSize(2);
    }

    @Test
    default void aJobStartsOnlyWhenAllEarlierJobsOfItsGroupAreSettled() {
        fill("g", 2);
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        trial().push(order("g", "g2"));
        assertThat(node.take(ORDERS, 5)).isEmpty();
        node.done(run.getFirst());
        if (run.size() > 1) {
            assertThat(node.take(ORDERS, 5)).isEmpty();
            node.done(run.getLast());
        }
        assertThat(TestNode.bodies(node.take(ORDERS, 5)).getFirst()).isEqualTo("g" + run.size());
    }

    @Test
    default void aGroupIsWithOneNodeAtATime() {
        fill("g", 30);
        TestNode one = trial().node();
        TestNode other = trial().node();
        List<ClaimedJob> run = one.take(ORDERS, 3);
        assertThat(other.take(ORDERS, 3)).isEmpty();
        one.done(run.subList(0, run.size() - 1));
        assertThat(other.take(ORDERS, 3)).isEmpty();
        assertThat(one.take(ORDERS, 3)).isEmpty();
        one.done(run.getLast());
        assertThat(TestNode.bodies(other.take(ORDERS, 3)).getFirst()).isEqualTo("g" + run.size());
    }

    @Test
    default void orderSurvivesARetry() {
        fill("g", 3);
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.retry(run.getFirst(), Duration.ofSeconds(5));
        run.subList(1, run.size()).forEach(node::giveBack);
        trial().push(order("g", "g3"));
        assertThat(node.take(ORDERS, 5)).isEmpty();
        trial().pass(Duration.ofSeconds(5));
        assertThat(node.drain(ORDERS)).isEqualTo(named("g", 0, 4));
    }

    @Test
    default void jobsHandedOutBehindAFailedJobComeBackInOrder() {
        fill("g", 25);
        TestNode node = trial().node();
        node.done(node.take(ORDERS, 1).getFirst());
        TestNode second = trial().node();
        trial().dies(node);
        List<ClaimedJob> run = second.take(ORDERS, 1);
        second.retry(run.getFirst(), Duration.ofSeconds(1));
        List<ClaimedJob> behind = new ArrayList<>(run.subList(1, run.size()));
        for (ClaimedJob job : behind.reversed()) {
            assertThat(second.take(ORDERS, 5)).isEmpty();
            assertThat(second.giveBack(job)).isEqualTo(SettleResult.ACCEPTED);
        }
        trial().pass(Duration.ofSeconds(1));
        assertThat(second.drain(ORDERS)).isEqualTo(named("g", 1, 25));
    }

    @Test
    default void aGroupIsNotHandedOutWhileANodeStillHoldsJobsBehindAFailedJob() {
        fill("g", 3);
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        assertThat(run).hasSize(3);
        node.retry(run.getFirst(), Duration.ZERO);
        assertThat(trial().node().take(ORDERS, 1)).isEmpty();
        assertThat(node.take(ORDERS, 1)).isEmpty();
        node.giveBack(run.get(1));
        node.giveBack(run.get(2));
        assertThat(node.drain(ORDERS)).isEqualTo(named("g", 0, 3));
    }

    @Test
    default void aSnoozedJobHoldsItsGroup() {
        fill("g", 2);
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.snooze(run.getFirst(), Duration.ofSeconds(5));
        run.subList(1, run.size()).forEach(node::giveBack);
        assertThat(node.take(ORDERS, 5)).isEmpty();
        trial().pass(Duration.ofSeconds(5));
        assertThat(node.drain(ORDERS)).isEqualTo(named("g", 0, 2));
    }

    @Test
    default void orderSurvivesTheDeathOfANode() {
        fill("g", 15);
        TestNode node = trial().node();
        TestNode other = trial().node();
        node.done(node.take(ORDERS, 1).getFirst());
        trial().dies(node);
        assertThat(other.drain(ORDERS)).isEqualTo(named("g", 1, 15));
    }

    @Test
    default void orderSurvivesTheDeathOfTheProcess() {
        fill("g", 15);
        TestNode node = trial().node();
        node.done(node.take(ORDERS, 1).getFirst());
        trial().crashAndRecover();
        trial().push(order("g", "g15"));
        assertThat(trial().node().drain(ORDERS)).isEqualTo(named("g", 1, 16));
    }

    @Test
    default void aHeadThatWaitsForItsRetryHoldsItsGroupAcrossTheDeathOfTheProcess() {
        fill("g", 3);
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.retry(run.getFirst(), Duration.ofMinutes(5));
        run.subList(1, run.size()).forEach(node::giveBack);
        trial().crashAndRecover();
        assertThat(trial().node().take(ORDERS, 5)).isEmpty();
        trial().pass(Duration.ofMinutes(5));
        assertThat(trial().node().drain(ORDERS)).isEqualTo(named("g", 0, 3));
    }

    @Test
    default void orderSurvivesTheChangeOfNodes() {
        fill("g", 40);
        List<String> handedOut = new ArrayList<>();
        for (int turn = 0; turn < 100 && handedOut.size() < 40; turn++) {
            TestNode node = trial().node();
            List<ClaimedJob> run = node.take(ORDERS, 1);
            int settled = Math.min(run.size(), 1 + turn % 3);
            node.done(run.subList(0, settled));
            run.subList(settled, run.size()).forEach(node::giveBack);
            handedOut.addAll(TestNode.bodies(run.subList(0, settled)));
        }
        assertThat(handedOut).isEqualTo(named("g", 0, 40));
    }

    @Test
    default void aHeadThatWaitsForItsRetryHoldsOnlyItsOwnGroup() {
        trial().push(order("a", "a0"));
        TestNode node = trial().node();
        node.retry(node.takeOne(ORDERS), Duration.ofHours(1));
        trial().push(order("a", "a1"), order("b", "b0"), order("c", "c0"));
        assertThat(node.drain(ORDERS)).containsExactlyInAnyOrder("b0", "c0");
    }

    @Test
    default void aBusyGroupDelaysNoOtherGroup() {
        fill("a", 20);
        TestNode node = trial().node();
        node.take(ORDERS, 1);
        trial().push(order("b", "b0"));
        assertThat(TestNode.bodies(trial().node().take(ORDERS, 5))).containsExactly("b0");
    }

    @Test
    default void groupsTakeTurns() {
        for (String group : List.of("a", "b", "c", "d")) {
            fill(group, 200);
        }
        TestNode node = trial().node();
        List<String> turns = new ArrayList<>();
        for (int turn = 0; turn < 12; turn++) {
            List<ClaimedJob> run = node.take(ORDERS, 1);
            turns.add(Objects.requireNonNull(run.getFirst().group()));
            node.done(run);
        }
        for (int round = 0; round < 12; round += 4) {
            assertThat(turns.subList(round, round + 4)).containsExactlyInAnyOrder("a", "b", "c", "d");
        }
    }

    @Test
    default void aGroupThatKeepsFillingDoesNotStarveOtherGroups() {
        fill("hot", 50);
        fill("cold", 1);
        TestNode node = trial().node();
        List<String> served = new ArrayList<>();
        for (int turn = 0; turn < 3; turn++) {
            List<ClaimedJob> run = node.take(ORDERS, 1);
            served.add(Objects.requireNonNull(run.getFirst().group()));
            fill("hot", 10);
            node.done(run);
        }
        assertThat(served).contains("cold");
    }

    @Test
    default void aDeepGroupDoesNotAffectOtherGroups() {
        int deep = 20_000;
        for (int pushed = 0; pushed < deep; pushed += 2_000) {
            fill("deep", 2_000);
        }
        trial().push(order("a", "a0"), order("b", "b0"));
        TestNode node = trial().node();
        List<ClaimedJob> first = node.take(ORDERS, 3);
        assertThat(TestNode.bodies(first)).contains("a0", "b0").hasSizeLessThanOrEqualTo(2 + JobStore.GROUP_RUN);
        node.retry(first.stream().filter(job -> "deep".equals(job.group())).findFirst().orElseThrow(),
                Duration.ofHours(1));
        trial().push(order("c", "c0"), order("d", "d0"));
        assertThat(TestNode.bodies(node.take(ORDERS, 2))).containsExactlyInAnyOrder("c0", "d0");
    }

    @Test
    default void manyBlockedGroupsDoNotAffectOtherGroups() {
        List<JobDraft> heads = IntStream.range(0, 2_000).mapToObj(n -> order("blocked" + n, "x")).toList();
        trial().pushAll(heads);
        TestNode node = trial().node();
        for (List<ClaimedJob> jobs = node.take(ORDERS, 500); !jobs.isEmpty(); jobs = node.take(ORDERS, 500)) {
            jobs.forEach(job -> node.retry(job, Duration.ofHours(1)));
        }
        trial().pushAll(heads);
        trial().push(order("free", "free0"));
        assertThat(TestNode.bodies(node.take(ORDERS, 1))).containsExactly("free0");
    }

    @Test
    default void aDeadLetterLetsItsGroupGoOn() {
        fill("g", 3);
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.dead(run.getFirst(), false);
        run.subList(1, run.size()).forEach(node::giveBack);
        assertThat(node.drain(ORDERS)).isEqualTo(named("g", 1, 3));
    }

    @Test
    default void aCancelledHeadLetsItsGroupGoOn() {
        fill("g", 2);
        JobId head = trial().node().take(ORDERS, 1).getFirst().id();
        trial().crashAndRecover();
        trial().cancel(head);
        assertThat(trial().node().drain(ORDERS)).isEqualTo(named("g", 1, 2));
    }

    @Test
    default void aCancelledHeadThatWaitedForItsRetryLetsItsGroupGoOnAtOnce() {
        trial().push(order("g", "g0"));
        TestNode node = trial().node();
        ClaimedJob head = node.takeOne(ORDERS);
        node.retry(head, Duration.ofHours(1));
        trial().push(order("g", "g1"));
        trial().cancel(head.id());
        assertThat(node.drain(ORDERS)).containsExactly("g1");
    }

    @Test
    default void aJobCancelledInTheMiddleOfItsGroupIsSkipped() {
        List<JobId> ids = trial().push(order("g", "g0"), order("g", "g1"), order("g", "g2"));
        trial().cancel(ids.get(1));
        assertThat(trial().node().drain(ORDERS)).containsExactly("g0", "g2");
    }
}
