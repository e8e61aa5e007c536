package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Groups that halt at a dead letter, and redriven dead letters. */
public interface HaltPart extends JobPart {
    /** Makes group g with g0 dead, and g1 and g2 behind it. */
    private JobId haltedHead() {
        trial().push(order("g", "g0"), order("g", "g1"), order("g", "g2"));
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.dead(run.getFirst(), true);
        run.subList(1, run.size()).forEach(node::giveBack);
        return run.getFirst().id();
    }

    @Test
    default void aHaltedGroupHandsOutNothingAndDelaysNoOtherGroup() {
        haltedHead();
        trial().push(order("g", "g3"), order("h", "h0"));
        trial().pass(Duration.ofDays(1));
        TestNode node = trial().node();
        assertThat(node.drain(ORDERS)).containsExactly("h0");
        trial().eventually(() -> assertThat(trial().view(ORDERS).halted()).isEqualTo(1));
    }

    @Test
    default void aHaltSurvivesTheDeathOfTheProcess() {
        haltedHead();
        trial().crashAndRecover();
        assertThat(trial().node().take(ORDERS, 5)).isEmpty();
        trial().eventually(() -> assertThat(trial().view(ORDERS).halted()).isEqualTo(1));
    }

    @Test
    default void aHaltedGroupGoesOnFromItsRedrivenHead() {
        haltedHead();
        assertThat(trial().redriveAll(ORDERS)).isEqualTo(1);
        assertThat(trial().node().drain(ORDERS)).containsExactly("g0", "g1", "g2");
        trial().eventually(() -> assertThat(trial().view(ORDERS).halted()).isZero());
    }

    @Test
    default void aHaltedGroupGoesOnBehindItsCancelledHead() {
        JobId head = haltedHead();
        assertThat(trial().cancel(head)).isEqualTo(CancelResult.CANCELLED);
        assertThat(trial().node().drain(ORDERS)).containsExactly("g1", "g2");
        trial().eventually(() -> assertThat(trial().view(ORDERS).halted()).isZero());
    }

    @Test
    default void aFreedGroupStaysFreeAfterTheDeathOfTheProcess() {
        JobId head = haltedHead();
        trial().cancel(head);
        trial().crashAndRecover();
        assertThat(trial().node().drain(ORDERS)).containsExactly("g1", "g2");
    }

    @Test
    default void cancellingAJobBehindTheHeadDoesNotFreeAHaltedGroup() {
        haltedHead();
        JobId behind = trial().push(order("g", "g3"));
        trial().cancel(behind);
        assertThat(trial().node().take(ORDERS, 5)).isEmpty();
        trial().redriveAll(ORDERS);
        assertThat(trial().node().drain(ORDERS)).containsExactly("g0", "g1", "g2");
    }

    @Test
    default void aHaltedGroupMayHaltAgain() {
        haltedHead();
        trial().redriveAll(ORDERS);
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.dead(run.getFirst(), true);
        run.subList(1, run.size()).forEach(node::giveBack);
        assertThat(node.take(ORDERS, 5)).isEmpty();
        trial().redriveAll(ORDERS);
        assertThat(node.drain(ORDERS)).containsExactly("g0", "g1", "g2");
    }

    @Test
    default void aDeadLetterThatHaltsItsGroupIsNotPruned() {
        JobId head = haltedHead();
        trial().pass(Duration.ofDays(30));
        trial().upkeep(Map.of(), new Retention(Duration.ofHours(1), 100, Duration.ofHours(1)), 100);
        assertThat(trial().view(head).state()).isEqualTo(JobState.DEAD);
        assertThat(trial().node().take(ORDERS, 5)).isEmpty();
    }

