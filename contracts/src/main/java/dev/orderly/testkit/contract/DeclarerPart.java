package dev.orderly.testkit.contract;

import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobState;
import dev.orderly.job.store.Declared;
import dev.orderly.schedule.ForgetScheduleResult;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.testkit.contract.job.JobDraft;
import dev.orderly.testkit.contract.job.JobTrial;
import dev.orderly.testkit.contract.job.TestNode;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a declaration of a schedule is worth when its node lives, stops and dies. */
public interface DeclarerPart {
    ScheduleName REPORT = new ScheduleName("report");
    String HOURLY = "0 * * * * UTC";

    JobTrial trial();

    private ScheduleState declare(Declared<String> timing) {
        return trial().schedules().declare(REPORT, timing, trial().now());
    }

    @Test
    default void aTimingIsReplacedByANodeThatRepeatsItsOwnOnlyWhenItsDeclarerIsDead() {
        TestNode last = trial().node();
        TestNode other = trial().node();
        var _ = declare(Declared.anew(HOURLY, other.id()));
        ScheduleState daily = declare(Declared.anew("daily UTC", last.id()));
        assertThat(declare(Declared.again(HOURLY, other.id()))).isEqualTo(daily);
        assertThat(trial().schedules().undeclared()).isEmpty();
        trial().dies(last);
        assertThat(trial().schedules().undeclared()).containsExactly(REPORT);
        ScheduleState replaced = declare(Declared.again(HOURLY, other.id()));
        assertThat(replaced.timing()).isEqualTo(HOURLY);
        assertThat(replaced.version()).isEqualTo(daily.version() + 1);
        assertThat(replaced.reached()).isEqualTo(trial().now());
        assertThat(trial().schedules().undeclared()).isEmpty();
        assertThat(declare(Declared.again("daily UTC", last.id()))).as("repeated by a dead node").isEqualTo(replaced);
        assertThat(trial().schedules().states()).containsExactly(replaced);
    }

    @Test
    default void aNodeThatRepeatsTheTimingOfADeadDeclarerKeepsTheState() {
        TestNode last = trial().node();
        TestNode other = trial().node();
        ScheduleState declared = declare(Declared.anew(HOURLY, last.id()));
        ScheduleState fired = trial().schedules()
                .take(declared, new ScheduleStep.Fire(trial().now().plusSeconds(1), mail("report").job()),
                        trial().now())
                .orElseThrow();
        trial().dies(last);
        assertThat(declare(Declared.again(HOURLY, other.id()))).isEqualTo(fired);
        assertThat(trial().schedules().undeclared()).isEmpty();
    }

    @Test
    default void oneScheduleIsWithdrawnAndTheOthersOfItsNodeStay() {
        TestNode node = trial().node();
        ScheduleName backup = new ScheduleName("backup");
        var _ = declare(Declared.anew(HOURLY, node.id()));
        trial().schedules().declare(backup, Declared.anew(HOURLY, node.id()), trial().now());
        trial().schedules().withdraw(trial().node().id(), REPORT);
        assertThat(trial().schedules().undeclared()).as("withdrawn by another node").isEmpty();
        trial().schedules().withdraw(node.id(), REPORT);
        assertThat(trial().schedules().undeclared()).containsExactly(REPORT);
        assertThat(trial().schedules().states()).hasSize(2);
    }

    @Test
    default void aScheduleThatNoLiveNodeDeclaresIsForgottenAndItsJobsStay() {
        TestNode last = trial().node();
        ScheduleState fired = trial().schedules().take(declare(Declared.anew(HOURLY, last.id())),
                new ScheduleStep.Fire(trial().now().plusSeconds(1), mail("report").job()), trial().now()).orElseThrow();
        trial().dies(last);
        assertThat(trial().schedules().forget(REPORT)).isEqualTo(new ForgetScheduleResult.Forgotten(REPORT));
        assertThat(trial().schedules().states()).isEmpty();
        assertThat(trial().schedules().undeclared()).isEmpty();
        assertThat(trial().schedules().take(fired, new ScheduleStep.Skip(trial().now().plusSeconds(2)), trial().now()))
                .as("a step from the state before").isEmpty();
        trial().crash();
        assertThat(trial().schedules().states()).isEmpty();
        assertThat(trial().schedules().forget(REPORT)).isEqualTo(new ForgetScheduleResult.Unknown(REPORT));
        assertThat(trial().list(JobDraft.MAIL, JobState.WAITING)).containsExactly(fired.job());
        assertThat(declare(Declared.anew(HOURLY, trial().node().id())))
                .isEqualTo(ScheduleState.first(REPORT, HOURLY, trial().now()));
    }

    @Test
    default void aScheduleThatALiveNodeDeclaresIsNotForgotten() {
        TestNode node = trial().node();
        ScheduleState declared = declare(Declared.anew(HOURLY, node.id()));
        assertThat(trial().schedules().forget(REPORT))
                .isEqualTo(new ForgetScheduleResult.StillDeclared(REPORT, node.id()));
        assertThat(trial().schedules().states()).containsExactly(declared);
        trial().schedules().withdraw(node.id(), REPORT);
        assertThat(trial().schedules().forget(REPORT)).isEqualTo(new ForgetScheduleResult.Forgotten(REPORT));
    }

    @Test
    default void aDeclarationThatComesWithTheForgetIsNotLost() {
        TestNode node = trial().node();
        for (int round = 0; round < 20; round++) {
            var _ = declare(Declared.anew(HOURLY, node.id()));
            trial().schedules().withdraw(node.id());
            CompletableFuture<ScheduleState> again = CompletableFuture
                    .supplyAsync(() -> declare(Declared.anew(HOURLY, node.id())));
            ForgetScheduleResult forgotten = trial().schedules().forget(REPORT);
            assertThat(again.join().timing()).as("round %s: %s", round, forgotten).isEqualTo(HOURLY);
            assertThat(trial().schedules().states()).as("round %s: %s", round, forgotten).hasSize(1);
            assertThat(trial().schedules().undeclared()).isEmpty();
        }
    }

    @Test
    default void aWithdrawnDeclarationIsReplacedAtOnceAndChangesNothingElse() {
        TestNode last = trial().node();
        TestNode other = trial().node();
        ScheduleState daily = declare(Declared.anew("daily UTC", last.id()));
        ScheduleState backup = trial().schedules().declare(new ScheduleName("backup"),
                Declared.anew(HOURLY, other.id()),
                trial().now());
        trial().schedules().withdraw(last.id());
        assertThat(trial().schedules().states()).containsExactly(backup, daily);
        assertThat(trial().schedules().undeclared()).containsExactly(REPORT);
        assertThat(declare(Declared.again(HOURLY, other.id())).timing()).isEqualTo(HOURLY);
        assertThat(trial().schedules().undeclared()).isEmpty();
    }
}
