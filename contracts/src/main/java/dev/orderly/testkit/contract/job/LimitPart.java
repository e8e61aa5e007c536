package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobState;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.LimitView;
import dev.orderly.job.store.StartWindow;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.LeaseRules;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.testkit.contract.input.CallerThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Limits over all nodes: jobs that run at once, and starts within a period. */
public interface LimitPart extends JobPart {
    QueueName REPORTS = new QueueName("reports");
    LimitName CRM = new LimitName("crm");
    Limit TEN_A_MINUTE = Limit.of(10, Duration.ofMinutes(1));

    /** Declares a limit of queues as a new node does. */
    private void limit(Limit limit, QueueName... queues) {
        declare(trial().node(), true, Optional.of(limit), queues);
    }

    private void declare(TestNode node, boolean anew, Optional<Limit> limit, QueueName... queues) {
        Map<LimitName, Declared<Limit>> limits = new HashMap<>();
        limit.ifPresent(value -> limits.put(CRM, new Declared<>(value, node.id(), anew)));
        Map<QueueName, Declared<Optional<LimitName>>> uses = new HashMap<>();
        Set.of(queues).forEach(
                queue -> uses.put(queue, new Declared<>(limit.map(_ -> CRM), node.id(), anew)));
        trial().jobs().upkeep(new UpkeepRequest(JobTrial.NODE_DEAD, 3, Map.of(), Retention.DEFAULT, 1_000,
                LeaseRules.DEFAULT, new DeclaredLimits(limits, uses)), trial().now());
    }

    private void pushMails(int jobs) {
        trial().pushAll(IntStream.range(0, jobs).mapToObj(n -> mail("m" + n)).toList());
    }

    private LimitView crm() {
        return trial().views().limits().stream().filter(view -> view.name().equals(CRM)).findFirst()
                .orElseThrow(() -> new AssertionError("Limit " + CRM + " is not listed"));
    }

    @Test
    default void aQueueThatIsTakenOutOfALimitKeepsNoSlotThere() {
        TestNode node = trial().node();
        limit(Limit.concurrency(1), MAIL, REPORTS);
        pushMails(1);
        trial().push(JobDraft.to(REPORTS, null, "r"));
        node.lease(node.takeOne(MAIL), Duration.ofDays(1));
        assertThat(node.take(REPORTS, 5)).isEmpty();
        declare(trial().node(), true, Optional.empty(), MAIL);
        assertThat(crm().queues()).containsExactly(REPORTS);
        assertThat(node.take(REPORTS, 5)).hasSize(1);
    }

    @Test
    default void aLimitThatALiveNodeDeclaresComesBackAfterTheNodeThatDeclaredItLast() {
        TestNode pushing = trial().node();
        TestNode one = trial().node();
        TestNode last = trial().node();
        declare(one, true, Optional.of(Limit.concurrency(1)), MAIL);
        declare(last, true, Optional.of(Limit.concurrency(1)), MAIL);
        declare(pushing, false, Optional.empty(), MAIL);
        assertThat(crm().queues()).as("the last declarer lives").containsExactly(MAIL);
        trial().dies(last);
        declare(pushing, false, Optional.empty(), MAIL);
        declare(one, false, Optional.of(Limit.concurrency(1)), MAIL);
        pushMails(3);
        assertThat(trial().node().take(MAIL, 5)).hasSize(1);
    }

    @Test
    default void aClockThatWasSetBackKeepsNoRateShut() {
        limit(TEN_A_MINUTE, MAIL);
        pushMails(20);
        TestNode node = trial().node();
        node.done(node.take(MAIL, 10));
        trial().jump(Duration.ofHours(-1));
        trial().pass(Duration.ofMinutes(2));
        assertThat(trial().node().take(MAIL, 10)).hasSize(10);
    }

