package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobSnapshot;
import dev.orderly.job.store.QueueSnapshot;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The views of jobs and queues. Views may lag, so these tests wait for the expected state. */
interface ViewsPart extends JobPart {
    @Test
    default void aViewShowsTheJobAsItWasPushed() {
        JobId id = trial().push(mail("a").priority(Priority.HIGH).from(new UserId("ann"), Map.of("p", "v")));
        trial().eventually(() -> assertThat(trial().view(id)).isEqualTo(
                new JobSnapshot(id, MAIL, null, Priority.HIGH, JobState.WAITING, 0, 0, null, null, new UserId("ann"),
                        Map.of("p", "v"),
                        Payload.text("a"), null, null, null, null, null, null, null, null)));
    }

    @Test
    default void aViewShowsTheOriginOfAJob() {
        TestNode node = trial().node();
        JobId origin = trial().push(mail("a"));
        node.dead(node.takeOne(MAIL), false);
        List<JobId> again = trial().push(mail("b").comingFrom(origin),
                mail("c").comingFrom(origin).idempotency("key", "request"), mail("d"),
                order("g", "e").comingFrom(origin), mail("f").comingFrom(origin).claimer(node));
        trial().eventually(() -> assertThat(again.stream().map(id -> trial().view(id).origin()))
                .containsExactly(origin, origin, null, origin, origin));
        node.drain(MAIL);
        trial().crash();
        trial().eventually(() -> assertThat(trial().view(again.getFirst()).state()).isEqualTo(JobState.DONE));
        assertThat(trial().view(again.getFirst()).origin()).isEqualTo(origin);
    }

    @Test
    default void aViewShowsTheTraceOfAJobAlsoAfterItsEnd() {
        TestNode node = trial().node();
        TraceContext trace = new TraceContext("00-" + "1".repeat(32) + "-" + "2".repeat(16) + "-01", null);
        JobId id = trial().push(mail("a").traced(trace));
        JobId grouped = trial().push(order("g", "b").traced(trace));
        trial().eventually(() -> assertThat(trial().view(id).trace()).isEqualTo(trace));
        node.drain(MAIL);
        node.drain(ORDERS);
        trial().eventually(() -> assertThat(trial().view(grouped).state()).isEqualTo(JobState.DONE));
        assertThat(trial().view(id).trace()).isEqualTo(trace);
        assertThat(trial().view(grouped).trace()).isEqualTo(trace);
    }

    @Test
    default void aViewFollowsTheJobThroughItsStates() {
        TestNode node = trial().node();
        Instant due = trial().in(Duration.ofSeconds(5));
        JobId id = trial().push(mail("a").at(due));
        trial().eventually(() -> assertThat(trial().view(id).dueAt()).isEqualTo(due));
        assertThat(trial().view(id).state()).isEqualTo(JobState.DELAYED);
        trial().pass(Duration.ofSeconds(5));
        ClaimedJob job = node.takeOne(MAIL);
        trial().eventually(() -> {
            assertThat(trial().view(id).state()).isEqualTo(JobState.RUNNING);
            assertThat(trial().view(id).attempt()).isEqualTo(1);
            assertThat(trial().view(id).dueAt()).isNull();
        });
        node.giveBack(job);
        trial().eventually(() -> assertThat(trial().view(id).state()).isEqualTo(JobState.WAITING));
        node.done(node.takeOne(MAIL));
        trial().eventually(() -> {
            assertThat(trial().view(id).state()).isEqualTo(JobState.DONE);
            assertThat(trial().view(id).attempt()).isEqualTo(2);
            assertThat(trial().view(id).endedAt()).isEqualTo(trial().now());
        });
    }

    @Test
    default void aJobBehindOthersOfItsGroupIsWaiting() {
        List<JobId> ids = trial().push(order("g", "a"), order("g", "b"));
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.retry(run.getFirst(), Duration.ofMinutes(1));
        run.subList(1, run.size()).forEach(node::giveBack);
        trial().eventually(() -> {
            assertThat(trial().view(ids.get(0)).state()).isEqualTo(JobState.DELAYED);
            assertThat(trial().view(ids.get(1)).state()).isEqualTo(JobState.WAITING);
            assertThat(trial().view(ids.get(1)).group()).isEqualTo("g");
        });
    }

    @Test
    default void aJobThatWasNeverPushedIsNotFound() {
        assertThat(trial().views().find(JobId.of(12_345L << 20, 99))).isEmpty();
    }

