package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Requests to cancel jobs that nodes hold. */
public interface CancelPart extends JobPart {
    private List<AttemptOutcome> outcomesButDone() {
        return List.of(new AttemptOutcome.Retry(trial().now(), TestNode.FAILURE),
                new AttemptOutcome.Retry(trial().in(Duration.ofHours(1)), TestNode.FAILURE),
                new AttemptOutcome.Snooze(trial().now()), new AttemptOutcome.Snooze(trial().in(Duration.ofHours(1))),
                new AttemptOutcome.GiveBack(), new AttemptOutcome.Unread(TestNode.FAILURE, null),
                new AttemptOutcome.Dead(TestNode.FAILURE, false), new AttemptOutcome.Dead(TestNode.FAILURE, true),
                new AttemptOutcome.Cancelled("by its handler"));
    }

    private void assertCancelled(JobId id) {
        assertThat(trial().view(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(trial().view(id).reason()).isNotBlank();
        assertThat(trial().view(id).endedAt()).isNotNull();
        assertThat(trial().cancel(id)).isEqualTo(CancelResult.ENDED);
    }

    @Test
    default void everyOutcomeButDoneEndsAJobThatIsToBeCancelled() {
        TestNode node = trial().node();
        for (AttemptOutcome outcome : outcomesButDone()) {
            JobId id = trial().push(mail("a"));
            ClaimedJob job = node.takeOne(MAIL);
            assertThat(trial().cancel(id)).isEqualTo(CancelResult.REQUESTED);
            assertThat(node.settle(job, outcome)).as("answer to %s", outcome).isEqualTo(SettleResult.ACCEPTED);
            assertCancelled(id);
        }
        trial().pass(Duration.ofHours(2));
        node.beat();
        assertThat(node.take(MAIL, 100)).isEmpty();
        assertThat(trial().view(MAIL).dead()).isZero();
    }

    @Test
    default void aFailureOfAJobThatIsToBeCancelledIsItsReason() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a"));
        ClaimedJob job = node.takeOne(MAIL);
        trial().cancel(id);
        node.retry(job, Duration.ZERO);
        assertThat(trial().view(id).reason()).contains(TestNode.FAILURE.summary());
    }

    @Test
    default void aGroupGoesOnBehindAJobThatIsToBeCancelledHoweverItEnds() {
        TestNode node = trial().node();
        for (AttemptOutcome outcome : outcomesButDone()) {
            trial().push(order("g", "a"), order("g", "b"), order("g", "c"));
            List<ClaimedJob> run = node.take(ORDERS, 1);
            trial().cancel(run.getFirst().id());
            node.settle(run.getFirst(), outcome);
            run.subList(1, 3).forEach(node::giveBack);
            assertThat(node.drain(ORDERS)).as("behind %s", outcome).containsExactly("b", "c");
        }
    }

    @Test
    default void aJobThatIsCancelledBehindAnotherOfItsGroupRunNeverRuns() {
        TestNode node = trial().node();
        trial().push(order("g", "a"), order("g", "b"), order("g", "c"));
        List<ClaimedJob> run = node.take(ORDERS, 1);
        trial().cancel(run.get(1).id());
        node.retry(run.getFirst(), Duration.ZERO);
        run.subList(1, 3).forEach(node::giveBack);
        assertThat(node.drain(ORDERS)).containsExactly("a", "c");
        assertCancelled(run.get(1).id());
    }

    @Test
    default void aRequestToCancelSurvivesARelease() {
        TestNode node = trial().node();
        trial().push(mail("a"), mail("b"));
        trial().push(order("g", "c"), order("g", "d"));
        List<ClaimedJob> mails = node.take(MAIL, 2);
        List<ClaimedJob> run = node.take(ORDERS, 1);
        trial().cancel(mails.getFirst().id());
        trial().cancel(run.getFirst().id());
        assertThat(trial().jobs().release(node.id(), Set.of(), trial().now())).isEqualTo(4);
        assertThat(node.drain(MAIL)).containsExactly("b");
        assertThat(node.drain(ORDERS)).containsExactly("d");
        assertCancelled(mails.getFirst().id());
        assertCancelled(run.getFirst().id());
    }

    @Test
    default void aRequestToCancelSurvivesTheDeathOfItsNodeAndCountsNoCrash() {
        TestNode node = trial().node();
        TestNode other = trial().node();
        trial().push(mail("a"));
        trial().push(order("g", "b"), order("g", "c"));
        ClaimedJob mail = node.takeOne(MAIL);
        List<ClaimedJob> run = node.take(ORDERS, 1);
        trial().cancel(mail.id());
        trial().cancel(run.getFirst().id());
        List<UpkeepReport> reports = trial().dies(node);
        assertThat(reports.stream().flatMap(report -> report.cancelled().stream()))
                .containsExactlyInAnyOrder(mail.id(), run.getFirst().id());
        assertThat(reports.stream().flatMap(report -> report.givenBack().stream())).containsExactly(run.get(1).id());
        assertThat(reports.stream().flatMap(report -> report.poisoned().stream())).isEmpty();
        assertThat(other.take(MAIL, 1)).isEmpty();
        List<ClaimedJob> next = other.take(ORDERS, 1);
        assertThat(TestNode.bodies(next)).containsExactly("c");
        assertThat(next.getFirst().crashes()).as("it waited behind the cancelled job").isZero();
        assertCancelled(mail.id());
        assertCancelled(run.getFirst().id());
    }

    @Test
    default void aPoisonJobThatIsToBeCancelledIsNoDeadLetter() {
        JobId id = trial().push(order("g", "a"));
        for (int death = 1; death <= 3; death++) {
            TestNode node = trial().node();
            node.takeOne(ORDERS);
            if (death == 3) {
                trial().cancel(id);
            }
            trial().dies(node);
        }
        assertCancelled(id);
        assertThat(trial().view(ORDERS).halted()).isZero();
    }

    @Test
    default void aRequestToCancelSurvivesTheDeathOfTheProcess() {
        TestNode node = trial().node();
        trial().push(mail("a"));
        trial().push(order("g", "b"), order("g", "c"), order("g", "d"));
        ClaimedJob mail = node.takeOne(MAIL);
        List<ClaimedJob> run = node.take(ORDERS, 1);
        trial().cancel(mail.id());
        trial().cancel(run.get(1).id());
        trial().crash();
        assertThat(trial().node().take(MAIL, 1)).isEmpty();
        trial().pass(JobTrial.NODE_DEAD.plusSeconds(1));
        trial().upkeep();
        TestNode after = trial().node();
        assertThat(after.drain(MAIL)).isEmpty();
        assertThat(after.drain(ORDERS)).containsExactly("b", "d");
        trial().eventually(() -> assertThat(trial().view(MAIL).running()).isZero());
        assertCancelled(mail.id());
        assertCancelled(run.get(1).id());
    }

    @Test
    default void aJobThatIsToBeCancelledStaysWithItsNodeUntilThen() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a"));
        ClaimedJob job = node.takeOne(MAIL);
        trial().cancel(id);
        assertThat(trial().cancel(id)).isEqualTo(CancelResult.REQUESTED);
        assertThat(trial().jobs().runNow(id, trial().now())).isEqualTo(RunNowResult.NOT_DELAYED);
        assertThat(trial().redrive(MAIL, id)).isZero();
        assertThat(trial().view(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(node.beat().cancelled()).containsExactly(id);
        assertThat(node.done(job)).isEqualTo(SettleResult.ACCEPTED);
        assertThat(trial().view(id).state()).isEqualTo(JobState.DONE);
    }

    @Test
    default void aLeasedJobThatIsToBeCancelledEndsByAnyReportOfItsWorker() {
        TestNode node = trial().node();
        JobId id = trial().push(order("g", "a"));
        trial().push(order("g", "b"));
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.lease(run.getFirst(), Duration.ofHours(1));
        node.giveBack(run.get(1));
        trial().cancel(id);
        assertThat(trial().report(run.getFirst(), new AttemptOutcome.Retry(trial().now(), TestNode.FAILURE)))
                .isEqualTo(SettleResult.ACCEPTED);
        assertCancelled(id);
        assertThat(node.drain(ORDERS)).containsExactly("b");
    }

    @Test
    default void aNodeThatLeavesGivesBackItsJobsUncountedAndGetsNoMore() {
        TestNode node = trial().node();
        trial().jobs().beat(node.id(), Set.of(MAIL));
        trial().push(mail("a"), mail("b"));
        trial().push(order("g", "c"), order("g", "d"));
        List<ClaimedJob> mails = node.take(MAIL, 2);
        List<ClaimedJob> run = node.take(ORDERS, 1);
        trial().cancel(mails.getFirst().id());
        assertThat(trial().jobs().leave(node.id(), trial().now())).isEqualTo(4);
        assertThat(trial().jobs().leave(node.id(), trial().now())).isZero();
        assertThat(node.take(MAIL, 2)).isEmpty();
        assertThat(node.done(run.getFirst())).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(trial().views().workers(MAIL)).doesNotContain(node.id());
        assertCancelled(mails.getFirst().id());
        trial().pass(JobTrial.NODE_DEAD.plusSeconds(1));
        assertThat(trial().upkeep()).allSatisfy(report -> {
            assertThat(report.givenBack()).isEmpty();
            assertThat(report.poisoned()).isEmpty();
        });
        TestNode other = trial().node();
        assertThat(other.take(MAIL, 2)).singleElement().satisfies(job -> {
            assertThat(job.crashes()).isZero();
            assertThat(job.failures()).isZero();
            other.done(job);
        });
        assertThat(other.drain(ORDERS)).containsExactly("c", "d");
    }

    @Test
    default void aNodeThatLeftBeginsAnotherLifeWithAHeartbeat() {
        TestNode node = trial().node();
        trial().push(mail("a"));
        ClaimedJob before = node.takeOne(MAIL);
        trial().jobs().leave(node.id(), trial().now());
        assertThat(node.beat().alive()).isFalse();
        assertThat(node.beat().alive()).isTrue();
        assertThat(node.done(before)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(node.drain(MAIL)).containsExactly("a");
    }

    @Test
    default void aHeartbeatNamesThePausedQueues() {
        TestNode node = trial().node();
        trial().push(mail("a"));
        assertThat(node.beat().paused()).isEmpty();
        trial().jobs().pause(ORDERS, true);
        trial().jobs().pause(MAIL, true);
        assertThat(node.beat().paused()).containsExactlyInAnyOrder(MAIL, ORDERS);
        trial().jobs().pause(MAIL, false);
        assertThat(node.beat().paused()).containsExactly(ORDERS);
        trial().crash();
        assertThat(trial().node().beat().paused()).containsExactly(ORDERS);
    }

    @Test
    default void aRedrivenJobComesBehindTheJobsOfItsGroupThatANodeHolds() {
        TestNode node = trial().node();
        trial().push(order("g", "a"), order("g", "b"), order("g", "c"), order("g", "d"));
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.dead(run.getFirst(), false);
        assertThat(trial().redriveAll(ORDERS)).isEqualTo(1);
        assertThat(trial().node().take(ORDERS, 10)).as("the group belongs to its node").isEmpty();
        node.done(run.get(1));
        node.giveBack(run.get(2));
        node.giveBack(run.get(3));
        assertThat(node.drain(ORDERS)).containsExactly("a", "c", "d");
    }

    @Test
    default void aRequestToCancelLeavesOtherJobsAlone() {
        TestNode node = trial().node();
        trial().push(mail("a"), mail("b"));
        List<ClaimedJob> jobs = node.take(MAIL, 2);
        trial().cancel(jobs.getFirst().id());
        jobs.forEach(node::giveBack);
        assertThat(node.drain(MAIL)).containsExactly("b");
        assertThat(Map.of(JobState.CANCELLED, 1, JobState.DONE, 1)).allSatisfy(
                (state, count) -> trial().eventually(() -> assertThat(trial().list(MAIL, state)).hasSize(count)));
    }
}