    @Test
    default void aLimitCountsTheJobsOfAllNodes() {
        limit(Limit.concurrency(2), MAIL);
        pushMails(5);
        TestNode one = trial().node();
        TestNode other = trial().node();
        List<ClaimedJob> first = one.take(MAIL, 10);
        assertThat(TestNode.bodies(first)).containsExactly("m0", "m1");
        assertThat(other.take(MAIL, 10)).isEmpty();
        one.done(first.getFirst());
        assertThat(TestNode.bodies(other.take(MAIL, 10))).containsExactly("m2");
        assertThat(one.take(MAIL, 10)).isEmpty();
    }

    @Test
    default void queuesThatShareALimitShareItsSlots() {
        limit(Limit.concurrency(3), MAIL, REPORTS);
        pushMails(2);
        trial().push(JobDraft.to(REPORTS, null, "r0"), JobDraft.to(REPORTS, null, "r1"));
        TestNode node = trial().node();
        List<ClaimedJob> jobs = node.claim(List.of(new Demand(MAIL, 10), new Demand(REPORTS, 10))).jobs();
        assertThat(TestNode.bodies(jobs)).containsExactly("m0", "m1", "r0");
        assertThat(node.take(REPORTS, 10)).isEmpty();
        node.done(jobs.getFirst());
        assertThat(TestNode.bodies(node.take(REPORTS, 10))).containsExactly("r1");
    }

    @Test
    default void aFullLimitSaysSoAndHoldsUpNoOtherQueue() {
        limit(Limit.concurrency(1), MAIL);
        pushMails(2);
        trial().push(JobDraft.to(REPORTS, null, "r0"));
        TestNode node = trial().node();
        node.takeOne(MAIL);
        ClaimedJobs claimed = node.claim(List.of(new Demand(MAIL, 4), new Demand(REPORTS, 4)));
        assertThat(TestNode.bodies(claimed.jobs())).containsExactly("r0");
        assertThat(claimed.limited()).containsExactly(MAIL);
        trial().eventually(() -> assertThat(trial().list(MAIL, JobState.WAITING)).hasSize(1));
        assertThat(trial().view(trial().list(MAIL, JobState.WAITING).getFirst()).attempt()).isZero();
    }

    @Test
    default void aClaimThatGetsAllThatIsThereIsNotLimited() {
        limit(Limit.concurrency(3).rate(100, Duration.ofMinutes(1)), MAIL);
        pushMails(2);
        assertThat(trial().node().claim(MAIL, 10).limited()).isEmpty();
    }

    @Test
    default void everyOutcomeThatEndsAnAttemptFreesItsSlot() {
        limit(Limit.concurrency(1), MAIL);
        TestNode node = trial().node();
        List<AttemptOutcome> outcomes = List.of(new AttemptOutcome.Done(null), new AttemptOutcome.Cancelled("no"),
                new AttemptOutcome.Retry(trial().in(Duration.ofDays(1)), TestNode.FAILURE),
                new AttemptOutcome.Snooze(trial().in(Duration.ofDays(1))),
                new AttemptOutcome.Unread(TestNode.FAILURE, trial().in(Duration.ofDays(1))),
                new AttemptOutcome.Dead(TestNode.FAILURE, false), new AttemptOutcome.GiveBack());
        pushMails(outcomes.size());
        for (AttemptOutcome outcome : outcomes) {
            ClaimedJob job = node.takeOne(MAIL);
            assertThat(node.take(MAIL, 1)).isEmpty();
            node.settle(job, outcome);
        }
        assertThat(node.take(MAIL, 5)).hasSize(1);
    }

    @Test
    default void aRetryNeedsASlotAgain() {
        limit(Limit.concurrency(1), MAIL);
        pushMails(2);
        TestNode node = trial().node();
        node.retry(node.takeOne(MAIL), Duration.ofSeconds(1));
        node.takeOne(MAIL);
        trial().pass(Duration.ofSeconds(2));
        assertThat(node.take(MAIL, 5)).isEmpty();
    }