    @Test
    default void aListHoldsTheJobsOfOneQueueInOneState() {
        TestNode node = trial().node();
        List<JobId> ids = trial().push(mail("done"), mail("dead"), mail("running"), mail("cancelled"));
        List<ClaimedJob> jobs = node.take(MAIL, 3);
        node.done(jobs.get(0));
        node.dead(jobs.get(1), false);
        trial().cancel(ids.get(3));
        JobId waiting = trial().push(mail("waiting"));
        JobId delayed = trial().push(mail("delayed").at(trial().in(Duration.ofHours(1))));
        trial().push(JobDraft.to(new QueueName("other"), null, "x"));
        trial().eventually(() -> {
            assertThat(trial().list(MAIL, JobState.DONE)).containsExactly(ids.get(0));
            assertThat(trial().list(MAIL, JobState.DEAD)).containsExactly(ids.get(1));
            assertThat(trial().list(MAIL, JobState.RUNNING)).containsExactly(ids.get(2));
            assertThat(trial().list(MAIL, JobState.CANCELLED)).containsExactly(ids.get(3));
            assertThat(trial().list(MAIL, JobState.WAITING)).containsExactly(waiting);
            assertThat(trial().list(MAIL, JobState.DELAYED)).containsExactly(delayed);
            assertThat(trial().list(new QueueName("nothing"), JobState.WAITING)).isEmpty();
        });
    }

    @Test
    default void waitingJobsAreListedOldestFirstInPages() {
        List<JobId> ids = trial().pushAll(IntStream.range(0, 25).mapToObj(n -> mail("m" + n)).toList()).stream()
                .map(result -> result.id()).toList();
        trial().eventually(() -> assertThat(pages(MAIL, JobState.WAITING, 10)).isEqualTo(
                List.of(ids.subList(0, 10), ids.subList(10, 20), ids.subList(20, 25))));
    }

    @Test
    default void doneAndCancelledJobsAreListedNewestFirstInPages() {
        TestNode node = trial().node();
        List<JobId> done = trial().push(mail("a"), mail("b"), mail("c"), mail("d"), mail("e"));
        node.drain(MAIL);
        List<JobId> cancelled = trial().push(mail("f"), mail("g"), mail("h"));
        cancelled.forEach(trial()::cancel);
        trial().eventually(() -> {
            assertThat(pages(MAIL, JobState.DONE, 2)).isEqualTo(List.of(List.of(done.get(4), done.get(3)),
                    List.of(done.get(2), done.get(1)), List.of(done.get(0))));
            assertThat(pages(MAIL, JobState.CANCELLED, 2))
                    .isEqualTo(List.of(List.of(cancelled.get(2), cancelled.get(1)), List.of(cancelled.get(0))));
        });
    }

    @Test
    default void aPageMayStartAfterAJobThatIsNoLongerInTheState() {
        List<JobId> ids = trial().push(mail("a"), mail("b"), mail("c"));
        trial().cancel(ids.get(1));
        trial().eventually(() -> assertThat(
                trial().views().list(MAIL, JobState.WAITING, ids.get(1), 10).stream().map(JobView::id))
                .containsExactly(ids.get(2)));
    }

    @Test
    default void earlierJobsAndJobsOfHigherPriorityAreAheadOfAWaitingJob() {
        JobId low = trial().push(mail("low").priority(Priority.LOW));
        List<JobId> normal = trial().push(mail("a"), mail("b"), mail("c"));
        JobId urgent = trial().push(mail("urgent").priority(Priority.URGENT));
        trial().push(JobDraft.to(new QueueName("other"), null, "x"), mail("later").at(trial().in(Duration.ofHours(1))));
        trial().eventually(() -> {
            assertThat(trial().views().ahead(urgent, 100)).isZero();
            assertThat(normal.stream().map(id -> trial().views().ahead(id, 100))).containsExactly(1, 2, 3);
            assertThat(trial().views().ahead(low, 100)).isEqualTo(4);
        });
    }

    @Test
    default void runningAndDelayedJobsAreNotAheadOnAStandardQueue() {
        List<JobId> ids = trial().push(mail("a"), mail("b").at(trial().in(Duration.ofSeconds(5))), mail("c"),
                mail("d"));
        TestNode node = trial().node();
        node.take(MAIL, 1);
        trial().eventually(() -> assertThat(trial().views().ahead(ids.get(3), 100)).isEqualTo(1));
        trial().pass(Duration.ofSeconds(5));
        node.take(MAIL, 1);
        trial().eventually(() -> assertThat(trial().views().ahead(ids.get(3), 100)).as("one of two").isEqualTo(1));
    }

