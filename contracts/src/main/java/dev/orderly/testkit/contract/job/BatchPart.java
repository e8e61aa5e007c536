package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.WhenDead;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.BatchSnapshot;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewBatch;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Batches: members that are counted, and one callback when all have ended. */
public interface BatchPart extends JobPart {
    /** The queue of callbacks. */
    QueueName REPORTS = new QueueName("reports");

    private BatchStore batches() {
        return trial().jobs().batches();
    }

    private BatchStore.Opening opening(String name, WhenDead whenDead, JobDraft callback) {
        return batches().open(new NewBatch(new BatchName(name), whenDead, callback.job()), trial().now());
    }

    private BatchView open(String name, WhenDead whenDead) {
        BatchStore.Opening opening = opening(name, whenDead, JobDraft.to(REPORTS, null, "all of " + name));
        assertThat(opening.accepted()).isTrue();
        return opening.batch();
    }

    private BatchView open(String name) {
        return open(name, WhenDead.FINISH);
    }

    private BatchView view(BatchView batch) {
        return batches().find(batch.number()).orElseThrow(() -> new AssertionError(batch.name() + " is not kept"));
    }

    private BatchView close(BatchView batch) {
        return batches().close(batch.number(), trial().now()).orElseThrow();
    }

    private static JobDraft in(BatchView batch, JobDraft draft, @Nullable JobId parent) {
        return new JobDraft(draft.terms(draft.job().terms().withBatch(batch.member())).job().childOf(parent));
    }

    private static JobDraft in(BatchView batch, JobDraft draft) {
        return in(batch, draft, null);
    }

    /** A round, and the number of its callbacks. */
    private int finish() {
        return batches().finish(trial().now()).callbacks().size();
    }

    private List<JobId> callbacks() {
        return trial().list(REPORTS, JobState.WAITING);
    }