    @Test
    default void aLeasedJobCountsUntilItIsReported() {
        limit(Limit.concurrency(1), MAIL);
        pushMails(2);
        TestNode node = trial().node();
        ClaimedJob leased = node.takeOne(MAIL);
        node.lease(leased, Duration.ofHours(1));
        assertThat(node.take(MAIL, 5)).isEmpty();
        trial().report(leased, new AttemptOutcome.Done(null));
        assertThat(TestNode.bodies(node.take(MAIL, 5))).containsExactly("m1");
    }

    @Test
    default void aLeasedJobCountsAfterTheDeathOfTheProcess() {
        limit(Limit.concurrency(1), MAIL);
        pushMails(2);
        TestNode node = trial().node();
        ClaimedJob leased = node.takeOne(MAIL);
        node.lease(leased, Duration.ofHours(1));
        trial().crashAndRecover();
        assertThat(trial().node().take(MAIL, 5)).isEmpty();
        trial().report(leased, new AttemptOutcome.Done(null));
        assertThat(TestNode.bodies(trial().node().take(MAIL, 5))).containsExactly("m1");
    }

    @Test
    default void jobsOfADeadNodeCountUntilTheyAreGivenBack() {
        limit(Limit.concurrency(2), MAIL);
        pushMails(4);
        TestNode dying = trial().node();
        dying.take(MAIL, 2);
        trial().pass(JobTrial.NODE_DEAD.plusSeconds(1));
        assertThat(trial().node().take(MAIL, 5)).isEmpty();
        trial().dies(dying);
        assertThat(TestNode.bodies(trial().node().take(MAIL, 5))).containsExactlyInAnyOrder("m0", "m1");
        assertThat(trial().node().take(MAIL, 5)).isEmpty();
    }

    @Test
    default void jobsThatANodeGivesBackFreeTheirSlots() {
        limit(Limit.concurrency(2), MAIL);
        pushMails(4);
        TestNode node = trial().node();
        node.take(MAIL, 2);
        trial().jobs().release(node.id(), Set.of(), trial().now());
        assertThat(trial().node().take(MAIL, 5)).hasSize(2);
    }

    @Test
    default void aLimitThatIsLoweredStopsNothingAndOneThatIsRaisedLetsMoreStart() {
        limit(Limit.concurrency(3), MAIL);
        pushMails(8);
        TestNode node = trial().node();
        List<ClaimedJob> running = node.take(MAIL, 5);
        limit(Limit.concurrency(2), MAIL);
        node.done(running.get(0));
        assertThat(node.take(MAIL, 5)).isEmpty();
        node.done(running.get(1));
        assertThat(node.take(MAIL, 5)).hasSize(1);
        limit(Limit.concurrency(5), MAIL);
        assertThat(node.take(MAIL, 5)).hasSize(3);
    }

    @Test
    default void jobsThatRunWhenALimitIsDeclaredCount() {
        pushMails(5);
        TestNode node = trial().node();
        List<ClaimedJob> running = node.take(MAIL, 2);
        limit(Limit.concurrency(3), MAIL);
        assertThat(node.take(MAIL, 5)).hasSize(1);
        node.done(running);
        assertThat(node.take(MAIL, 5)).hasSize(2);
    }

    @Test
    default void limitsOutliveTheProcess() {
        limit(Limit.concurrency(1), MAIL);
        pushMails(3);
        trial().crashAndRecover();
        assertThat(trial().node().take(MAIL, 5)).hasSize(1);
        assertThat(crm().limit()).isEqualTo(Limit.concurrency(1));
    }

    @Test
    default void theLastDeclarationOfALimitCounts() {
        limit(Limit.concurrency(1), MAIL);
        limit(Limit.concurrency(2), MAIL);
        pushMails(3);
        assertThat(trial().node().take(MAIL, 5)).hasSize(2);
    }

    @Test
    default void aLimitOfALiveNodeStaysWhenAnotherRepeatsItsOwn() {
        TestNode last = trial().node();
        TestNode other = trial().node();
        declare(last, true, Optional.of(Limit.concurrency(2)), MAIL);
        declare(other, false, Optional.of(Limit.concurrency(4)), MAIL);
        declare(other, false, Optional.empty(), MAIL);
        pushMails(5);
        assertThat(trial().node().take(MAIL, 5)).hasSize(2);
    }