    /**
     * Makes group g with a job that crashes its nodes three times and a job behind it; the upkeep round applies the
     * last setting.
     */
    private void poisonGroup(Map<QueueName, OnDead> settingBefore, Map<QueueName, OnDead> settingThen) {
        trial().upkeep(settingBefore, Retention.DEFAULT, 100);
        trial().push(order("g", "poison"), order("g", "g1"));
        for (int crash = 1; crash <= 3; crash++) {
            trial().node().take(ORDERS, 1);
            trial().pass(JobTrial.NODE_DEAD.plusSeconds(1));
            trial().upkeep(settingThen, Retention.DEFAULT, 100);
        }
    }

    @Test
    default void aGroupHaltsAtAPoisonJobOnAnyNode() {
        poisonGroup(Map.of(ORDERS, OnDead.HALT), Map.of());
        assertThat(trial().node().take(ORDERS, 5)).isEmpty();
        trial().eventually(() -> assertThat(trial().view(ORDERS).halted()).isEqualTo(1));
    }

    @Test
    default void theLastSettingOfOnDeadCounts() {
        trial().upkeep(Map.of(ORDERS, OnDead.HALT), Retention.DEFAULT, 100);
        poisonGroup(Map.of(ORDERS, OnDead.CONTINUE), Map.of());
        assertThat(trial().node().drain(ORDERS)).containsExactly("g1");
    }

    @Test
    default void onDeadOfALiveNodeStaysWhenAnotherRepeatsItsOwn() {
        TestNode last = trial().node();
        TestNode other = trial().node();
        declare(Declared.anew(OnDead.HALT, last.id()));
        declare(Declared.again(OnDead.CONTINUE, other.id()));
        poisonGroup(Map.of(), Map.of());
        assertThat(trial().node().take(ORDERS, 5)).isEmpty();
    }

    @Test
    default void onDeadOfADeadNodeGivesWayToThatOfALiveNode() {
        TestNode last = trial().node();
        TestNode other = trial().node();
        declare(Declared.anew(OnDead.HALT, last.id()));
        trial().dies(last);
        declare(Declared.again(OnDead.CONTINUE, other.id()));
        poisonGroup(Map.of(), Map.of());
        assertThat(trial().node().drain(ORDERS)).containsExactly("g1");
    }

    private void declare(Declared<OnDead> onDead) {
        trial().jobs().upkeep(new UpkeepRequest(JobTrial.NODE_DEAD, 3, Map.of(ORDERS, onDead), Retention.DEFAULT, 100),
                trial().now());
    }

    @Test
    default void theSettingOfOnDeadSurvivesTheDeathOfTheProcess() {
        trial().upkeep(Map.of(ORDERS, OnDead.HALT), Retention.DEFAULT, 100);
        trial().crash();
        poisonGroup(Map.of(), Map.of());
        assertThat(trial().node().take(ORDERS, 5)).isEmpty();
    }

    @Test
    default void aRedrivenJobTakesItsOldPositionInItsGroup() {
        trial().push(order("g", "g0"), order("g", "g1"), order("g", "g2"));
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.dead(run.getFirst(), false);
        run.subList(1, run.size()).forEach(node::giveBack);
        trial().push(order("g", "g3"));
        assertThat(trial().redriveAll(ORDERS)).isEqualTo(1);
        assertThat(node.drain(ORDERS)).containsExactly("g0", "g1", "g2", "g3");
    }

    @Test
    default void aRedrivenJobRevivesAnEmptyGroup() {
        trial().push(order("g", "g0"), order("g", "g1"));
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.dead(run.getFirst(), false);
        run.subList(1, run.size()).forEach(node::done);
        node.drain(ORDERS);
        assertThat(trial().redriveAll(ORDERS)).isEqualTo(1);
        trial().push(order("g", "g2"));
        assertThat(node.drain(ORDERS)).containsExactly("g0", "g2");
    }

    @Test
    default void aRedrivenJobWaitsForRunningJobsOfItsGroup() {
        trial().push(order("g", "g0"));
        TestNode node = trial().node();
        node.dead(node.takeOne(ORDERS), false);
        trial().push(order("g", "g1"));
        ClaimedJob running = node.takeOne(ORDERS);
        trial().push(order("g", "g2"));
        trial().redriveAll(ORDERS);
        assertThat(trial().node().take(ORDERS, 5)).isEmpty();
        node.done(running);
        assertThat(node.drain(ORDERS)).containsExactly("g0", "g2");
    }

