package dev.orderly.testkit.contract;

import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.store.Declared;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.testkit.contract.job.JobTrial;
import dev.orderly.testkit.contract.job.TestNode;
import org.junit.jupiter.api.Test;

/** What a declaration of a schedule is worth when its node lives, stops and dies. */
public interface DeclarerPart {
    ScheduleName REPORT = new ScheduleName("report");
    String HOURLY = "0 * * * * UTC";

    JobTrial trial();

    @Test
    default void aTimingIsReplacedByANodeThatRepeatsItsOwnOnlyWhenItsDeclarerIsDead() {
        TestNode last = trial().node();
        TestNode other = trial().node();
        trial().schedules().declare(REPORT, Declared.anew(HOURLY, other.id()), trial().now());
        ScheduleState daily = trial().schedules().declare(REPORT, Declared.anew("daily UTC", last.id()), trial().now());
        assertThat(trial().schedules().declare(REPORT, Declared.again(HOURLY, other.id()), trial().now()))
                .isEqualTo(daily);
        assertThat(trial().schedules().undeclared()).isEmpty();
        trial().dies(last);
        assertThat(trial().schedules().undeclared()).containsExactly(REPORT);
        ScheduleState replaced = trial().schedules().declare(REPORT, Declared.again(HOURLY, other.id()), trial().now());
        assertThat(replaced.timing()).isEqualTo(HOURLY);
        assertThat(replaced.version()).isEqualTo(daily.version() + 1);
        assertThat(replaced.reached()).isEqualTo(trial().now());
        assertThat(trial().schedules().undeclared()).isEmpty();
        assertThat(trial().schedules().declare(REPORT, Declared.again("daily UTC", last.id()), trial().now()))
                .as("repeated by a dead node").isEqualTo(replaced);
        assertThat(trial().schedules().states()).containsExactly(replaced);
    }

    @Test
    default void aNodeThatRepeatsTheTimingOfADeadDeclarerKeepsTheState() {
        TestNode last = trial().node();
        TestNode other = trial().node();
        ScheduleState declared = trial().schedules().declare(REPORT, Declared.anew(HOURLY, last.id()), trial().now());
        ScheduleState fired = trial().schedules()
                .take(declared, new ScheduleStep.Fire(trial().now().plusSeconds(1), mail("report").job()),
                        trial().now())
                .orElseThrow();
        trial().dies(last);
        assertThat(trial().schedules().declare(REPORT, Declared.again(HOURLY, other.id()), trial().now()))
                .isEqualTo(fired);
        assertThat(trial().schedules().undeclared()).isEmpty();
    }

    @Test
    default void aWithdrawnDeclarationIsReplacedAtOnceAndChangesNothingElse() {
        TestNode last = trial().node();
        TestNode other = trial().node();
        ScheduleState daily = trial().schedules().declare(REPORT, Declared.anew("daily UTC", last.id()), trial().now());
        ScheduleState backup = trial().schedules().declare(new ScheduleName("backup"),
                Declared.anew(HOURLY, other.id()),
                trial().now());
        trial().schedules().withdraw(last.id());
        assertThat(trial().schedules().states()).containsExactly(backup, daily);
        assertThat(trial().schedules().undeclared()).containsExactly(REPORT);
        assertThat(trial().schedules().declare(REPORT, Declared.again(HOURLY, other.id()), trial().now()).timing())
                .isEqualTo(HOURLY);
        assertThat(trial().schedules().undeclared()).isEmpty();
    }
}