    @Test
    default void aLimitOfADeadNodeGivesWayToThatOfALiveNode() {
        TestNode last = trial().node();
        TestNode other = trial().node();
        declare(last, true, Optional.of(Limit.concurrency(2)), MAIL);
        trial().dies(last);
        declare(other, false, Optional.of(Limit.concurrency(4)), MAIL);
        pushMails(5);
        assertThat(trial().node().take(MAIL, 5)).hasSize(4);
    }

    @Test
    default void aQueueThatIsDeclaredWithoutALimitHasNone() {
        limit(Limit.concurrency(1), MAIL);
        pushMails(3);
        declare(trial().node(), true, Optional.empty(), MAIL);
        assertThat(trial().node().take(MAIL, 5)).hasSize(3);
        assertThat(trial().views().limits()).isEmpty();
    }

    @Test
    default void aForgottenQueueHasNoLimit() {
        TestNode node = trial().node();
        declare(node, true, Optional.of(Limit.concurrency(1)), MAIL);
        trial().dies(node);
        trial().jobs().forget(MAIL);
        assertThat(trial().views().limits()).isEmpty();
        pushMails(3);
        assertThat(trial().node().take(MAIL, 5)).hasSize(3);
    }

    @Test
    default void aPushIntoAQueueWithALimitIsNotHandedOff() {
        limit(Limit.concurrency(5), MAIL, ORDERS);
        TestNode node = trial().node();
        node.claim(List.of(new Demand(MAIL, 1), new Demand(ORDERS, 1)));
        assertThat(trial().answer(mail("a").claimer(node))).isInstanceOfSatisfying(PushResult.Accepted.class,
                accepted -> assertThat(accepted.handedOff()).isFalse());
        assertThat(trial().answer(order("g", "b").claimer(node))).isInstanceOfSatisfying(PushResult.Accepted.class,
                accepted -> assertThat(accepted.handedOff()).isFalse());
        assertThat(trial().pushAll(List.of(mail("c").claimer(node), order("h", "d").claimer(node).dedupe("x"))))
                .allSatisfy(result -> assertThat(((PushResult.Accepted) result).handedOff()).isFalse());
    }

    @Test
    default void aGroupOfAQueueWithALimitGetsOneJobAtATime() {
        limit(Limit.concurrency(3), ORDERS);
        trial().push(order("g", "g0"), order("g", "g1"), order("h", "h0"), order("i", "i0"), order("j", "j0"));
        TestNode node = trial().node();
        List<ClaimedJob> jobs = node.take(ORDERS, 10);
        assertThat(TestNode.bodies(jobs)).containsExactly("g0", "h0", "i0");
        assertThat(trial().node().take(ORDERS, 10)).isEmpty();
        node.done(jobs);
        assertThat(TestNode.bodies(trial().node().take(ORDERS, 10))).containsExactlyInAnyOrder("g1", "j0");
    }

    @Test
    default void prioritiesCountUnderALimit() {
        limit(Limit.concurrency(1), MAIL);
        trial().push(mail("low").priority(Priority.LOW), mail("urgent")
                .priority(Priority.URGENT));
        assertThat(trial().node().takeOne(MAIL).payload().asText()).isEqualTo("urgent");
    }