    @Test
    default void allUnsettledJobsOfItsGroupAreAheadOnAFifoQueue() {
        List<JobId> ids = trial().push(order("g", "a"), order("h", "x"), order("g", "b"), order("g", "c"));
        trial().eventually(() -> assertThat(trial().views().ahead(ids.get(3), 100)).isEqualTo(2));
        assertThat(trial().views().ahead(ids.get(1), 100)).isZero();
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 2).stream().filter(job -> "g".equals(job.group())).toList();
        run.subList(1, run.size()).forEach(node::giveBack);
        trial().eventually(() -> assertThat(trial().views().ahead(ids.get(3), 100)).as("one runs").isEqualTo(2));
        node.retry(run.getFirst(), Duration.ofMinutes(1));
        trial().eventually(() -> assertThat(trial().views().ahead(ids.get(3), 100)).as("delayed").isEqualTo(2));
        trial().cancel(ids.getFirst());
        trial().eventually(() -> assertThat(trial().views().ahead(ids.get(3), 100)).isEqualTo(1));
    }

    @Test
    default void aJobOfAGroupWaitsForTheFirstUnsettledJobOrTheDeadLetterThatHaltsTheGroup() {
        List<JobId> ids = trial().push(order("g", "a"), order("h", "x"), order("g", "b"), order("g", "c"));
        JobId plain = trial().push(mail("m"));
        trial().eventually(
                () -> assertThat(trial().views().blocker(ids.get(3))).as("the first waits").hasValue(ids.get(0)));
        assertThat(trial().views().blocker(ids.get(0))).as("it is the first itself").isEmpty();
        assertThat(trial().views().blocker(ids.get(1))).as("another group").isEmpty();
        assertThat(trial().views().blocker(plain)).as("no group").isEmpty();
        assertThat(trial().views().blocker(JobId.of(12_345L << 20, 99))).as("not kept").isEmpty();
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 2).stream().filter(job -> "g".equals(job.group())).toList();
        run.subList(1, run.size()).forEach(node::giveBack);
        trial().eventually(
                () -> assertThat(trial().views().blocker(ids.get(3))).as("the first runs").hasValue(ids.get(0)));
        assertThat(trial().views().blocker(ids.get(0))).as("it runs").isEmpty();
        node.done(run.getFirst());
        trial().eventually(() -> assertThat(trial().views().blocker(ids.get(3))).hasValue(ids.get(2)));
        List<ClaimedJob> rest = node.take(ORDERS, 1);
        node.dead(rest.getFirst(), true);
        rest.subList(1, rest.size()).forEach(node::giveBack);
        trial().eventually(
                () -> assertThat(trial().views().blocker(ids.get(3))).as("halted").hasValue(ids.get(2)));
        trial().cancel(ids.get(2));
        trial().eventually(() -> assertThat(trial().views().blocker(ids.get(3))).isEmpty());
    }

    @Test
    default void theCountOfJobsAheadEndsAtTheLimit() {
        List<JobId> ids = trial().pushAll(IntStream.range(0, 40).mapToObj(n -> mail("m" + n)).toList()).stream()
                .map(result -> result.id()).toList();
        trial().node().take(MAIL, 20);
        trial().eventually(() -> {
            assertThat(trial().views().ahead(ids.get(39), 10)).isEqualTo(10);
            assertThat(trial().views().ahead(ids.get(39), 100)).isEqualTo(19);
            assertThat(trial().views().ahead(ids.get(25), 10)).isEqualTo(5);
        });
    }

    @Test
    default void noJobIsAheadOfAJobThatDoesNotWait() {
        List<JobId> ids = trial().push(mail("a"), mail("b"), mail("c").at(trial().in(Duration.ofHours(1))));
        TestNode node = trial().node();
        node.done(node.takeOne(MAIL));
        trial().push(mail("d"));
        trial().eventually(() -> assertThat(trial().views().ahead(ids.get(0), 10)).isZero());
        assertThat(trial().views().ahead(ids.get(2), 10)).isZero();
        assertThat(trial().views().ahead(JobId.of(12_345L << 20, 99), 10)).isZero();
    }

    @Test
    default void queuesAreCountedByState() {
        TestNode node = trial().node();
        List<JobId> ids = trial().push(mail("done"), mail("dead"), mail("running"), mail("cancelled"));
        List<ClaimedJob> jobs = node.take(MAIL, 3);
        node.done(jobs.get(0));
        node.dead(jobs.get(1), false);
        trial().cancel(ids.get(3));
        trial().pass(Duration.ofSeconds(3));
        JobId oldest = trial().push(mail("waiting"));
        trial().pass(Duration.ofSeconds(3));
        trial().push(mail("waiting"), mail("delayed").at(trial().in(Duration.ofHours(1))));
        trial().eventually(() -> assertThat(trial().view(MAIL))
                .isEqualTo(new QueueSnapshot(MAIL, false, 2, 1, 1, 0, 1, 2, 0, oldest.pushedAt())));
    }

    @Test
    default void aFifoQueueCountsHeadsThatWaitForTheirRetryAsDelayed() {
        TestNode node = trial().node();
        trial().push(order("g", "a"), order("h", "c"), order("h", "d"), order("g", "b"));
        List<ClaimedJob> jobs = node.take(ORDERS, 2);
        List<ClaimedJob> ofG = jobs.stream().filter(job -> "g".equals(job.group())).toList();
        node.retry(ofG.getFirst(), Duration.ofMinutes(1));
        node.giveBack(ofG.getLast());
        trial().eventually(() -> assertThat(trial().view(ORDERS))
                .isEqualTo(new QueueSnapshot(ORDERS, false, 1, 1, 2, 0, 0, 0, 0, ofG.getLast().id().pushedAt())));
    }

    @Test
    default void aQueueWithoutWaitingJobsHasNoOldestJob() {
        trial().push(mail("a"), order("g", "b"));
        TestNode node = trial().node();
        node.take(MAIL, 1);
        node.take(ORDERS, 1);
        trial().eventually(() -> assertThat(trial().views().queues()).hasSize(2)
                .allSatisfy(view -> assertThat(view.oldestPushedAt()).isNull()));
    }

    @Test
    default void countsSurviveTheDeathOfTheProcess() {
        TestNode node = trial().node();
        trial().push(mail("a"), mail("b"), mail("c"), mail("d").at(trial().in(Duration.ofHours(9))));
        List<ClaimedJob> jobs = node.take(MAIL, 2);
        node.done(jobs.get(0));
        node.dead(jobs.get(1), false);
        trial().crashAndRecover();
        trial().eventually(() -> {
            QueueView view = trial().view(MAIL);
            assertThat(List.of(view.waiting(), view.delayed(), view.running(), view.dead(), view.done()))
                    .containsExactly(1L, 1L, 0L, 1L, 1L);
        });
    }

    @Test
    default void queuesAreListedByNameIncludingPausedAndEmptiedOnes() {
        QueueName idle = new QueueName("idle");
        trial().push(order("g", "a"), mail("b"));
        trial().node().drain(MAIL);
        trial().jobs().pause(idle, true);
        trial().pass(Duration.ofDays(2));
        trial().upkeep(Map.of(), new Retention(Duration.ofHours(1), 100, Duration.ofDays(1)), 100);
        trial().eventually(() -> assertThat(trial().views().queues().stream().map(QueueView::queue))
                .containsExactly(idle, MAIL, ORDERS));
        assertThat(trial().view(idle).paused()).isTrue();
        trial().eventually(() -> assertThat(trial().view(MAIL)).isEqualTo(QueueSnapshot.empty(MAIL)));
        trial().crash();
        trial().eventually(() -> assertThat(trial().views().queues().stream().map(QueueView::queue))
                .containsExactly(idle, MAIL, ORDERS));
    }

    @Test
    default void anEmptyStoreListsNothing() {
        assertThat(trial().views().queues()).isEmpty();
        assertThat(trial().views().list(MAIL, JobState.WAITING, null, 10)).isEmpty();
    }

    private List<List<JobId>> pages(QueueName queue, JobState state, int size) {
        List<List<JobId>> pages = new ArrayList<>();
        @Nullable
        JobId after = null;
        while (pages.size() < 100) {
            List<JobId> page = trial().views().list(queue, state, after, size).stream().map(JobView::id).toList();
            if (page.isEmpty()) {
                break;
            }
            pages.add(page);
            after = page.getLast();
        }
        return pages;
    }
}
