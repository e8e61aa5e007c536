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
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The jobs of dead nodes, and the retention of ended jobs. */
public interface UpkeepPart extends JobPart {
    @Test
    default void theJobsOfADeadNodeAreGivenBack() {
        List<JobId> ids = trial().push(mail("a"), mail("b"), order("g", "c"));
        TestNode node = trial().node();
        node.take(MAIL, 2);
        node.take(ORDERS, 1);
        List<UpkeepReport> reports = trial().dies(node);
        assertThat(reports.stream().flatMap(report -> report.givenBack().stream()))
                .containsExactlyInAnyOrderElementsOf(ids);
        TestNode other = trial().node();
        assertThat(other.drain(MAIL)).containsExactlyInAnyOrder("a", "b");
        assertThat(other.drain(ORDERS)).containsExactly("c");
    }

    @Test
    default void aNodeThatBeatsKeepsItsJobs() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        TestNode other = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        for (int minute = 0; minute < 10; minute++) {
            trial().pass(Duration.ofSeconds(29));
            assertThat(node.beat().alive()).isTrue();
            trial().upkeep();
        }
        other.beat();
        assertThat(other.take(MAIL, 1)).isEmpty();
        node.done(job);
    }

    @Test
    default void theJobsOfADeadProcessAreGivenBack() {
        List<JobId> ids = trial().push(mail("a"), order("g", "b"), order("g", "c"));
        TestNode node = trial().node();
        node.take(MAIL, 1);
        node.take(ORDERS, 1);
        trial().crashAndRecover();
        TestNode after = trial().node();
        assertThat(after.drain(MAIL)).containsExactly("a");
        assertThat(after.drain(ORDERS)).containsExactly("b", "c");
        assertThat(ids).allSatisfy(id -> assertThat(trial().view(id).state()).isEqualTo(JobState.DONE));
    }

    @Test
    default void aNodeDeclaredDeadLearnsOfItOnceAndIsAliveAgainWithoutJobs() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        trial().dies(node);
        assertThat(node.take(MAIL, 1)).isEmpty();
        assertThat(node.beat().alive()).isFalse();
        assertThat(node.beat().alive()).isTrue();
        assertThat(node.beat().cancelled()).isEmpty();
        assertThat(node.takeOne(MAIL).attempt().number()).isGreaterThan(job.attempt().number());
    }

    @Test
    default void aCrashCountsAsNoFailure() {
        trial().push(mail("a"));
        TestNode node = trial().node();
        node.takeOne(MAIL);
        trial().dies(node);
        assertThat(trial().node().takeOne(MAIL).failures()).isZero();
    }

    @Test
    default void theThirdCrashMakesADeadLetter() {
        JobId id = trial().push(mail("a"));
        for (int crash = 1; crash <= 3; crash++) {
            TestNode node = trial().node();
            node.takeOne(MAIL);
            List<UpkeepReport> reports = trial().dies(node);
            assertThat(reports.stream().flatMap(report -> report.poisoned().stream()).toList())
                    .isEqualTo(crash == 3 ? List.of(id) : List.of());
        }
        assertThat(trial().node().take(MAIL, 1)).isEmpty();
        assertThat(trial().view(id).state()).isEqualTo(JobState.DEAD);
        assertThat(trial().view(id).failure()).isNotNull();
    }

    @Test
    default void theThirdDeathOfTheProcessMakesADeadLetter() {
        JobId id = trial().push(mail("a"));
        for (int crash = 1; crash <= 3; crash++) {
            trial().node().takeOne(MAIL);
            trial().crashAndRecover();
        }
        assertThat(trial().node().take(MAIL, 1)).isEmpty();
        assertThat(trial().view(id).state()).isEqualTo(JobState.DEAD);
    }

    @Test
    default void crashesAreRememberedAcrossRetriesAndDeathsOfTheProcess() {
        JobId id = trial().push(mail("a"));
        TestNode first = trial().node();
        first.takeOne(MAIL);
        trial().dies(first);
        TestNode second = trial().node();
        second.retry(second.takeOne(MAIL), Duration.ZERO);
        second.takeOne(MAIL);
        trial().crashAndRecover();
        TestNode third = trial().node();
        third.takeOne(MAIL);
        trial().dies(third);
        assertThat(trial().view(id).state()).isEqualTo(JobState.DEAD);
    }

    @Test
    default void aPoisonJobDoesNotAffectItsGroup() {
        trial().push(order("g", "poison"), order("g", "g1"), order("g", "g2"));
        for (int crash = 1; crash <= 3; crash++) {
            TestNode node = trial().node();
            assertThat(TestNode.bodies(node.take(ORDERS, 1)).getFirst()).isEqualTo("poison");
            trial().dies(node);
        }
        assertThat(trial().node().drain(ORDERS)).containsExactly("g1", "g2");
    }

    @Test
    default void aPoisonJobBehindSettledJobsOfItsRunIsFound() {
        JobId poison = null;
        for (int crash = 1; crash <= 3; crash++) {
            List<JobId> ids = crash > 1 ? List.of() : trial().push(order("g", "fine"), order("g", "poison"));
            poison = ids.isEmpty() ? poison : ids.get(1);
            TestNode node = trial().node();
            List<ClaimedJob> run = node.take(ORDERS, 1);
            node.done(run.subList(0, run.size() - 1));
            trial().dies(node);
        }
        assertThat(trial().list(ORDERS, JobState.DEAD)).containsExactly(poison);
    }

    @Test
    default void aPoisonJobHaltsItsGroupIfConfigured() {
        JobId poison = trial().push(order("g", "poison"));
        trial().push(order("g", "g1"));
        for (int crash = 1; crash <= 3; crash++) {
            trial().node().take(ORDERS, 1);
            trial().pass(JobTrial.NODE_DEAD.plusSeconds(1));
            trial().upkeep(Map.of(ORDERS, OnDead.HALT), Retention.DEFAULT, 100);
        }
        assertThat(trial().node().take(ORDERS, 1)).isEmpty();
        trial().redrive(ORDERS, poison);
        assertThat(trial().node().drain(ORDERS)).containsExactly("poison", "g1");
    }

    @Test
    default void aRoundGivesBackNoMoreThanItsLimitAndReportsThatThereIsMore() {
        trial().pushAll(IntStream.range(0, 20).mapToObj(n -> mail("m" + n)).toList());
        trial().node().take(MAIL, 20);
        trial().pass(JobTrial.NODE_DEAD.plusSeconds(1));
        UpkeepReport first = round(Retention.DEFAULT, 5);
        assertThat(first.givenBack()).hasSizeLessThanOrEqualTo(5);
        assertThat(first.more()).isTrue();
        trial().upkeep(Map.of(), Retention.DEFAULT, 5);
        assertThat(trial().node().take(MAIL, 100)).hasSize(20);
    }

    @Test
    default void aGroupIsHandedOutOnlyWhenItsWholeRunWasGivenBack() {
        trial().pushAll(IntStream.range(0, 5).mapToObj(n -> order("g", "g" + n)).toList());
        trial().node().take(ORDERS, 1);
        trial().pass(JobTrial.NODE_DEAD.plusSeconds(1));
        TestNode other = trial().node();
        while (round(Retention.DEFAULT, 2).more()) {
            List<ClaimedJob> run = other.take(ORDERS, 1);
            assertThat(TestNode.bodies(run)).isIn(List.of(), List.of("g0", "g1", "g2", "g3", "g4"));
            run.forEach(other::giveBack);
        }
        assertThat(other.drain(ORDERS)).containsExactly("g0", "g1", "g2", "g3", "g4");
    }

    @Test
    default void aQuietRoundHasNothingToReport() {
        trial().push(mail("a"));
        assertThat(round(Retention.DEFAULT, 100)).isEqualTo(new UpkeepReport(List.of(), List.of(), 0, false));
    }

    @Test
    default void finishedAndCancelledJobsAreKeptForTheirTimeAndThenForgotten() {
        Retention keep = new Retention(Duration.ofHours(2), 1_000, Duration.ofDays(1));
        JobId done = trial().push(mail("a"));
        trial().node().drain(MAIL);
        JobId cancelled = trial().push(mail("b"));
        trial().cancel(cancelled);
        trial().pass(Duration.ofMinutes(119));
        round(keep, 100);
        assertThat(List.of(trial().view(done).state(), trial().view(cancelled).state()))
                .containsExactly(JobState.DONE, JobState.CANCELLED);
        trial().pass(Duration.ofMinutes(2));
        assertThat(round(keep, 100).pruned()).isGreaterThanOrEqualTo(2);
        trial().eventually(() -> {
            assertThat(trial().views().find(done)).isEmpty();
            assertThat(trial().views().find(cancelled)).isEmpty();
        });
        assertThat(trial().cancel(done)).isEqualTo(CancelResult.UNKNOWN);
    }

    @Test
    default void deadLettersAreKeptForTheirTimeAndThenForgotten() {
        Retention keep = new Retention(Duration.ofHours(2), 1_000, Duration.ofDays(1));
        JobId id = trial().push(mail("a"));
        TestNode node = trial().node();
        node.dead(node.takeOne(MAIL), false);
        trial().pass(Duration.ofHours(23));
        round(keep, 100);
        assertThat(trial().view(id).state()).isEqualTo(JobState.DEAD);
        trial().pass(Duration.ofHours(2));
        round(keep, 100);
        trial().eventually(() -> assertThat(trial().views().find(id)).isEmpty());
        assertThat(trial().redriveAll(MAIL)).isZero();
    }

    @Test
    default void onlyTheNewestFinishedJobsAreKeptWhenThereAreTooMany() {
        TestNode node = trial().node();
        List<JobId> ids = trial().pushAll(IntStream.range(0, 60).mapToObj(n -> mail("m" + n)).toList()).stream()
                .map(result -> result.id()).toList();
        for (int n = 0; n < 60; n++) {
            node.done(node.takeOne(MAIL));
            trial().pass(Duration.ofMillis(5));
        }
        trial().upkeep(Map.of(), new Retention(Duration.ofDays(1), 20, Duration.ofDays(1)), 7);
        trial().eventually(() -> {
            List<JobId> kept = trial().list(MAIL, JobState.DONE);
            assertThat(kept).hasSizeBetween(18, 22).isEqualTo(ids.subList(60 - kept.size(), 60).reversed());
        });
    }

    @Test
    default void aJobThatHasNotEndedIsNeverPruned() {
        TestNode node = trial().node();
        JobId retrying = trial().push(mail("retrying"));
        node.retry(node.takeOne(MAIL), Duration.ofDays(100));
        JobId running = trial().push(mail("running"));
        node.takeOne(MAIL);
        JobId waiting = trial().push(mail("waiting"));
        trial().pass(Duration.ofDays(60));
        node.beat();
        trial().upkeep(Map.of(), new Retention(Duration.ZERO, 0, Duration.ZERO), 100);
        assertThat(List.of(retrying, running, waiting).stream().map(id -> trial().view(id).state()))
                .containsExactly(JobState.DELAYED, JobState.RUNNING, JobState.WAITING);
    }

    @Test
    default void expiredKeysAreForgottenAndCounted() {
        trial().push(mail("a").dedupe("x"));
        trial().pass(Duration.ofMinutes(6));
        assertThat(round(Retention.DEFAULT, 100).pruned()).isLessThanOrEqualTo(1);
        assertThat(round(Retention.DEFAULT, 100).pruned()).isZero();
    }

    private UpkeepReport round(Retention keep, int limit) {
        return trial().jobs().upkeep(
                new UpkeepRequest(JobTrial.NODE_DEAD, 3, Map.of(), keep, limit), trial().now());
    }
}
