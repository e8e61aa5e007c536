package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobState;
import dev.orderly.job.OnDead;
import dev.orderly.job.Payload;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptOutcome.Done;
import dev.orderly.job.store.AttemptOutcome.Leased;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.LeaseRules;
import dev.orderly.job.store.UpkeepRequest.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Leased jobs: they run without a node, and their workers report from anywhere. */
public interface LeasePart extends JobPart {
    Duration HOUR = Duration.ofHours(1);
    Done DONE = new Done(null);

    /** A leased job, with the node that has claimed it. */
    private ClaimedJob leased(TestNode node, JobDraft draft, Duration length) {
        trial().push(draft);
        ClaimedJob job = node.takeOne(draft.job().queue());
        assertThat(node.lease(job, length)).isEqualTo(SettleResult.ACCEPTED);
        return job;
    }

    @Test
    default void aLeasedJobRunsOnWhenItsNodeDies() {
        TestNode node = trial().node();
        ClaimedJob job = leased(node, mail("a"), HOUR);
        assertThat(trial().dies(node)).allSatisfy(report -> {
            assertThat(report.givenBack()).isEmpty();
            assertThat(report.timedOut()).isEmpty();
        });
        assertThat(trial().node().take(MAIL, 1)).isEmpty();
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.RUNNING);
        assertThat(trial().report(job, new Done(Payload.text("late")))).isEqualTo(SettleResult.ACCEPTED);
        assertThat(trial().view(job.id()).result()).isEqualTo(Payload.text("late"));
    }

    @Test
    default void aLeaseSurvivesTheDeathOfTheProcess() {
        ClaimedJob job = leased(trial().node(), order("g", "a"), HOUR);
        trial().push(order("g", "b"));
        trial().crashAndRecover();
        TestNode after = trial().node();
        assertThat(after.take(ORDERS, 1)).isEmpty();
        assertThat(trial().report(job, DONE)).isEqualTo(SettleResult.ACCEPTED);
        assertThat(after.drain(ORDERS)).containsExactly("b");
    }

    @Test
    default void aStopOfTheNodeLeavesItsLeasedJobs() {
        TestNode node = trial().node();
        ClaimedJob job = leased(node, mail("a"), HOUR);
        assertThat(trial().jobs().release(node.id(), Set.of(), trial().now())).isZero();
        assertThat(trial().report(job, DONE)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void theNodeThatLeasedAJobCannotSettleItAnyMore() {
        TestNode node = trial().node();
        ClaimedJob job = leased(node, mail("a"), HOUR);
        assertThat(node.done(job)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(node.lease(job, HOUR)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    default void aWorkersReportIsAcceptedBeforeItsLeaseIsStored() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        assertThat(trial().report(job, DONE)).isEqualTo(SettleResult.ACCEPTED);
        assertThat(node.lease(job, HOUR)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.DONE);
    }

    @Test
    default void aRedrivenJobWaitsForNoRetryOfALaterJobAfterTheDeathOfTheProcess() {
        TestNode node = trial().node();
        JobId first = trial().push(order("g", "1"), order("g", "2")).getFirst();
        List<ClaimedJob> both = node.take(ORDERS, 9);
        node.dead(both.getFirst(), false);
        node.lease(both.getLast(), Duration.ofSeconds(40));
        trial().redrive(ORDERS, first);
        trial().crash();
        TestNode next = trial().node();
        trial().pass(Duration.ofSeconds(41));
        next.beat();
        trial().upkeep();
        assertThat(TestNode.bodies(next.take(ORDERS, 9))).startsWith("1");
    }

    @Test
    default void aWorkerOfAnEarlierAttemptIsRefused() {
        TestNode node = trial().node();
        ClaimedJob first = leased(node, mail("a"), HOUR);
        trial().report(first, new AttemptOutcome.GiveBack());
        ClaimedJob second = node.takeOne(MAIL);
        assertThat(node.lease(second, HOUR)).isEqualTo(SettleResult.ACCEPTED);
        assertThat(trial().report(first, DONE)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(trial().report(first, new Leased(HOUR))).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(trial().jobs()
                .progress(List.of(new ProgressReport(null, first.attempt(), new JobProgress(1, 2, ""))), trial().now()))
                .containsExactly(SettleResult.LEASE_LOST);
        assertThat(trial().report(second, DONE)).isEqualTo(SettleResult.ACCEPTED);
        assertThat(trial().report(second, DONE)).isEqualTo(SettleResult.LEASE_LOST);
    }

    @Test
    default void aWorkerReportsProgressOfItsLeasedJob() {
        ClaimedJob job = leased(trial().node(), mail("a"), HOUR);
        JobProgress progress = new JobProgress(1, 2, "half");
        assertThat(trial().jobs().progress(List.of(new ProgressReport(null, job.attempt(), progress)), trial().now()))
                .containsExactly(SettleResult.ACCEPTED);
        trial().eventually(() -> assertThat(trial().view(job.id()).progress()).isEqualTo(progress));
    }

    @Test
    default void aLeaseThatIsOverIsAFailedAttempt() {
        TestNode node = trial().node();
        ClaimedJob job = leased(node, mail("a"), Duration.ofSeconds(20));
        trial().pass(Duration.ofSeconds(19));
        assertThat(trial().upkeep()).allSatisfy(report -> assertThat(report.timedOut()).isEmpty());
        trial().pass(Duration.ofSeconds(2));
        node.beat();
        assertThat(trial().upkeep().stream().flatMap(report -> report.timedOut().stream())).containsExactly(job.id());
        assertThat(trial().view(job.id()).failures()).isEqualTo(1);
        assertThat(trial().view(job.id()).failure()).isNotNull();
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.DELAYED);
        assertThat(trial().report(job, DONE)).isEqualTo(SettleResult.LEASE_LOST);
        trial().pass(Duration.ofSeconds(6));
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(again.attempt().number()).isGreaterThan(job.attempt().number());
        assertThat(again.failures()).isEqualTo(1);
        assertThat(again.crashes()).isZero();
    }

    @Test
    default void aReportAfterTheEndOfTheLeaseIsAcceptedUntilUpkeepHasSeenIt() {
        ClaimedJob job = leased(trial().node(), mail("a"), Duration.ofSeconds(5));
        trial().pass(Duration.ofSeconds(20));
        assertThat(trial().report(job, DONE)).isEqualTo(SettleResult.ACCEPTED);
        assertThat(trial().upkeep()).allSatisfy(report -> assertThat(report.timedOut()).isEmpty());
    }

    @Test
    default void theLastAttemptThatTimesOutIsADeadLetterByTheRulesOfItsQueue() {
        TestNode node = trial().node();
        ClaimedJob one = leased(node, mail("a"), Duration.ofSeconds(5));
        ClaimedJob other = leased(node, order("g", "b"), Duration.ofSeconds(5));
        trial().push(order("g", "c"));
        trial().pass(Duration.ofSeconds(6));
        RetryPolicy once = new RetryPolicy(1, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), 0);
        trial().jobs().upkeep(new UpkeepRequest(JobTrial.NODE_DEAD, 3, JobTrial.declared(Map.of(ORDERS, OnDead.HALT)),
                Retention.DEFAULT,
                1_000, new LeaseRules(true, Map.of(MAIL, once, ORDERS, once))), trial().now());
        assertThat(trial().list(MAIL, JobState.DEAD)).containsExactly(one.id());
        assertThat(trial().list(ORDERS, JobState.DEAD)).containsExactly(other.id());
        assertThat(trial().node().take(ORDERS, 1)).isEmpty();
    }

    @Test
    default void aGroupWaitsForItsLeasedJobAndKeepsItsOrder() {
        trial().push(order("g", "a"), order("g", "b"), order("h", "c"));
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        assertThat(node.lease(run.getFirst(), Duration.ofSeconds(20))).isEqualTo(SettleResult.ACCEPTED);
        run.subList(1, run.size()).forEach(node::giveBack);
        assertThat(node.drain(ORDERS)).containsExactly("c");
        trial().pass(Duration.ofSeconds(21));
        trial().upkeep();
        node.beat();
        assertThat(node.take(ORDERS, 1)).as("while the retry waits").isEmpty();
        trial().pass(Duration.ofSeconds(3));
        assertThat(node.drain(ORDERS)).containsExactly("a", "b");
    }

    @Test
    default void aLeaseIsProlongedByItsWorker() {
        ClaimedJob job = leased(trial().node(), mail("a"), Duration.ofSeconds(20));
        for (int beat = 0; beat < 4; beat++) {
            trial().pass(Duration.ofSeconds(15));
            assertThat(trial().report(job, new Leased(Duration.ofSeconds(20)))).isEqualTo(SettleResult.ACCEPTED);
            assertThat(trial().upkeep()).allSatisfy(report -> assertThat(report.timedOut()).isEmpty());
        }
        assertThat(trial().report(job, DONE)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void oneCallMayProlongAndEndTheSameLease() {
        ClaimedJob job = leased(trial().node(), mail("a"), HOUR);
        assertThat(trial().jobs().settle(List.of(lease(job), lease(job), done(job), lease(job)), trial().now()))
                .containsExactly(SettleResult.ACCEPTED, SettleResult.ACCEPTED, SettleResult.ACCEPTED,
                        SettleResult.LEASE_LOST);
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.DONE);
        trial().eventually(() -> assertThat(trial().view(MAIL).leased()).isZero());
    }

    private static Settlement lease(ClaimedJob job) {
        return new Settlement(null, job.attempt(), new Leased(HOUR));
    }

    private static Settlement done(ClaimedJob job) {
        return new Settlement(null, job.attempt(), DONE);
    }

    @Test
    default void theClockOfACallerEndsNoLease() {
        ClaimedJob job = leased(trial().node(), mail("a"), HOUR);
        UpkeepReport report = trial().jobs().upkeep(
                new UpkeepRequest(JobTrial.NODE_DEAD, 3, Map.of(), Retention.DEFAULT, 1_000),
                trial().in(Duration.ofDays(1)));
        assertThat(report.timedOut()).isEmpty();
        assertThat(trial().report(job, DONE)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void noLeaseIsOverWhileAllNodesWereSilentNorSoonAfter() {
        TestNode node = trial().node();
        ClaimedJob job = leased(node, mail("a"), Duration.ofSeconds(20));
        trial().sleep(Duration.ofMinutes(10));
        assertThat(trial().upkeep()).allSatisfy(report -> assertThat(report.timedOut()).isEmpty());
        node.beat();
        assertThat(trial().upkeep()).allSatisfy(report -> assertThat(report.timedOut()).isEmpty());
        trial().pass(Duration.ofSeconds(17));
        assertThat(trial().upkeep().stream().flatMap(report -> report.timedOut().stream())).containsExactly(job.id());
    }

    @Test
    default void aCancelledLeasedJobEndsAtItsWorkersReportOrSoonAfter() {
        TestNode node = trial().node();
        ClaimedJob told = leased(node, mail("a"), HOUR);
        ClaimedJob silent = leased(node, mail("b"), HOUR);
        for (ClaimedJob job : List.of(told, silent)) {
            assertThat(trial().cancel(job.id())).isEqualTo(CancelResult.REQUESTED);
        }
        assertThat(trial().report(told, new Leased(HOUR))).isEqualTo(SettleResult.CANCELLED);
        assertThat(trial().report(told, DONE)).isEqualTo(SettleResult.ACCEPTED);
        trial().pass(JobStore.CANCEL_GRACE.plusSeconds(1));
        assertThat(trial().upkeep().stream().flatMap(report -> report.timedOut().stream()))
                .containsExactly(silent.id());
        assertThat(trial().view(told.id()).state()).isEqualTo(JobState.DONE);
        assertThat(trial().view(silent.id()).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void aRequestToCancelALeasedJobSurvivesTheDeathOfTheProcess() {
        ClaimedJob job = leased(trial().node(), mail("a"), HOUR);
        trial().cancel(job.id());
        trial().crash();
        trial().node();
        assertThat(trial().report(job, new Leased(HOUR))).isEqualTo(SettleResult.CANCELLED);
        trial().pass(JobStore.CANCEL_GRACE.plusSeconds(1));
        trial().upkeep();
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void aJobThatIsToBeCancelledGetsNoLease() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        trial().cancel(job.id());
        assertThat(node.lease(job, HOUR)).isEqualTo(SettleResult.CANCELLED);
        assertThat(node.settle(job, new AttemptOutcome.Cancelled("as asked"))).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void aPauseLeavesLeasesAlone() {
        ClaimedJob job = leased(trial().node(), mail("a"), HOUR);
        trial().jobs().pause(MAIL, true);
        assertThat(trial().report(job, new Leased(HOUR))).isEqualTo(SettleResult.ACCEPTED);
        assertThat(trial().report(job, DONE)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void viewsShowLeasesAndTheirEnds() {
        TestNode node = trial().node();
        ClaimedJob job = leased(node, mail("a"), HOUR);
        trial().push(mail("b"));
        JobId held = node.takeOne(MAIL).id();
        trial().eventually(() -> {
            assertThat(trial().view(MAIL).running()).isEqualTo(2);
            assertThat(trial().view(MAIL).leased()).isEqualTo(1);
            assertThat(trial().view(job.id()).leasedUntil()).isEqualTo(trial().in(HOUR));
            assertThat(trial().view(held).leasedUntil()).isNull();
            assertThat(trial().list(MAIL, JobState.RUNNING)).containsExactly(job.id(), held);
        });
        trial().report(job, new AttemptOutcome.Snooze(trial().in(HOUR)));
        trial().eventually(() -> assertThat(trial().view(MAIL).leased()).isZero());
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.DELAYED);
        assertThat(trial().view(job.id()).leasedUntil()).isNull();
    }

    @Test
    default void aClaimMayAskForTheFirstJobOfEachGroupOnly() {
        trial().push(order("g", "a"), order("g", "b"), order("h", "c"), order("h", "d"));
        List<ClaimedJob> first = trial().node().claim(List.of(new Demand(ORDERS, 10, 1))).jobs();
        assertThat(TestNode.bodies(first)).containsExactlyInAnyOrder("a", "c");
        assertThat(trial().node().take(ORDERS, 10)).isEmpty();
    }
}
