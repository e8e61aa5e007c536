package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.UpkeepRequest.Retention;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Steps: what an attempt has done stays with its job. */
public interface StepPart extends JobPart {
    private ClaimedJob claimed(TestNode node, JobDraft draft) {
        trial().push(draft);
        return node.takeOne(draft.job().queue());
    }

    private StepResult keep(TestNode node, ClaimedJob job, String name, @Nullable Payload value) {
        return trial().jobs().keep(new StepReport(node.id(), job.attempt(), name, value), trial().now());
    }

    private StepResult reported(ClaimedJob job, String name, @Nullable Payload value) {
        return trial().jobs().keep(new StepReport(null, job.attempt(), name, value), trial().now());
    }

    private List<JobStep> steps(JobId id) {
        return trial().views().steps(id);
    }

    private List<String> names(JobId id) {
        return steps(id).stream().map(JobStep::name).toList();
    }

    @Test
    default void stepsAreKeptInTheirOrderWithTheirValues() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        assertThat(steps(job.id())).isEmpty();
        Payload raw = new Payload("image/png", new byte[]{0, -1, 127});
        assertThat(keep(node, job, "z-first", Payload.text("änderung ✉"))).isEqualTo(StepResult.KEPT);
        trial().pass(Duration.ofSeconds(1));
        assertThat(keep(node, job, "a.second:2", raw)).isEqualTo(StepResult.KEPT);
        assertThat(keep(node, job, "nothing", null)).isEqualTo(StepResult.KEPT);
        List<JobStep> kept = steps(job.id());
        assertThat(kept).extracting(JobStep::name).containsExactly("z-first", "a.second:2", "nothing");
        assertThat(kept).extracting(JobStep::value).containsExactly(Payload.text("änderung ✉"), raw, null);
        assertThat(kept).extracting(JobStep::attempt).containsOnly(job.attempt().number());
        assertThat(kept.getLast().keptAt().truncatedTo(ChronoUnit.MILLIS))
                .isEqualTo(trial().now().truncatedTo(ChronoUnit.MILLIS));
    }

    @Test
    default void laterAttemptsFindTheStepsOfEarlierOnesAndAddTheirOwn() {
        TestNode node = trial().node();
        ClaimedJob first = claimed(node, order("g", "a"));
        keep(node, first, "charge", Payload.text("c-1"));
        node.retry(first, Duration.ZERO);
        ClaimedJob second = node.take(first.queue(), 1).getFirst();
        assertThat(names(second.id())).containsExactly("charge");
        assertThat(keep(node, second, "book", null)).isEqualTo(StepResult.KEPT);
        node.settle(second, new AttemptOutcome.Dead(TestNode.FAILURE, true));
        assertThat(names(second.id())).containsExactly("charge", "book");
        trial().redrive(first.queue(), first.id());
        ClaimedJob third = node.take(first.queue(), 1).getFirst();
        node.done(third);
        assertThat(steps(third.id())).extracting(JobStep::attempt).containsExactly(first.attempt().number(),
                second.attempt().number());
    }

    @Test
    default void stepsSurviveTheDeathOfTheProcess() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        keep(node, job, "charge", Payload.text("c-1"));
        trial().crashAndRecover();
        assertThat(steps(job.id())).extracting(JobStep::value).containsExactly(Payload.text("c-1"));
        ClaimedJob again = trial().node().takeOne(MAIL);
        assertThat(again.attempt().number()).as("so that its handler looks for steps").isGreaterThan(1);
    }

    @Test
    default void aStaleAttemptAddsNoStep() {
        TestNode node = trial().node();
        TestNode other = trial().node();
        ClaimedJob stale = claimed(node, mail("a"));
        assertThat(keep(other, stale, "of-another-node", null)).isEqualTo(StepResult.LEASE_LOST);
        node.giveBack(stale);
        assertThat(keep(node, stale, "of-nobody", null)).isEqualTo(StepResult.LEASE_LOST);
        assertThat(reported(stale, "of-nobody", null)).isEqualTo(StepResult.LEASE_LOST);
        ClaimedJob newest = other.takeOne(MAIL);
        assertThat(keep(node, stale, "late", null)).isEqualTo(StepResult.LEASE_LOST);
        assertThat(reported(stale, "late", null)).isEqualTo(StepResult.LEASE_LOST);
        other.done(newest);
        assertThat(keep(other, newest, "after-the-end", null)).isEqualTo(StepResult.LEASE_LOST);
        assertThat(names(newest.id())).isEmpty();
    }

    @Test
    default void aNodeThatWasDeclaredDeadAddsNoStep() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        keep(node, job, "before", null);
        trial().dies(node);
        assertThat(keep(node, job, "after", null)).isEqualTo(StepResult.LEASE_LOST);
        node.beat();
        assertThat(keep(node, job, "after", null)).isEqualTo(StepResult.LEASE_LOST);
        assertThat(names(job.id())).containsExactly("before");
    }

    @Test
    default void theWorkerOfALeasedJobKeepsSteps() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        node.lease(job, Duration.ofHours(1));
        assertThat(reported(job, "resize", Payload.text("640"))).isEqualTo(StepResult.KEPT);
        assertThat(keep(node, job, "of-the-node", null)).isEqualTo(StepResult.LEASE_LOST);
        assertThat(names(job.id())).containsExactly("resize");
    }

    @Test
    default void theFirstReportOfANameCounts() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        keep(node, job, "charge", Payload.text("c-1"));
        assertThat(keep(node, job, "charge", Payload.text("c-1"))).as("a repetition").isEqualTo(StepResult.KEPT);
        assertThat(keep(node, job, "charge", Payload.text("c-2"))).isEqualTo(StepResult.TAKEN);
        assertThat(keep(node, job, "charge", null)).isEqualTo(StepResult.TAKEN);
        assertThat(steps(job.id())).extracting(JobStep::value).containsExactly(Payload.text("c-1"));
    }

    @Test
    default void theStepsOfAJobHaveABoundTogether() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        Payload large = new Payload("application/octet-stream", new byte[JobStep.VALUE_MAX - 1]);
        for (String name : List.of("1", "2", "3", "4")) {
            assertThat(keep(node, job, name, large)).isEqualTo(StepResult.KEPT);
        }
        assertThat(keep(node, job, "5", null)).as("a byte more").isEqualTo(StepResult.FULL);
        assertThat(keep(node, job, "4", large)).as("a repetition").isEqualTo(StepResult.KEPT);
        assertThat(names(job.id())).containsExactly("1", "2", "3", "4");
        ClaimedJob other = claimed(node, mail("b"));
        assertThat(keep(node, other, "1", large)).as("of another job").isEqualTo(StepResult.KEPT);
    }

    @Test
    default void stepsGoWithTheirJob() {
        TestNode node = trial().node();
        ClaimedJob ended = claimed(node, mail("a"));
        keep(node, ended, "charge", null);
        node.done(ended);
        ClaimedJob open = claimed(node, mail("b"));
        keep(node, open, "charge", null);
        assertThat(names(ended.id())).containsExactly("charge");
        trial().pass(Duration.ofDays(1));
        node.beat();
        for (int round = 0; round < 3; round++) {
            trial().upkeep(Map.of(),
                    new Retention(Duration.ofHours(1), 1_000, Duration.ofDays(14)), 1_000);
        }
        assertThat(trial().views().find(ended.id())).isEmpty();
        assertThat(names(ended.id())).isEmpty();
        assertThat(names(open.id())).containsExactly("charge");
    }

    @Test
    default void aJobThatIsUnknownHasNoSteps() {
        JobId unknown = JobId.of(12_345L << 20, 99);
        assertThat(steps(unknown)).isEmpty();
        assertThat(trial().jobs().keep(new StepReport(null, new AttemptId(unknown, MAIL, 1), "charge", null),
                trial().now())).isEqualTo(StepResult.LEASE_LOST);
    }
}
