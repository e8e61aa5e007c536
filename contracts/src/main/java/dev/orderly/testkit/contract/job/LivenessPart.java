package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NodeTimes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The detection of dead nodes, whatever the clocks show. */
public interface LivenessPart extends JobPart {
    @Test
    default void aClockThatIsSetAheadDeclaresNoNodeDead() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        TestNode other = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        trial().pass(Duration.ofSeconds(3));
        trial().jump(Duration.ofHours(1));
        trial().upkeep();
        other.beat();
        trial().upkeep();
        trial().sleep(Duration.ofSeconds(5));
        assertThat(node.beat().alive()).isTrue();
        trial().upkeep();
        assertThat(node.done(job)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void aClockThatIsSetBackDeclaresNoNodeDeadAndHidesNoDeath() {
        trial().push(mail("a"), mail("b"));
        TestNode node = trial().node();
        TestNode silent = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        ClaimedJob lost = silent.takeOne(MAIL);
        trial().pass(Duration.ofSeconds(3));
        trial().jump(Duration.ofHours(-1));
        trial().upkeep();
        for (int beat = 0; beat < 12; beat++) {
            trial().pass(Duration.ofSeconds(5));
            assertThat(node.beat().alive()).isTrue();
            trial().upkeep();
        }
        assertThat(silent.done(lost)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(node.done(job)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void aStepOfTheClockDeclaresNoNodeDeadBeforeItsLeaseIsOver() {
        for (int step = 7; step <= 13; step++) {
            JobId id = trial().push(mail("a"));
            TestNode node = trial().node();
            node.takeOne(MAIL);
            trial().pass(Duration.ofSeconds(17));
            trial().jump(Duration.ofSeconds(step).minusMillis(200));
            trial().upkeep();
            trial().pass(Duration.ofSeconds(2));
            trial().jump(Duration.ofSeconds(step).minusMillis(200));
            trial().upkeep();
            assertThat(trial().view(id).state()).as("after %s s twice", step).isEqualTo(JobState.RUNNING);
            trial().pass(NodeTimes.GIVEN_BACK.minusSeconds(19));
            trial().upkeep();
            assertThat(trial().view(id).state()).isEqualTo(JobState.WAITING);
            assertThat(trial().node().drain(MAIL)).containsExactly("a");
        }
    }

    @Test
    default void aStepOfTheClockBackHidesNoDeath() {
        for (int step = 2; step <= 40; step += 5) {
            JobId id = trial().push(mail("a"));
            trial().node().takeOne(MAIL);
            trial().pass(Duration.ofSeconds(17));
            trial().upkeep();
            trial().jump(Duration.ofSeconds(-step));
            trial().upkeep();
            trial().pass(NodeTimes.GIVEN_BACK.minusSeconds(17));
            trial().upkeep();
            assertThat(trial().view(id).state()).as("after %s s back", step).isEqualTo(JobState.WAITING);
            assertThat(trial().node().drain(MAIL)).containsExactly("a");
        }
    }

    @Test
    default void nodesThatWereAllSuspendedDeclareNoNodeDead() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        TestNode other = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        trial().sleep(Duration.ofHours(1));
        trial().upkeep();
        other.beat();
        trial().upkeep();
        trial().sleep(Duration.ofSeconds(6));
        other.beat();
        trial().upkeep();
        assertThat(node.beat().alive()).isTrue();
        trial().pass(Duration.ofSeconds(20));
        trial().upkeep();
        assertThat(node.done(job)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void aNodeThatDoesNotReturnFromASuspensionIsDeadSoonAfterAnotherReturns() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        TestNode other = trial().node();
        node.takeOne(MAIL);
        trial().sleep(Duration.ofHours(1));
        other.beat();
        trial().pass(Duration.ofSeconds(16));
        other.beat();
        trial().upkeep();
        assertThat(other.take(MAIL, 1)).hasSize(1);
    }

    @Test
    default void aNodeThatReturnsHasNotCrashed() {
        trial().push(mail("a"));
        for (int life = 1; life <= 4; life++) {
            TestNode node = trial().node();
            ClaimedJob job = node.takeOne(MAIL);
            assertThat(job.crashes()).isZero();
            trial().dies(node);
            assertThat(node.beat().alive()).isFalse();
            trial().upkeep();
        }
        assertThat(trial().node().drain(MAIL)).containsExactly("a");
    }

    @Test
    default void theCrashOfAReturningNodeIsRevokedForItsJobs() {
        var id = trial().push(mail("a"));
        TestNode suspended = trial().node();
        suspended.takeOne(MAIL);
        trial().dies(suspended);
        TestNode second = trial().node();
        ClaimedJob again = second.takeOne(MAIL);
        suspended.beat();
        second.retry(again, Duration.ZERO);
        for (int crash = 1; crash <= 2; crash++) {
            TestNode node = trial().node();
            node.takeOne(MAIL);
            trial().dies(node);
        }
        assertThat(trial().view(id).state()).isEqualTo(JobState.WAITING);
        TestNode third = trial().node();
        third.takeOne(MAIL);
        trial().dies(third);
        assertThat(trial().view(id).state()).isEqualTo(JobState.DEAD);
    }
}
