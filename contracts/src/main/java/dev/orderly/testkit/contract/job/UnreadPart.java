package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobAttempt.End;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore.SettleResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs whose payload some nodes cannot read. */
public interface UnreadPart extends JobPart {
    /** The reason of an unreadable attempt. */
    JobFailure WHY = new JobFailure("The payload has no field a", "");

    @Test
    default void anUnreadableJobIsGivenBackUncountedWithItsReason() {
        TestNode node = trial().node();
        for (QueueName queue : List.of(MAIL, ORDERS)) {
            JobId id = trial().push(queue.isFifo() ? order("g", "a") : mail("a"));
            JobId behind = trial().push(queue.isFifo() ? order("g", "b") : mail("b"));
            ClaimedJob job = take(node, queue, 1, Set.of()).getFirst();
            Instant now = trial().now();
            node.settle(job, new AttemptOutcome.Unread(WHY, null));
            trial().jobs().release(node.id(), Set.of(), now);
            trial().eventually(() -> assertThat(trial().view(id).state()).isEqualTo(JobState.WAITING));
            JobView view = trial().view(id);
            assertThat(view.failures()).isZero();
            assertThat(view.failure()).isNull();
            List<JobAttempt> attempts = trial().attempts(id);
            assertThat(attempts.stream().map(JobAttempt::end)).containsExactly(End.UNREADABLE);
            assertThat(attempts.getFirst().failure()).isEqualTo(WHY);
            assertThat(attempts.getFirst().run().node()).isEqualTo(node.id());
            assertThat(attempts.getFirst().endedAt()).isEqualTo(now);
            assertThat(node.drain(queue)).containsExactly("a", "b");
            assertThat(trial().view(behind).failures()).isZero();
        }
    }

    @Test
    default void anUnreadableJobMayWait() {
        TestNode node = trial().node();
        trial().push(mail("a"), order("g", "b"), order("g", "c"));
        for (QueueName queue : List.of(MAIL, ORDERS)) {
            ClaimedJob job = take(node, queue, 1, Set.of()).getFirst();
            node.settle(job, new AttemptOutcome.Unread(WHY, trial().in(Duration.ofSeconds(10))));
        }
        trial().jobs().release(node.id(), Set.of(), trial().now());
        assertThat(node.take(MAIL, 9)).isEmpty();
        assertThat(node.take(ORDERS, 9)).isEmpty();
        trial().pass(Duration.ofSeconds(10));
        assertThat(node.drain(MAIL)).containsExactly("a");
        assertThat(node.drain(ORDERS)).containsExactly("b", "c");
    }

    @Test
    default void aNodePassesOverJobsThatOthersMayTake() {
        TestNode old = trial().node();
        TestNode young = trial().node();
        JobId passed = trial().push(mail("new"));
        JobId alsoPassed = trial().push(mail("newer"));
        trial().push(mail("old"), mail("older"));
        Set<JobId> both = Set.of(passed, alsoPassed);
        assertThat(TestNode.bodies(take(old, MAIL, 1, both))).containsExactly("old");
        assertThat(TestNode.bodies(take(old, MAIL, 9, both))).containsExactly("older");
        assertThat(take(old, MAIL, 9, both)).isEmpty();
        trial().push(mail("oldest"));
        assertThat(TestNode.bodies(take(old, MAIL, 9, both))).containsExactly("oldest");
        assertThat(TestNode.bodies(young.take(MAIL, 1))).containsExactly("new");
        assertThat(TestNode.bodies(young.take(MAIL, 9))).containsExactly("newer");
    }

    @Test
    default void aNodePassesOverDelayedJobsThatAreDue() {
        TestNode node = trial().node();
        JobId passed = trial().push(mail("new"));
        node.snooze(node.takeOne(MAIL), Duration.ofSeconds(5));
        trial().pass(Duration.ofSeconds(6));
        trial().push(mail("old"));
        assertThat(TestNode.bodies(take(node, MAIL, 9, Set.of(passed)))).containsExactly("old");
        assertThat(take(node, MAIL, 9, Set.of(passed))).isEmpty();
        assertThat(TestNode.bodies(node.take(MAIL, 9))).containsExactly("new");
    }

    @Test
    default void theGroupOfAJobThatIsPassedOverWaitsAndOtherGroupsGoOn() {
        TestNode old = trial().node();
        TestNode young = trial().node();
        trial().push(order("g", "1"));
        JobId passed = trial().push(order("g", "2"));
        trial().push(order("g", "3"), order("h", "4"), order("i", "5"));
        Set<JobId> one = Set.of(passed);
        List<ClaimedJob> first = take(old, ORDERS, 1, one);
        assertThat(TestNode.bodies(first)).as("up to the job that is passed over").containsExactly("1");
        old.done(first);
        assertThat(TestNode.bodies(take(old, ORDERS, 1, one))).containsExactly("4");
        assertThat(TestNode.bodies(take(old, ORDERS, 9, one))).containsExactly("5");
        assertThat(take(old, ORDERS, 9, one)).isEmpty();
        trial().push(order("j", "6"));
        assertThat(TestNode.bodies(take(old, ORDERS, 9, one))).containsExactly("6");
        List<ClaimedJob> rest = young.take(ORDERS, 9);
        assertThat(TestNode.bodies(rest)).containsExactly("2", "3");
        young.done(rest);
        trial().push(order("g", "7"));
        assertThat(TestNode.bodies(take(old, ORDERS, 9, one))).as("a job that has ended keeps no group")
                .containsExactly("7");
    }

