package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.UpkeepRequest.Retention;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The jobs of a dead node that are suspected of its crash. */
public interface SuspectPart extends JobPart {
    @Test
    default void jobsThatRanBesideOthersAreNeverBlamedHoweverOftenTheirNodeDies() {
        List<JobId> ids = trial().pushAll(IntStream.range(0, 20).mapToObj(n -> mail("m" + n)).toList()).stream()
                .map(result -> result.id()).toList();
        for (int crash = 1; crash <= 5; crash++) {
            TestNode node = trial().node();
            assertThat(node.take(MAIL, 20)).hasSize(20);
            trial().dies(node);
        }
        assertThat(ids).allSatisfy(id -> assertThat(trial().view(id).state()).isEqualTo(JobState.WAITING));
        assertThat(trial().node().drain(MAIL)).hasSize(20);
    }

    @Test
    default void jobsThatRanBesideOthersAreNeverBlamedHoweverOftenTheProcessDies() {
        trial().push(mail("a"), order("g", "b"));
        for (int crash = 1; crash <= 4; crash++) {
            TestNode node = trial().node();
            assertThat(node.take(MAIL, 1)).hasSize(1);
            assertThat(node.take(ORDERS, 1)).hasSize(1);
            trial().crashAndRecover();
        }
        TestNode after = trial().node();
        assertThat(after.drain(MAIL)).containsExactly("a");
        assertThat(after.drain(ORDERS)).containsExactly("b");
    }

    @Test
    default void aSuspectThatCrashesItsNodeAloneIsADeadLetterAtTheThirdSuchCrash() {
        JobId poison = trial().push(mail("poison"));
        List<JobId> others = trial().push(mail("a"), mail("b"));
        TestNode first = trial().node();
        assertThat(first.take(MAIL, 3)).hasSize(3);
        trial().dies(first);
        for (int crash = 2; crash <= 4; crash++) {
            TestNode node = trial().node();
            TestNode beside = trial().node();
            List<ClaimedJob> all = beside.take(MAIL, 3);
            all.stream().filter(job -> job.id().equals(poison)).forEach(beside::giveBack);
            assertThat(node.takeOne(MAIL).id()).isEqualTo(poison);
            trial().dies(node);
            all.stream().filter(job -> !job.id().equals(poison)).forEach(beside::giveBack);
        }
        assertThat(trial().list(MAIL, JobState.DEAD)).containsExactly(poison);
        assertThat(others).allSatisfy(id -> assertThat(trial().view(id).state()).isEqualTo(JobState.WAITING));
    }

    @Test
    default void threeDeathsOfTheNodeAloneAreNeededHoweverOftenItDiedBesideOthersBefore() {
        onlyDeathsAloneConvict(trial()::dies);
    }

    @Test
    default void threeDeathsOfTheProcessAloneAreNeededHoweverOftenItDiedBesideOthersBefore() {
        onlyDeathsAloneConvict(_ -> trial().crashAndRecover());
    }

    private void onlyDeathsAloneConvict(Consumer<TestNode> death) {
        JobId id = trial().push(mail("a"));
        for (int beside = 1; beside <= 2; beside++) {
            trial().push(mail("beside"));
            TestNode node = trial().node();
            assertThat(node.take(MAIL, 2)).hasSize(2);
            death.accept(node);
            TestNode other = trial().node();
            for (ClaimedJob job : other.take(MAIL, 2)) {
                other.settle(job, job.id().equals(id) ? new AttemptOutcome.GiveBack() : new AttemptOutcome.Done(null));
            }
        }
        for (int alone = 1; alone <= 3; alone++) {
            assertThat(trial().view(id).state()).as("before death %s alone", alone).isEqualTo(JobState.WAITING);
            TestNode node = trial().node();
            assertThat(node.takeOne(MAIL).id()).isEqualTo(id);
            death.accept(node);
            trial().node();
        }
        assertThat(trial().view(id).state()).isEqualTo(JobState.DEAD);
    }

    @Test
    default void aRedrivenJobIsSuspectedOfNothing() {
        JobId id = trial().push(mail("a"));
        for (int life = 1; life <= 2; life++) {
            for (int crash = 1; crash <= 3; crash++) {
                assertThat(trial().view(id).state()).isEqualTo(JobState.WAITING);
                TestNode node = trial().node();
                assertThat(node.takeOne(MAIL).crashes()).isEqualTo(crash - 1);
                trial().dies(node);
            }
            assertThat(trial().view(id).state()).isEqualTo(JobState.DEAD);
            assertThat(trial().redrive(MAIL, id)).isEqualTo(1);
        }
    }

    @Test
    default void jobsBehindTheFirstOfTheirGroupDoNotHideThatItRanAlone() {
        JobId poison = trial().push(order("g", "poison"));
        trial().push(order("g", "g1"), order("g", "g2"));
        for (int crash = 1; crash <= 3; crash++) {
            TestNode node = trial().node();
            assertThat(node.take(ORDERS, 1)).isNotEmpty();
            trial().dies(node);
        }
        assertThat(trial().list(ORDERS, JobState.DEAD)).containsExactly(poison);
    }

    @Test
    default void aNodeWhoseJobsAreGivenBackInPartsRanThemTogether() {
        trial().push(mail("a"), mail("b"), mail("c"));
        for (int crash = 1; crash <= 4; crash++) {
            assertThat(trial().node().take(MAIL, 3)).hasSize(3);
            trial().pass(JobTrial.NODE_DEAD.plusSeconds(1));
            List<UpkeepReport> rounds = trial().upkeep(Map.of(), Retention.DEFAULT, 1);
            assertThat(rounds).allSatisfy(round -> assertThat(round.poisoned()).isEmpty());
        }
        assertThat(trial().node().drain(MAIL)).hasSize(3);
    }

    @Test
    default void jobsThatEndedBeforeACrashDoNotHideThatTheRestRanAlone() {
        JobId poison = trial().push(mail("poison"));
        for (int crash = 1; crash <= 3; crash++) {
            trial().push(mail("fine"));
            TestNode node = trial().node();
            node.take(MAIL, 2).stream().filter(job -> !job.id().equals(poison)).forEach(node::done);
            trial().dies(node);
        }
        assertThat(trial().list(MAIL, JobState.DEAD)).containsExactly(poison);
    }

    @Test
    default void aClaimedJobHasItsNumberOfCrashes() {
        trial().push(mail("a"), mail("b"));
        for (int crash = 0; crash <= 2; crash++) {
            TestNode node = trial().node();
            int seen = crash;
            assertThat(node.take(MAIL, 2)).hasSize(2).allSatisfy(job -> assertThat(job.crashes()).isEqualTo(seen));
            trial().dies(node);
        }
    }
}
