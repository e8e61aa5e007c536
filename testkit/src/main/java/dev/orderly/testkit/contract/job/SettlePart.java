package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobView;
import dev.orderly.job.store.NodeId;
import dev.orderly.job.store.Settlement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The state of a job after its attempt ended, or after it was cancelled. */
public interface SettlePart extends JobPart {
    @Test
    default void aDoneJobNeverRunsAgain() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a"));
        assertThat(node.settle(node.takeOne(MAIL), new AttemptOutcome.Done(Payload.json("{\"ok\":1}"))))
                .isEqualTo(SettleResult.ACCEPTED);
        trial().crashAndRecover();
        assertThat(trial().node().take(MAIL, 1)).isEmpty();
        JobView view = trial().view(id);
        assertThat(view.state()).isEqualTo(JobState.DONE);
        assertThat(view.result()).isEqualTo(Payload.json("{\"ok\":1}"));
        assertThat(view.payload()).isNull();
        assertThat(view.attempt()).isEqualTo(1);
    }

    @Test
    default void answersHaveTheOrderOfTheReport() {
        TestNode node = trial().node();
        trial().push(mail("a"), mail("b"), mail("c"));
        List<ClaimedJob> jobs = node.take(MAIL, 3);
        node.done(jobs.get(1));
        assertThat(node.done(jobs)).containsExactly(SettleResult.ACCEPTED, SettleResult.LEASE_LOST,
                SettleResult.ACCEPTED);
    }

    @Test
    default void oneReportMayContainAttemptsOfManyNodes() {
        TestNode one = trial().node();
        TestNode other = trial().node();
        trial().push(mail("a"), mail("b"));
        ClaimedJob a = one.takeOne(MAIL);
        ClaimedJob b = other.takeOne(MAIL);
        assertThat(trial().jobs().settle(List.of(new Settlement(one.id(), a.attempt(), new AttemptOutcome.Done(null)),
                new Settlement(one.id(), b.attempt(), new AttemptOutcome.Done(null)),
                new Settlement(other.id(), b.attempt(), new AttemptOutcome.Done(null))), trial().now()))
                .containsExactly(SettleResult.ACCEPTED, SettleResult.LEASE_LOST, SettleResult.ACCEPTED);
    }

    @Test
    default void aRetryCountsAsAFailureAndWaitsForItsTime() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a"));
        node.retry(node.takeOne(MAIL), Duration.ofSeconds(5));
        assertThat(node.take(MAIL, 1)).isEmpty();
        trial().eventually(() -> {
            assertThat(trial().view(id).state()).isEqualTo(JobState.DELAYED);
            assertThat(trial().view(id).dueAt()).isEqualTo(trial().in(Duration.ofSeconds(5)));
            assertThat(trial().view(id).failure()).isEqualTo(TestNode.FAILURE);
        });
        trial().pass(Duration.ofSeconds(5));
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(again.failures()).isEqualTo(1);
        assertThat(again.attempt().number()).isEqualTo(2);
    }

    @Test
    default void aRetryWithoutAWaitIsDueAtOnce() {
        TestNode node = trial().node();
        trial().push(mail("a"), order("g", "b"));
        node.retry(node.takeOne(MAIL), Duration.ZERO);
        node.retry(node.takeOne(ORDERS), Duration.ofSeconds(-1));
        assertThat(node.take(MAIL, 1)).hasSize(1);
        assertThat(node.take(ORDERS, 1)).hasSize(1);
    }

    @Test
    default void aRetryAndItsCountSurviveTheDeathOfTheProcess() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a"));
        node.retry(node.takeOne(MAIL), Duration.ofMinutes(5));
        trial().crashAndRecover();
        assertThat(trial().node().take(MAIL, 1)).isEmpty();
        assertThat(trial().view(id).failure()).isEqualTo(TestNode.FAILURE);
        trial().pass(Duration.ofMinutes(5));
        ClaimedJob again = trial().node().takeOne(MAIL);
        assertThat(again.failures()).isEqualTo(1);
        assertThat(again.attempt().number()).isGreaterThan(1);
    }

    @Test
    default void aSnoozeCountsAsNoFailureAndWaitsForItsTime() {
        TestNode node = trial().node();
        trial().push(mail("a"));
        node.retry(node.takeOne(MAIL), Duration.ZERO);
        node.snooze(node.takeOne(MAIL), Duration.ofSeconds(5));
        assertThat(node.take(MAIL, 1)).isEmpty();
        trial().pass(Duration.ofSeconds(5));
        assertThat(node.takeOne(MAIL).failures()).isEqualTo(1);
    }

    @Test
    default void aJobGivenBackIsDueAtOnceAndCountsAsNoFailure() {
        TestNode node = trial().node();
        trial().push(mail("a"));
        for (int round = 1; round <= 20; round++) {
            ClaimedJob job = node.takeOne(MAIL);
            assertThat(job.failures()).isZero();
            assertThat(job.attempt().number()).isEqualTo(round);
            node.giveBack(job);
        }
        trial().crashAndRecover();
        assertThat(trial().node().take(MAIL, 1)).hasSize(1);
    }

    @Test
    default void aDeadLetterDoesNotRunAgainAndKeepsItsPayload() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a"));
        node.dead(node.takeOne(MAIL), false);
        assertThat(node.take(MAIL, 1)).isEmpty();
        trial().crashAndRecover();
        assertThat(trial().node().take(MAIL, 1)).isEmpty();
        JobView view = trial().view(id);
        assertThat(view.state()).isEqualTo(JobState.DEAD);
        assertThat(view.payload()).isEqualTo(Payload.text("a"));
        assertThat(view.failure()).isEqualTo(TestNode.FAILURE);
        assertThat(view.failures()).isEqualTo(1);
        assertThat(view.endedAt()).isNotNull();
    }

    @Test
    default void aJobDiscardedByItsHandlerIsCancelledWithTheReason() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a"));
        node.settle(node.takeOne(MAIL), new AttemptOutcome.Cancelled("Customer left"));
        trial().crashAndRecover();
        assertThat(trial().node().take(MAIL, 1)).isEmpty();
        JobView view = trial().view(id);
        assertThat(view.state()).isEqualTo(JobState.CANCELLED);
        assertThat(view.reason()).isEqualTo("Customer left");
        assertThat(view.payload()).isNull();
    }

    @Test
    default void aWaitingDelayedOrDeadJobIsCancelledAtOnce() {
        TestNode node = trial().node();
        JobId dead = trial().push(mail("dead"));
        node.dead(node.takeOne(MAIL), false);
        JobId waiting = trial().push(mail("waiting"));
        JobId delayed = trial().push(mail("delayed").at(trial().in(Duration.ofSeconds(5))));
        for (JobId id : List.of(dead, waiting, delayed)) {
            assertThat(trial().cancel(id)).isEqualTo(CancelResult.CANCELLED);
        }
        trial().crashAndRecover();
        assertThat(trial().node().take(MAIL, 5)).isEmpty();
        for (JobId id : List.of(dead, waiting, delayed)) {
            assertThat(trial().view(id).state()).isEqualTo(JobState.CANCELLED);
            assertThat(trial().view(id).reason()).isNotBlank();
            assertThat(trial().view(id).payload()).isNull();
            assertThat(trial().view(id).endedAt()).isNotNull();
        }
    }

    @Test
    default void cancellingARunningJobIsReportedToItsNodeUntilItSettles() {
        TestNode node = trial().node();
        TestNode other = trial().node();
        trial().push(mail("a"), mail("b"));
        ClaimedJob job = node.takeOne(MAIL);
        ClaimedJob untouched = node.takeOne(MAIL);
        assertThat(node.beat().cancelled()).isEmpty();
        assertThat(trial().cancel(job.id())).isEqualTo(CancelResult.SIGNALLED);
        assertThat(trial().cancel(job.id())).isEqualTo(CancelResult.SIGNALLED);
        assertThat(node.beat().cancelled()).containsExactly(job.id());
        assertThat(node.beat().cancelled()).containsExactly(job.id());
        assertThat(other.beat().cancelled()).isEmpty();
        assertThat(node.done(job)).isEqualTo(SettleResult.ACCEPTED);
        assertThat(node.beat().cancelled()).isEmpty();
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.DONE);
        assertThat(node.done(untouched)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void aRedrivenJobHidesNoEarlierWaitingJob() {
        trial().push(mail("a"), mail("b"), mail("c"));
        TestNode node = trial().node();
        List<ClaimedJob> all = node.take(MAIL, 3);
        node.giveBack(all.get(0));
        node.giveBack(all.get(1));
        node.done(node.takeOne(MAIL));
        node.dead(all.get(2), false);
        assertThat(trial().redrive(MAIL)).isEqualTo(1);
        assertThat(node.drain(MAIL)).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    default void anEndedJobCannotBeCancelled() {
        TestNode node = trial().node();
        JobId done = trial().push(mail("a"));
        node.done(node.takeOne(MAIL));
        JobId cancelled = trial().push(mail("b"));
        trial().cancel(cancelled);
        assertThat(trial().cancel(done)).isEqualTo(CancelResult.ENDED);
        assertThat(trial().cancel(cancelled)).isEqualTo(CancelResult.ENDED);
        assertThat(trial().view(done).state()).isEqualTo(JobState.DONE);
    }

    @Test
    default void anUnknownJobCannotBeCancelled() {
        assertThat(trial().cancel(JobId.of(12_345L << 20, 99))).isEqualTo(CancelResult.UNKNOWN);
    }

    @Test
    default void aNewNodeIsAliveAndHasNoCancellations() {
        TestNode node = new TestNode(trial(), new NodeId("fresh"));
        assertThat(node.beat().alive()).isTrue();
        assertThat(node.beat().cancelled()).isEmpty();
    }
}