    @Test
    default void redriveForgetsFailuresButNotAttempts() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        node.retry(node.takeOne(MAIL), Duration.ZERO);
        node.dead(node.takeOne(MAIL), false);
        assertThat(trial().redriveAll(MAIL)).isEqualTo(1);
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(again.failures()).isZero();
        assertThat(again.attempt().number()).isEqualTo(3);
        assertThat(again.payload().asText()).isEqualTo("a");
    }

    @Test
    default void redriveForgetsCrashes() {
        JobId id = trial().push(mail("a"));
        for (int crash = 0; crash < 3; crash++) {
            TestNode node = trial().node();
            node.takeOne(MAIL);
            trial().dies(node);
        }
        assertThat(trial().redrive(MAIL, id)).isEqualTo(1);
        for (int crash = 0; crash < 2; crash++) {
            TestNode node = trial().node();
            node.takeOne(MAIL);
            trial().dies(node);
        }
        assertThat(trial().node().takeOne(MAIL).id()).isEqualTo(id);
    }

    @Test
    default void redriveTakesTheOldestFirstAndNoMoreThanTheLimit() {
        List<JobId> ids = trial().push(mail("a"), mail("b"), mail("c"));
        TestNode node = trial().node();
        node.take(MAIL, 3).reversed().forEach(job -> node.dead(job, false));
        assertThat(trial().jobs().redriveAll(MAIL, 2, trial().now())).isEqualTo(2);
        assertThat(node.drain(MAIL)).containsExactlyInAnyOrder("a", "b");
        assertThat(trial().view(ids.get(2)).state()).isEqualTo(JobState.DEAD);
    }

    @Test
    default void redriveTakesOnlyTheNamedDeadLetters() {
        List<JobId> ids = trial().push(mail("a"), mail("b"), mail("done"));
        TestNode node = trial().node();
        List<ClaimedJob> jobs = node.take(MAIL, 3);
        node.dead(jobs.get(0), false);
        node.dead(jobs.get(1), false);
        node.done(jobs.get(2));
        JobId elsewhere = trial().push(order("g", "x"));
        node.dead(node.takeOne(ORDERS), false);
        JobId nobody = JobId.of(12_345L << 20, 99);
        assertThat(trial().redrive(MAIL, ids.get(1), ids.get(2), elsewhere, nobody)).isEqualTo(1);
        assertThat(node.drain(MAIL)).containsExactly("b");
        assertThat(node.take(ORDERS, 1)).isEmpty();
    }

    @Test
    default void redriveOfNoNamedJobRedrivesNothing() {
        trial().push(mail("a"), order("g", "x"));
        TestNode node = trial().node();
        node.dead(node.takeOne(MAIL), false);
        node.dead(node.takeOne(ORDERS), false);
        assertThat(trial().redrive(MAIL)).isZero();
        assertThat(trial().redrive(ORDERS)).isZero();
        assertThat(node.take(MAIL, 1)).isEmpty();
        assertThat(node.take(ORDERS, 1)).isEmpty();
        assertThat(trial().redriveAll(MAIL)).isEqualTo(1);
        assertThat(trial().redriveAll(ORDERS)).isEqualTo(1);
    }

    @Test
    default void aRedriveSurvivesTheDeathOfTheProcess() {
        haltedHead();
        trial().redriveAll(ORDERS);
        trial().crashAndRecover();
        assertThat(trial().node().drain(ORDERS)).containsExactly("g0", "g1", "g2");
    }

    @Test
    default void withoutDeadLettersNothingIsRedriven() {
        trial().push(mail("a"));
        assertThat(trial().redriveAll(MAIL)).isZero();
        assertThat(trial().redriveAll(ORDERS)).isZero();
    }
}
