package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobState;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Fencing: only the newest attempt may settle, and only while its node holds it. */
public interface FencePart extends JobPart {
    @Test
    default void everyClaimOfAJobHasAHigherAttemptNumber() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        ClaimedJob first = node.takeOne(MAIL);
        node.retry(first, Duration.ZERO);
        ClaimedJob second = node.takeOne(MAIL);
        node.giveBack(second);
        ClaimedJob third = node.takeOne(MAIL);
        trial().dies(node);
        TestNode after = trial().node();
        ClaimedJob fourth = after.takeOne(MAIL);
        trial().crashAndRecover();
        ClaimedJob fifth = trial().node().takeOne(MAIL);
        assertThat(first.attempt().number()).isEqualTo(1);
        assertThat(List.of(first, second, third, fourth, fifth).stream().map(job -> job.attempt().number()).toList())
                .isSorted().doesNotHaveDuplicates();
    }

    @Test
    default void aStaleAttemptCannotSettle() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        ClaimedJob stale = node.takeOne(MAIL);
        node.giveBack(stale);
        ClaimedJob newest = node.takeOne(MAIL);
        for (AttemptOutcome outcome : everyOutcome()) {
            assertThat(node.settle(stale, outcome)).isEqualTo(SettleResult.LEASE_LOST);
        }
        assertThat(node.take(MAIL, 1)).isEmpty();
        assertThat(node.done(newest)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void anotherNodeCannotSettle() {
        trial().push(mail("a"));
        TestNode holder = trial().node();
        TestNode other = trial().node();
        ClaimedJob job = holder.takeOne(MAIL);
        for (AttemptOutcome outcome : everyOutcome()) {
            assertThat(other.settle(job, outcome)).isEqualTo(SettleResult.LEASE_LOST);
        }
        assertThat(other.take(MAIL, 1)).isEmpty();
        assertThat(holder.done(job)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void jobsThatANodeHoldsBesidesTheNamedJobsAreGivenBackUncounted() {
        trial().push(mail("a"), mail("b"), order("g", "c"), order("g", "d"));
        TestNode node = trial().node();
        TestNode other = trial().node();
        List<ClaimedJob> mails = node.take(MAIL, 2);
        List<ClaimedJob> orders = node.take(ORDERS, 1);
        ClaimedJob kept = mails.getFirst();
        assertThat(trial().jobs().held(node.id())).hasSize(mails.size() + orders.size())
                .contains(kept.id(), orders.getFirst().id());
        assertThat(trial().jobs().held(other.id())).isEmpty();
        assertThat(trial().jobs().release(other.id(), Set.of(), trial().now())).isZero();
        assertThat(trial().jobs().release(node.id(), Set.of(kept.id()), trial().now()))
                .isEqualTo(mails.size() + orders.size() - 1);
        assertThat(trial().jobs().held(node.id())).containsExactly(kept.id());
        assertThat(node.done(mails.getLast())).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(node.done(orders.getFirst())).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(node.done(kept)).isEqualTo(SettleResult.ACCEPTED);
        assertThat(trial().jobs().held(node.id())).isEmpty();
        ClaimedJob again = other.takeOne(MAIL);
        assertThat(again.id()).isEqualTo(mails.getLast().id());
        assertThat(again.failures()).isZero();
        assertThat(other.drain(ORDERS)).containsExactly("c", "d");
    }

    @Test
    default void aRepeatedSettleHasNoEffect() {
        trial().push(mail("a"), order("g", "b"), order("g", "c"));
        TestNode node = trial().node();
        ClaimedJob mail = node.takeOne(MAIL);
        ClaimedJob order = node.take(ORDERS, 1).getFirst();
        assertThat(node.retry(mail, Duration.ofSeconds(5))).isEqualTo(SettleResult.ACCEPTED);
        assertThat(node.retry(mail, Duration.ZERO)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(node.done(order)).isEqualTo(SettleResult.ACCEPTED);
        assertThat(node.done(order)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(node.dead(order, true)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(node.take(MAIL, 1)).isEmpty();
        trial().pass(Duration.ofSeconds(5));
        assertThat(node.takeOne(MAIL).failures()).isEqualTo(1);
        assertThat(trial().view(order.id()).state()).isEqualTo(JobState.DONE);
    }

    @Test
    default void anAttemptTwiceInOneReportIsSettledOnce() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        assertThat(node.done(List.of(job, job))).containsExactly(SettleResult.ACCEPTED, SettleResult.LEASE_LOST);
    }

    @Test
    default void aNodeThatWasDeclaredDeadCannotSettle() {
        trial().push(mail("a"), order("g", "b"));
        TestNode node = trial().node();
        ClaimedJob mail = node.takeOne(MAIL);
        ClaimedJob order = node.takeOne(ORDERS);
        trial().dies(node);
        assertThat(node.done(mail)).isEqualTo(SettleResult.LEASE_LOST);
        node.beat();
        assertThat(node.done(order)).isEqualTo(SettleResult.LEASE_LOST);
        TestNode next = trial().node();
        assertThat(TestNode.bodies(next.take(MAIL, 1))).containsExactly("a");
        assertThat(TestNode.bodies(next.take(ORDERS, 1))).containsExactly("b");
    }

    @Test
    default void aNodeThatIsLateButNotDeclaredDeadMaySettle() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        trial().pass(Duration.ofMinutes(10));
        assertThat(node.done(job)).isEqualTo(SettleResult.ACCEPTED);
        assertThat(node.beat().alive()).isTrue();
    }

    @Test
    default void anAttemptOfADeadProcessCannotSettleOnceItWasGivenBack() {
        JobId id = trial().push(mail("a"));
        TestNode before = trial().node();
        ClaimedJob job = before.takeOne(MAIL);
        trial().crashAndRecover();
        assertThat(before.done(job)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(trial().node().takeOne(MAIL).id()).isEqualTo(id);
    }

    @Test
    default void aJobThatDoesNotExistCannotBeSettled() {
        TestNode node = trial().node();
        AttemptId attempt = new AttemptId(JobId.of(12_345L << 20, 99), MAIL, 1);
        assertThat(node.settle(attempt, new AttemptOutcome.Done(null))).isEqualTo(SettleResult.LEASE_LOST);
    }

    @Test
    default void aJobThatWasNotClaimedCannotBeSettled() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a"));
        assertThat(node.settle(new AttemptId(id, MAIL, 0), new AttemptOutcome.Done(null)))
                .isEqualTo(SettleResult.LEASE_LOST);
        assertThat(node.settle(new AttemptId(id, MAIL, 1), new AttemptOutcome.Done(null)))
                .isEqualTo(SettleResult.LEASE_LOST);
        assertThat(node.take(MAIL, 1)).hasSize(1);
    }

    @Test
    default void theLastProgressIsKept() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        assertThat(node.progress(job, new JobProgress(1, 3, "packing"))).isEqualTo(SettleResult.ACCEPTED);
        assertThat(node.progress(job, new JobProgress(2, 3, "sending ✉"))).isEqualTo(SettleResult.ACCEPTED);
        trial().eventually(
                () -> assertThat(trial().view(job.id()).progress()).isEqualTo(new JobProgress(2, 3, "sending ✉")));
    }

    @Test
    default void progressIsFenced() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        TestNode other = trial().node();
        ClaimedJob stale = node.takeOne(MAIL);
        node.giveBack(stale);
        ClaimedJob newest = node.takeOne(MAIL);
        node.progress(newest, new JobProgress(1, 3, "right"));
        assertThat(node.progress(stale, new JobProgress(2, 3, "wrong"))).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(other.progress(newest, new JobProgress(2, 3, "wrong"))).isEqualTo(SettleResult.LEASE_LOST);
        trial().eventually(
                () -> assertThat(trial().view(newest.id()).progress()).isEqualTo(new JobProgress(1, 3, "right")));
        node.done(newest);
        assertThat(node.progress(newest, new JobProgress(2, 3, "wrong"))).isEqualTo(SettleResult.LEASE_LOST);
    }

    private List<AttemptOutcome> everyOutcome() {
        return List.of(new AttemptOutcome.Done(null), new AttemptOutcome.Retry(trial().now(), TestNode.FAILURE),
                new AttemptOutcome.Snooze(trial().now()), new AttemptOutcome.GiveBack(),
                new AttemptOutcome.Dead(TestNode.FAILURE, false),
                new AttemptOutcome.Cancelled("no"));
    }
}