    @Test
    default void anEarlierJobOfTheGroupIsHandedOut() {
        TestNode node = trial().node();
        JobId dead = trial().push(order("g", "1"));
        node.dead(node.takeOne(ORDERS), false);
        JobId passed = trial().push(order("g", "2"));
        trial().redrive(ORDERS, dead);
        assertThat(TestNode.bodies(take(node, ORDERS, 9, Set.of(passed)))).containsExactly("1");
    }

    @Test
    default void ofANodeThatTriesAgainOnlyTheFirstUnreadableAttemptIsKept() {
        TestNode node = trial().node();
        TestNode other = trial().node();
        JobId id = trial().push(mail("a"));
        Instant first = trial().now();
        for (int n = 0; n < 25; n++) {
            TestNode tries = n % 2 == 0 ? node : other;
            tries.settle(tries.takeOne(MAIL), new AttemptOutcome.Unread(WHY, null));
            trial().pass(Duration.ofSeconds(1));
        }
        trial().eventually(() -> assertThat(trial().attempts(id).getLast().number()).isEqualTo(25));
        List<JobAttempt> unread = AttemptSnapshot.unread(trial().attempts(id));
        assertThat(unread.stream().map(each -> each.run().node())).containsExactlyInAnyOrder(node.id(), other.id());
        assertThat(unread.stream().map(JobAttempt::endedAt)).contains(first)
                .allMatch(at -> !at.isAfter(first.plusSeconds(1)));
        assertThat(trial().attempts(id)).hasSize(2);
        node.retry(node.takeOne(MAIL), Duration.ZERO);
        trial().eventually(() -> assertThat(trial().attempts(id)).hasSize(3));
        assertThat(AttemptSnapshot.unread(trial().attempts(id))).as("a node could read it").isEmpty();
    }

    @Test
    default void theWorkersOfAQueueAreTheLiveNodesThatSaySo() {
        TestNode node = trial().node();
        TestNode other = trial().node();
        TestNode idle = trial().node();
        trial().jobs().beat(node.id(), Set.of(MAIL, ORDERS));
        trial().jobs().beat(other.id(), Set.of(ORDERS));
        assertThat(trial().views().workers(ORDERS)).containsExactlyInAnyOrder(node.id(), other.id());
        assertThat(trial().views().workers(MAIL)).containsExactly(node.id());
        trial().jobs().beat(node.id(), Set.of(MAIL));
        assertThat(trial().views().workers(ORDERS)).containsExactly(other.id());
        trial().dies(node);
        assertThat(trial().views().workers(MAIL)).isEmpty();
        assertThat(idle.claim(MAIL, 1).jobs()).isEmpty();
    }

    private static List<ClaimedJob> take(TestNode node, QueueName queue, int limit, Set<JobId> passedOver) {
        return node.trial().jobs().claim(new ClaimRequest(node.id(), List.of(new ClaimRequest.Demand(queue, limit)),
                Long.MAX_VALUE, passedOver), node.trial().now()).jobs();
    }

    @Test
    default void jobsThatDoNotWaitAnyMoreHideNoneThatDoes() {
        TestNode node = trial().node();
        trial().pushAll(IntStream.range(0, 8).mapToObj(n -> mail("m" + n)).toList());
        List<ClaimedJob> jobs = node.take(MAIL, 8);
        trial().pass(Duration.ofSeconds(5));
        trial().push(mail("later"));
        node.done(node.takeOne(MAIL));
        Instant end = trial().in(Duration.ofHours(1));
        var _ = trial().jobs().await(new EventWait(node.id(), jobs.get(0).attempt(), "approval", end), trial().now());
        node.settle(jobs.get(0), new AttemptOutcome.Awaiting(Set.of("approval"), end));
        node.done(jobs.get(1));
        assertThat(node.retry(jobs.get(1), Duration.ZERO)).isEqualTo(SettleResult.LEASE_LOST);
        node.giveBack(jobs.get(2));
        trial().cancel(jobs.get(2).id());
        trial().cancel(jobs.get(3).id());
        node.giveBack(jobs.get(3));
        node.settle(jobs.get(4), new AttemptOutcome.Unread(WHY, null));
        jobs.subList(5, 8).forEach(node::giveBack);
        List<ClaimedJob> one = trial().jobs().claim(new ClaimRequest(node.id(),
                List.of(new ClaimRequest.Demand(MAIL, 1)), Long.MAX_VALUE, Set.of(jobs.get(4).id())), trial().now())
                .jobs();
        assertThat(one).extracting(ClaimedJob::id).containsExactly(jobs.get(5).id());
        assertThat(node.take(MAIL, 3)).as("and the one that was passed over").hasSize(3);
    }
}
