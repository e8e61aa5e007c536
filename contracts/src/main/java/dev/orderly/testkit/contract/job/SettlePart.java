package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobAttempt.End;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The state of a job after its attempt ended, or after it was cancelled. */
public interface SettlePart extends JobPart {
    @Test
    default void everyAttemptThatEndedOtherwiseIsKept() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a"));
        Instant claimed = trial().now();
        ClaimedJob first = node.takeOne(MAIL);
        trial().pass(Duration.ofSeconds(3));
        node.retry(first, Duration.ofSeconds(10));
        Instant failed = trial().now();
        trial().pass(Duration.ofSeconds(10));
        node.snooze(node.takeOne(MAIL), Duration.ofSeconds(10));
        trial().pass(Duration.ofSeconds(10));
        node.giveBack(node.takeOne(MAIL));
        ClaimedJob slow = node.takeOne(MAIL);
        node.settle(slow, new AttemptOutcome.Retry(trial().now(), new JobFailure("Timed out", ""), End.TIMED_OUT));
        node.takeOne(MAIL);
        trial().eventually(() -> assertThat(trial().attempts(id).stream().map(JobAttempt::end))
                .containsExactly(End.FAILED, End.SNOOZED, End.GIVEN_BACK, End.TIMED_OUT, null));
        List<JobAttempt> attempts = trial().attempts(id);
        assertThat(attempts.stream().map(JobAttempt::number)).containsExactly(1, 2, 3, 4, 5);
        assertThat(attempts).allSatisfy(each -> assertThat(each.run().node()).isEqualTo(node.id()));
        assertThat(attempts.getFirst())
                .isEqualTo(new AttemptSnapshot(1, new JobRun(node.id(), claimed), failed, End.FAILED,
                        failed.plusSeconds(10), TestNode.FAILURE));
        assertThat(attempts.getLast().run().startedAt()).isEqualTo(trial().now());
    }

    @Test
    default void attemptsSurviveARedriveAndTheEndOfTheJob() {
        TestNode node = trial().node();
        List<JobId> ids = trial().push(mail("a"), order("g", "b"));
        for (QueueName queue : List.of(MAIL, ORDERS)) {
            node.retry(node.takeOne(queue), Duration.ZERO);
            node.dead(node.takeOne(queue), false);
            trial().redriveAll(queue);
            Instant claimed = trial().now();
            ClaimedJob last = node.takeOne(queue);
            trial().pass(Duration.ofSeconds(2));
            node.done(last);
            JobId id = ids.get(queue.equals(MAIL) ? 0 : 1);
            trial().eventually(() -> assertThat(trial().attempts(id).stream().map(JobAttempt::end))
                    .containsExactly(End.FAILED, End.FAILED, End.DONE));
            assertThat(trial().attempts(id).getLast().run().startedAt()).isEqualTo(claimed);
            assertThat(trial().attempts(id).getLast().endedAt()).isEqualTo(trial().now());
        }
    }

    @Test
    default void aJobThatIsDoneAtItsFirstAttemptHasOneAttempt() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a").claimer(node));
        JobId cancelled = trial().push(mail("b"));
        trial().cancel(cancelled);
        trial().eventually(() -> assertThat(trial().attempts(cancelled)).isEmpty());
        Instant claimed = trial().now();
        ClaimedJob job = trial().view(id).state() == JobState.RUNNING
                ? ClaimedJob.handedOff(id, mail("a").job())
                : node.takeOne(MAIL);
        trial().eventually(() -> assertThat(trial().attempts(id).stream().map(JobAttempt::run))
                .containsExactly(new JobRun(node.id(), claimed)));
        assertThat(trial().attempts(id).getFirst().end()).isNull();
        trial().pass(Duration.ofSeconds(2));
        node.done(job);
        trial().eventually(() -> assertThat(trial().attempts(id).stream().map(JobAttempt::end))
                .containsExactly(End.DONE));
        assertThat(trial().attempts(id).getFirst().run().startedAt()).isEqualTo(claimed);
        assertThat(trial().views().attempts(id)).isEmpty();
    }

    @Test
    default void theDeathOfANodeAndTheEndOfALeaseEndAttempts() {
        TestNode node = trial().node();
        TestNode other = trial().node();
        JobId id = trial().push(mail("a"));
        node.takeOne(MAIL);
        trial().dies(node);
        other.lease(other.takeOne(MAIL), Duration.ofSeconds(20));
        trial().pass(Duration.ofSeconds(21));
        other.beat();
        trial().upkeep();
        trial().eventually(() -> assertThat(trial().attempts(id).stream().map(JobAttempt::end))
                .containsExactly(End.NODE_DIED, End.LEASE_ENDED));
        assertThat(trial().attempts(id).getFirst().run().node()).isEqualTo(node.id());
        assertThat(trial().attempts(id).getLast().run().node()).as("nobody held it").isNull();
    }

    @Test
    default void aJobKeepsItsNewestAttemptsAndTheDetailsOfTheNewestFailures() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a"));
        node.retry(node.takeOne(MAIL), Duration.ZERO);
        for (int n = 0; n < JobAttempt.KEPT_MAX; n++) {
            node.giveBack(node.takeOne(MAIL));
        }
        JobFailure large = new JobFailure("x".repeat(600), "y".repeat(9_000));
        for (int n = 0; n < 5; n++) {
            node.settle(node.takeOne(MAIL), new AttemptOutcome.Retry(trial().now(), large));
        }
        trial().eventually(() -> assertThat(trial().attempts(id)).hasSize(JobAttempt.KEPT_MAX));
        List<JobAttempt> attempts = trial().attempts(id);
        assertThat(attempts.getFirst().failure()).as("a failure outlives attempts without one").isNotNull();
        assertThat(attempts.getLast().failure()).isEqualTo(large);
        assertThat(attempts.subList(15, 20).stream().map(JobAttempt::failure)
                .map(failure -> failure == null ? -1 : failure.detail().length()))
                .containsExactly(0, 0, JobAttempt.DETAIL_MAX, JobAttempt.DETAIL_MAX, JobFailure.DETAIL_MAX);
    }

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
        assertThat(trial().cancel(job.id())).isEqualTo(CancelResult.REQUESTED);
        assertThat(trial().cancel(job.id())).isEqualTo(CancelResult.REQUESTED);
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
        assertThat(trial().redriveAll(MAIL)).isEqualTo(1);
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