    @Test
    default void aRateLetsNoMoreStartInAnySpanOfItsPeriod() {
        Random random = new Random(7);
        Limit limit = TEN_A_MINUTE;
        limit(limit, MAIL);
        pushMails(400);
        TestNode one = trial().node();
        TestNode other = trial().node();
        List<Long> claims = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            TestNode node = random.nextBoolean() ? one : other;
            List<ClaimedJob> jobs = node.take(MAIL, 1 + random.nextInt(12));
            long now = trial().now().toEpochMilli();
            jobs.forEach(_ -> claims.add(now));
            if (random.nextInt(4) == 0) {
                jobs.forEach(node::giveBack);
            } else {
                node.done(jobs);
            }
            trial().sleep(Duration.ofMillis(random.nextInt(6_000)));
        }
        StartRate.holds("the queue", limit, claims);
    }

    @Test
    default void tokensComeBackAfterThePeriodAndNotWithAGiveBack() {
        limit(TEN_A_MINUTE, MAIL);
        pushMails(30);
        TestNode node = trial().node();
        node.take(MAIL, 10).forEach(node::giveBack);
        assertThat(node.claim(MAIL, 10).limited()).containsExactly(MAIL);
        assertThat(crm().next()).isNotNull();
        trial().pass(TEN_A_MINUTE.period());
        node.beat();
        assertThat(node.take(MAIL, 10)).isEmpty();
        trial().pass(Duration.ofMillis(StartWindow.span(TEN_A_MINUTE) + StartWindow.width(TEN_A_MINUTE))
                .minus(TEN_A_MINUTE.period()));
        assertThat(crm().next()).isNull();
        assertThat(node.take(MAIL, 20)).hasSize(10);
    }

    @Test
    default void tokensCountAfterTheDeathOfTheProcess() {
        limit(TEN_A_MINUTE, MAIL);
        pushMails(20);
        TestNode node = trial().node();
        node.done(node.take(MAIL, 7));
        trial().crash();
        assertThat(trial().node().take(MAIL, 10)).hasSize(3);
    }

    @Test
    default void aStepOfTheCallersClockFreesNoTokens() {
        limit(TEN_A_MINUTE, MAIL);
        pushMails(20);
        TestNode node = trial().node();
        node.done(node.take(MAIL, 10));
        assertThat(trial().jobs().claim(new ClaimRequest(node.id(),
                List.of(new Demand(MAIL, 10))), trial().in(Duration.ofHours(1))).jobs()).isEmpty();
    }

    @Test
    default void viewsShowTheUseOfALimit() {
        limit(Limit.concurrency(5).rate(10, Duration.ofMinutes(1)), MAIL, REPORTS);
        pushMails(3);
        trial().node().take(MAIL, 3);
        LimitView view = crm();
        assertThat(view.queues()).containsExactly(MAIL, REPORTS);
        assertThat(view.running()).isEqualTo(3);
        assertThat(view.started()).isEqualTo(3);
        assertThat(view.next()).isNull();
        assertThat(view.isFull()).isFalse();
        assertThat(view.use()).isEqualTo("3 of 5 running, 3 of 10 per 60s started");
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // a job runs for as long as others need to claim
    default void claimsOfManyNodesAtOnceKeepALimit() {
        int most = 3;
        limit(Limit.concurrency(most), MAIL, REPORTS);
        pushMails(200);
        trial().pushAll(IntStream.range(0, 200).mapToObj(n -> JobDraft.to(REPORTS, null, "r" + n)).toList());
        List<TestNode> nodes = IntStream.range(0, 4).mapToObj(_ -> trial().node()).toList();
        AtomicInteger turn = new AtomicInteger();
        AtomicInteger running = new AtomicInteger();
        List<Integer> seen = CallerThreads.all(4, 30, () -> {
            int n = turn.getAndIncrement();
            TestNode node = nodes.get(n % 4);
            List<ClaimedJob> jobs = n % 2 == 0
                    ? node.claim(List.of(new Demand(MAIL, 2), new Demand(REPORTS, 2))).jobs()
                    : node.claim(List.of(new Demand(REPORTS, 2), new Demand(MAIL, 2))).jobs();
            int at = running.addAndGet(jobs.size());
            for (int look = 0; look < 50; look++) {
                Thread.yield(); // others claim meanwhile
                at = Math.max(at, running.get());
            }
            running.addAndGet(-jobs.size());
            node.done(jobs);
            return at;
        });
        assertThat(seen).allSatisfy(at -> assertThat(at).isLessThanOrEqualTo(most));
        TestNode node = nodes.getFirst();
        assertThat(node.claim(List.of(new Demand(MAIL, 10), new Demand(REPORTS, 10))).jobs()).hasSize(most);
    }
}