    private void assertRefused(JobDraft draft, String... said) {
        JobId before = trial().push(mail("before"));
        assertThatExceptionOfType(PushRefusedException.class).isThrownBy(() -> trial().push(draft))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(PushRefusedException.Reason.BATCH))
                .satisfies(refused -> assertThat(refused.getMessage()).contains(said));
        assertThat(trial().list(draft.job().queue(), JobState.WAITING)).as("nothing is stored")
                .allMatch(id -> id.compareTo(before) <= 0);
        trial().cancel(before);
    }

    @Test
    default void aBatchIsOpenedWithItsCallbackAndFoundByNameAndNumber() {
        BatchView batch = open("import-42", WhenDead.WAIT);
        assertThat(batch.state()).isEqualTo(BatchView.State.OPEN);
        assertThat(batch.counts()).isEqualTo(BatchCounts.NONE);
        assertThat(batch.queue()).isEqualTo(REPORTS);
        assertThat(batch.whenDead()).isEqualTo(WhenDead.WAIT);
        assertThat(batch.openedAt().truncatedTo(ChronoUnit.MILLIS))
                .isEqualTo(trial().now().truncatedTo(ChronoUnit.MILLIS));
        assertThat(batches().find(new BatchName("import-42"))).contains(view(batch));
        assertThat(batches().find(new BatchName("import-4"))).isEmpty();
        assertThat(batches().find(batch.number() + 1)).isEmpty();
        BatchView second = open("second");
        assertThat(batches().list(Long.MAX_VALUE, 10)).extracting(BatchView::name).containsExactly(second.name(),
                batch.name());
        assertThat(batches().list(second.number(), 10)).extracting(BatchView::name).containsExactly(batch.name());
        assertThat(batches().list(Long.MAX_VALUE, 1)).hasSize(1);
    }

    @Test
    default void anOpenBatchIsTheAnswerToTheSameOpening() {
        BatchView batch = open("import");
        trial().pass(Duration.ofSeconds(1));
        assertThat(open("import")).isEqualTo(batch);
        JobDraft other = JobDraft.to(REPORTS, null, "another");
        assertThat(opening("import", WhenDead.FINISH, other)).isEqualTo(new BatchStore.Opening(batch, false));
        assertThat(opening("import", WhenDead.WAIT, JobDraft.to(REPORTS, null, "all of import")).accepted()).isFalse();
        JobDraft grouped = order("g", "all of import");
        assertThat(opening("import", WhenDead.FINISH, grouped).accepted()).isFalse();
        assertThat(batches().list(Long.MAX_VALUE, 10)).containsExactly(batch);
        JobDraft rich = JobDraft.to(REPORTS, null, "").from(new UserId("ada"), Map.of("a", "")).key("k").cost(3)
                .priority(Priority.HIGH);
        BatchView second = opening("rich", WhenDead.WAIT, rich).batch();
        assertThat(second.user()).isEqualTo(new UserId("ada"));
        assertThat(view(second)).as("with its user").isEqualTo(second);
        assertThat(opening("rich", WhenDead.WAIT, rich)).isEqualTo(new BatchStore.Opening(second, true));
    }

    @Test
    default void theCallbackComesOnceAfterTheLastMemberHasEnded() {
        TestNode node = trial().node();
        BatchView batch = open("import");
        trial().push(in(batch, mail("a")), in(batch, mail("b")), in(batch, order("g", "c")));
        assertThat(finish()).as("while it is open").isZero();
        close(batch);
        assertThat(finish()).isZero();
        node.done(node.take(MAIL, 10));
        assertThat(finish()).as("with one member left").isZero();
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(3, 2, 0, 0));
        assertThat(callbacks()).isEmpty();
        node.done(node.takeOne(ORDERS));
        assertThat(finish()).isEqualTo(1);
        assertThat(finish()).isZero();
        BatchView finished = view(batch);
        assertThat(finished.state()).isEqualTo(BatchView.State.FINISHED);
        assertThat(finished.counts()).isEqualTo(new BatchCounts(3, 3, 0, 0));
        assertThat(callbacks()).containsExactly(finished.callback());
        ClaimedJob callback = node.takeOne(REPORTS);
        assertThat(callback.payload()).isEqualTo(Payload.text("all of import"));
        assertThat(callback.terms().batch()).isEqualTo(batch.ofCallback());
    }

    @Test
    default void aRunningMemberThatHasNotEndedKeepsTheCallbackAway() {
        TestNode node = trial().node();
        BatchView batch = open("import");
        trial().push(in(batch, mail("a")));
        close(batch);
        ClaimedJob job = node.takeOne(MAIL);
        assertThat(finish()).isZero();
        node.retry(job, Duration.ofHours(1));
        assertThat(finish()).as("while it waits for its retry").isZero();
        trial().pass(Duration.ofHours(1));
        node.beat();
        ClaimedJob again = node.takeOne(MAIL);
        node.lease(again, Duration.ofHours(1));
        assertThat(finish()).as("while it is leased").isZero();
        trial().report(again, new AttemptOutcome.Done(null));
        assertThat(finish()).isEqualTo(1);
        assertThat(callbacks()).hasSize(1);
    }

    @Test
    default void eachEndOfAMemberIsCountedByItsKind() {
        TestNode node = trial().node();
        BatchView batch = open("import");
        trial().push(in(batch, mail("done")), in(batch, mail("dead")), in(batch, mail("discarded")));
        List<ClaimedJob> jobs = node.take(MAIL, 3);
        node.done(jobs.get(0));
        node.dead(jobs.get(1), false);
        node.settle(jobs.get(2), new AttemptOutcome.Cancelled("not needed"));
        JobId cancelled = trial().push(in(batch, mail("cancelled")));
        trial().cancel(cancelled);
        trial().push(in(batch, mail("expired").expires(trial().in(Duration.ofMinutes(1)))));
        trial().pass(Duration.ofMinutes(2));
        node.beat();
        trial().upkeep();
        assertThat(finish()).isZero();
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(5, 1, 1, 3));
        trial().push(mail("of no batch"));
        node.done(node.takeOne(MAIL));
        close(batch);
        assertThat(finish()).isEqualTo(1);
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(5, 1, 1, 3));
    }

    @Test
    default void endsThatAreReportedTogetherAndByTurnsAreAllCounted() {
        TestNode node = trial().node();
        BatchView batch = open("import");
        trial().pushAll(IntStream.range(0, 40).mapToObj(n -> in(batch, mail("m" + n))).toList());
        close(batch);
        List<ClaimedJob> jobs = node.take(MAIL, 40);
        List<CompletableFuture<Void>> settling = IntStream.range(0, 4)
                .mapToObj(part -> CompletableFuture.runAsync(() -> jobs.subList(part * 10, part * 10 + 10)
                        .forEach(job -> assertThat(node.done(job)).isNotNull())))
                .toList();
        int callbacks = 0;
        while (!settling.stream().allMatch(CompletableFuture::isDone)) {
            callbacks += finish();
        }
        settling.forEach(CompletableFuture::join);
        callbacks += finish();
        assertThat(callbacks).isEqualTo(1);
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(40, 40, 0, 0));
        assertThat(callbacks()).hasSize(1);
    }

    @Test
    default void roundsOfSeveralNodesPushOneCallback() {
        BatchView batch = open("import");
        close(batch);
        List<CompletableFuture<Integer>> rounds = IntStream.range(0, 8)
                .mapToObj(_ -> CompletableFuture.supplyAsync(this::finish)).toList();
        int callbacks = rounds.stream().mapToInt(CompletableFuture::join).sum();
        assertThat(callbacks + finish()).isEqualTo(1);
        assertThat(callbacks()).as("of a batch without members").hasSize(1);
    }

    @Test
    default void aBatchThatWaitsForItsDeadLettersGoesOnWhenTheyAreRedrivenOrDeleted() {
        TestNode node = trial().node();
        BatchView batch = open("import", WhenDead.WAIT);
        trial().push(in(batch, mail("a")), in(batch, mail("b")));
        close(batch);
        List<ClaimedJob> jobs = node.take(MAIL, 2);
        jobs.forEach(job -> node.dead(job, false));
        assertThat(finish()).isZero();
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(2, 0, 2, 0));
        assertThat(batches().members(batch.number(), JobState.DEAD, null, 10)).extracting(JobView::id)
                .containsExactly(jobs.get(0).id(), jobs.get(1).id());
        trial().redrive(MAIL, jobs.get(0).id());
        assertThat(finish()).isZero();
        assertThat(view(batch).counts()).as("a redrive is taken off").isEqualTo(new BatchCounts(2, 0, 1, 0));
        trial().cancel(jobs.get(1).id());
        assertThat(finish()).isZero();
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(2, 0, 0, 1));
        node.done(node.takeOne(MAIL));
        assertThat(finish()).isEqualTo(1);
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(2, 1, 0, 1));
    }

    @Test
    default void aFinishedBatchNeverReopens() {
        TestNode node = trial().node();
        BatchView batch = open("import");
        trial().push(in(batch, mail("a")));
        ClaimedJob dead = node.takeOne(MAIL);
        node.dead(dead, false);
        close(batch);
        assertThat(finish()).isEqualTo(1);
        BatchView finished = view(batch);
        trial().redrive(MAIL, dead.id());
        node.done(node.takeOne(MAIL));
        assertThat(finish()).isZero();
        assertThat(view(batch)).as("counts stay").isEqualTo(finished);
        assertThat(opening("import", WhenDead.FINISH, JobDraft.to(REPORTS, null, "all of import")))
                .isEqualTo(new BatchStore.Opening(finished, false));
        assertThat(batches().close(batch.number(), trial().now())).contains(finished);
        assertThat(batches().cancel(batch.number(), trial().now())).contains(finished);
        assertRefused(in(batch, mail("late")), "Batch import", "finished", "another name");
        assertThat(callbacks()).hasSize(1);
    }

    @Test
    default void aClosedBatchTakesMembersOfItsRunningMembersOnly() {
        TestNode node = trial().node();
        BatchView batch = open("import");
        BatchView other = open("other");
        trial().push(in(batch, mail("a")));
        close(batch);
        assertThat(opening("import", WhenDead.FINISH, JobDraft.to(REPORTS, null, "all of import")).accepted())
                .as("it is not opened again").isFalse();
        assertRefused(in(batch, mail("b")), "Batch import", "closed");
        ClaimedJob running = node.takeOne(MAIL);
        assertThat(trial().answer(in(batch, mail("child"), running.id()))).isInstanceOf(PushResult.Accepted.class);
        trial().push(in(other, mail("of another batch")));
        JobId stranger = trial().push(mail("of no batch"));
        node.done(running);
        assertRefused(in(batch, mail("late"), running.id()), "closed");
        ClaimedJob child = node.takeOne(MAIL);
        ClaimedJob foreign = node.takeOne(MAIL);
        ClaimedJob plain = node.takeOne(MAIL);
        assertThat(plain.id()).isEqualTo(stranger);
        assertRefused(in(batch, mail("x"), foreign.id()), "closed");
        assertRefused(in(batch, mail("x"), plain.id()), "closed");
        assertThat(finish()).isZero();
        node.done(child);
        assertThat(finish()).isEqualTo(1);
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(2, 2, 0, 0));
    }

    @Test
    default void aPushIntoAnUnknownBatchStoresNothing() {
        BatchView batch = open("import");
        BatchView unknown = new BatchSnapshot(new BatchName("unknown"), batch.number() + 7, WhenDead.FINISH, REPORTS,
                null,
                BatchCounts.NONE, trial().now(), null, null, null, null);
        assertRefused(in(unknown, mail("a")), "Batch unknown", "not known");
        assertRefused(in(unknown, order("g", "a")), "not known");
        BatchView wrong = new BatchSnapshot(new BatchName("wrong"), batch.number(), WhenDead.FINISH, REPORTS, null,
                BatchCounts.NONE, trial().now(), null, null, null, null);
        assertRefused(in(wrong, mail("a")), "Batch wrong", "not known");
        assertThat(view(batch).counts()).isEqualTo(BatchCounts.NONE);
    }

    @Test
    default void aPushOfManyIsRefusedAsAWhole() {
        BatchView open = open("open");
        BatchView closed = close(open("closed"));
        assertThatExceptionOfType(PushRefusedException.class)
                .isThrownBy(() -> trial().push(in(open, mail("a").dedupe("d").idempotency("k", "r")),
                        in(open, mail("a").dedupe("d").idempotency("l", "r")), in(closed, mail("b")), mail("c")));
        assertThat(trial().list(MAIL, JobState.WAITING)).isEmpty();
        for (String key : List.of("k", "l")) {
            assertThat(trial().answer(mail(key).idempotency(key, "r"))).as("no key is kept")
                    .isInstanceOf(PushResult.Accepted.class);
        }
        assertThat(trial().answer(mail("a").dedupe("d"))).isInstanceOf(PushResult.Accepted.class);
        finish();
        assertThat(view(open).counts()).isEqualTo(BatchCounts.NONE);
    }

    @Test
    default void aPushThatAnEarlierJobAnswersMakesItNoMember() {
        TestNode node = trial().node();
        BatchView batch = open("import");
        JobId first = trial().push(mail("a").unique("k"));
        assertThat(trial().answer(in(batch, mail("a").unique("k")))).isEqualTo(new PushResult.Duplicate(first));
        JobId deduped = trial().push(in(batch, mail("b").dedupe("d")));
        assertThat(trial().answer(in(batch, mail("b").dedupe("d")))).isEqualTo(new PushResult.Duplicate(deduped));
        finish();
        assertThat(view(batch).counts().pushed()).isEqualTo(1);
        close(batch);
        assertThat(trial().answer(in(batch, mail("b").dedupe("d")))).as("also after the close")
                .isEqualTo(new PushResult.Duplicate(deduped));
        List<PushResult> together = trial().pushAll(List.of(mail("c").dedupe("e").idempotency("k", "r"),
                in(batch, mail("c").dedupe("e").idempotency("l", "r")), in(batch, mail("d").idempotency("l", "r"))));
        assertThat(together.getFirst()).isInstanceOf(PushResult.Accepted.class);
        assertThat(together.subList(1, 3)).as("also beside its answer")
                .containsOnly(new PushResult.Duplicate(together.getFirst().id()));
        assertThat(finish()).isZero();
        node.done(node.take(MAIL, 10));
        assertThat(finish()).isEqualTo(1);
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(1, 1, 0, 0));
    }

    @Test
    default void aCancelledBatchTakesNoMembersAndCallsBackWhenAllHaveEnded() {
        TestNode node = trial().node();
        BatchView batch = open("import");
        trial().push(in(batch, mail("a")), in(batch, mail("b")),
                in(batch, mail("c").at(trial().in(Duration.ofHours(1)))));
        ClaimedJob running = node.takeOne(MAIL);
        BatchView cancelled = batches().cancel(batch.number(), trial().now()).orElseThrow();
        assertThat(cancelled.state()).isEqualTo(BatchView.State.CANCELLED);
        assertThat(cancelled.closedAt()).isNotNull();
        assertRefused(in(batch, mail("x")), "Batch import", "cancelled");
        assertRefused(in(batch, mail("x"), running.id()), "cancelled");
        assertThat(batches().finish(trial().now()).cancelling()).extracting(BatchView::name)
                .containsExactly(batch.name());
        for (JobState state : List.of(JobState.WAITING, JobState.DELAYED, JobState.RUNNING)) {
            List<JobView> members = batches().members(batch.number(), state, null, 10);
            assertThat(members).as("members that are " + state).hasSize(1);
            assertThat(batches().members(batch.number(), state, members.getFirst().id(), 10)).isEmpty();
            trial().cancel(members.getFirst().id());
        }
        assertThat(finish()).isZero();
        node.giveBack(running);
        BatchStore.Finished round = batches().finish(trial().now());
        assertThat(round.callbacks()).containsExactly(REPORTS);
        assertThat(round.cancelling()).isEmpty();
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(3, 0, 0, 3));
    }

    @Test
    default void aCancelledBatchDoesNotWaitForItsDeadLetters() {
        TestNode node = trial().node();
        BatchView batch = open("import", WhenDead.WAIT);
        trial().push(in(batch, mail("dead")), in(batch, mail("redriven")), in(batch, mail("waits")));
        List<ClaimedJob> jobs = node.take(MAIL, 2);
        jobs.forEach(job -> node.dead(job, false));
        batches().cancel(batch.number(), trial().now());
        trial().redrive(MAIL, jobs.get(1).id());
        assertThat(finish()).as("with two that wait").isZero();
        List<JobView> waiting = batches().members(batch.number(), JobState.WAITING, null, 10);
        assertThat(waiting).as("a redriven member waits to be cancelled").hasSize(2);
        waiting.forEach(member -> trial().cancel(member.id()));
        assertThat(finish()).isEqualTo(1);
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(3, 0, 1, 2));
    }

    @Test
    default void theCallbackOfAFifoQueueComesIntoItsGroup() {
        TestNode node = trial().node();
        assertThat(opening("import", WhenDead.FINISH, order("g", "summary")).accepted()).isTrue();
        BatchView batch = batches().find(new BatchName("import")).orElseThrow();
        trial().push(order("g", "before"));
        close(batch);
        assertThat(finish()).isEqualTo(1);
        assertThat(node.drain(ORDERS)).containsExactly("before", "summary");
    }

    @Test
    default void aBatchSurvivesTheDeathOfTheProcessBetweenTheLastEndAndTheCallback() {
        TestNode node = trial().node();
        BatchView batch = open("import");
        trial().push(in(batch, mail("a")), in(batch, mail("b")));
        close(batch);
        List<ClaimedJob> jobs = node.take(MAIL, 2);
        node.done(jobs.getFirst());
        trial().crashAndRecover();
        assertThat(finish()).as("with a member given back").isZero();
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(2, 1, 0, 0));
        TestNode next = trial().node();
        next.done(next.takeOne(MAIL));
        trial().crash();
        assertThat(finish()).isEqualTo(1);
        trial().crash();
        assertThat(finish()).isZero();
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(2, 2, 0, 0));
        assertThat(callbacks()).hasSize(1);
    }

    @Test
    default void aPoisonMemberEndsAsADeadLetterOfItsBatch() {
        BatchView batch = open("import");
        trial().push(in(batch, mail("a")));
        close(batch);
        for (int death = 0; death < 3; death++) {
            assertThat(finish()).isZero();
            TestNode node = trial().node();
            node.takeOne(MAIL);
            trial().dies(node);
        }
        assertThat(finish()).isEqualTo(1);
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(1, 0, 1, 0));
    }

    @Test
    default void prunedMembersStayCountedAndABatchIsKeptAsLongAsItsCallback() {
        TestNode node = trial().node();
        BatchView batch = open("import", WhenDead.WAIT);
        trial().push(in(batch, mail("a")), in(batch, mail("b")));
        List<ClaimedJob> jobs = node.take(MAIL, 2);
        node.done(jobs.getFirst());
        node.dead(jobs.getLast(), false);
        close(batch);
        assertThat(finish()).isZero();
        Retention brief = new Retention(Duration.ofHours(1), 1_000, Duration.ofHours(1));
        trial().pass(Duration.ofHours(2));
        node.beat();
        trial().upkeep(Map.of(), brief, 1_000);
        assertThat(trial().views().find(jobs.getLast().id())).isEmpty();
        assertThat(finish()).as("the dead letter can be redriven no more").isEqualTo(1);
        assertThat(view(batch).counts()).isEqualTo(new BatchCounts(2, 1, 1, 0));
        node.done(node.takeOne(REPORTS));
        trial().upkeep(Map.of(), brief, 1_000);
        assertThat(view(batch).state()).isEqualTo(BatchView.State.FINISHED);
        trial().pass(Duration.ofHours(2));
        trial().upkeep(Map.of(), brief, 1_000);
        trial().upkeep(Map.of(), brief, 1_000);
        assertThat(batches().find(batch.number())).isEmpty();
        BatchView anew = open("import");
        assertThat(anew.number()).isGreaterThan(batch.number());
        assertThat(anew.counts()).isEqualTo(BatchCounts.NONE);
    }

    @Test
    default void membersAreShownWithTheirBatch() {
        BatchView batch = open("import");
        JobId member = trial().push(in(batch, mail("a")));
        assertThat(trial().view(member).terms().batch()).isEqualTo(batch.member());
        TestNode node = trial().node();
        assertThat(node.takeOne(MAIL).terms().batch()).isEqualTo(batch.member());
        assertThat(trial().view(trial().push(mail("b"))).terms().batch()).isNull();
    }
}
