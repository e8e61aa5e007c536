package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The choice of jobs for a claim. */
public interface ClaimPart extends JobPart {
    @Test
    default void aDelayedJobRunsNowAtItsPlace() {
        TestNode node = trial().node();
        JobId first = trial().push(mail("first").at(trial().in(Duration.ofHours(1))));
        trial().push(mail("second"));
        node.retry(node.takeOne(MAIL), Duration.ofHours(2));
        JobId second = trial().list(MAIL, JobState.DELAYED).getLast();
        trial().push(mail("third"));
        assertThat(trial().jobs().runNow(second, trial().now())).isEqualTo(RunNowResult.DUE);
        assertThat(trial().jobs().runNow(first, trial().now())).isEqualTo(RunNowResult.DUE);
        trial().eventually(() -> assertThat(trial().view(first).state()).isEqualTo(JobState.WAITING));
        assertThat(trial().view(second).failures()).isEqualTo(1);
        assertThat(TestNode.bodies(node.take(MAIL, 10))).containsExactly("first", "second", "third");
        assertThat(trial().view(MAIL).delayed()).isZero();
    }

    @Test
    default void aJobThatRunsNowIsNotDelayedAgainByADeathOfTheProcess() {
        JobId id = trial().push(mail("a").at(trial().in(Duration.ofHours(1))));
        trial().jobs().runNow(id, trial().now());
        trial().crash();
        assertThat(trial().node().takeOne(MAIL).id()).isEqualTo(id);
    }

    @Test
    default void aGroupThatWaitsForARetryRunsNowInItsOrder() {
        TestNode node = trial().node();
        List<JobId> ids = trial().push(order("g", "a"), order("g", "b"));
        List<ClaimedJob> run = node.take(ORDERS, 1);
        node.retry(run.getFirst(), Duration.ofHours(1));
        run.subList(1, run.size()).forEach(node::giveBack);
        assertThat(node.take(ORDERS, 1)).isEmpty();
        assertThat(trial().jobs().runNow(ids.get(1), trial().now())).isEqualTo(RunNowResult.NOT_DELAYED);
        assertThat(node.take(ORDERS, 1)).isEmpty();
        assertThat(trial().jobs().runNow(ids.get(0), trial().now())).isEqualTo(RunNowResult.DUE);
        assertThat(node.take(ORDERS, 1).stream().map(ClaimedJob::id)).isEqualTo(ids);
        assertThat(trial().view(ids.getFirst()).failures()).isEqualTo(1);
    }

    @Test
    default void onlyADelayedJobRunsNow() {
        TestNode node = trial().node();
        List<JobId> ids = trial().push(mail("running"), mail("done"), mail("dead"), mail("waiting"));
        List<ClaimedJob> jobs = node.take(MAIL, 3);
        node.done(jobs.get(1));
        node.dead(jobs.get(2), false);
        assertThat(ids).allSatisfy(id -> assertThat(trial().jobs().runNow(id, trial().now()))
                .isEqualTo(RunNowResult.NOT_DELAYED));
        assertThat(trial().jobs().runNow(JobId.of(12_345L << 20, 99), trial().now())).isEqualTo(RunNowResult.UNKNOWN);
        trial().eventually(() -> assertThat(trial().view(ids.get(2)).state()).isEqualTo(JobState.DEAD));
    }

    @Test
    default void aClaimedJobHasEverythingThatAHandlerNeeds() {
        JobId id = trial().push(order("g", "body").from(new UserId("ann"), Map.of("p", "v")));
        ClaimedJob job = trial().node().takeOne(ORDERS);
        assertThat(job.id()).isEqualTo(id);
        assertThat(job.queue()).isEqualTo(ORDERS);
        assertThat(job.group()).isEqualTo("g");
        assertThat(job.attempt().number()).isEqualTo(1);
        assertThat(job.failures()).isZero();
        assertThat(job.user()).isEqualTo(new UserId("ann"));
        assertThat(job.params()).isEqualTo(Map.of("p", "v"));
    }

    @Test
    default void aJobOfAStandardQueueHasNoGroup() {
        trial().push(mail("a"));
        assertThat(trial().node().takeOne(MAIL).group()).isNull();
    }

    @Test
    default void aJobGoesToOneNodeOnly() {
        TestNode one = trial().node();
        TestNode other = trial().node();
        trial().push(mail("a"), mail("b"), order("g", "c"));
        assertThat(one.take(MAIL, 10)).hasSize(2);
        assertThat(one.take(ORDERS, 10)).hasSize(1);
        trial().pass(Duration.ofHours(1));
        assertThat(other.take(MAIL, 10)).isEmpty();
        assertThat(other.take(ORDERS, 10)).isEmpty();
        assertThat(one.take(MAIL, 10)).isEmpty();
    }

    @Test
    default void concurrentClaimersGetEachJobExactlyOnce() throws InterruptedException, ExecutionException {
        int jobs = 600;
        trial().pushAll(
                IntStream.range(0, jobs).mapToObj(n -> n % 2 == 0 ? mail("m" + n) : order("g" + n % 40, "f" + n))
                        .toList());
        List<TestNode> nodes = IntStream.range(0, 8).mapToObj(n -> trial().node()).toList();
        List<String> handedOut = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<List<String>>> work = nodes.stream().<Callable<List<String>>>map(node -> () -> {
                List<String> bodies = new ArrayList<>(node.drain(MAIL));
                bodies.addAll(node.drain(ORDERS));
                return bodies;
            }).toList();
            for (Future<List<String>> one : threads.invokeAll(work)) {
                handedOut.addAll(one.get());
            }
        }
        // A group may have been with another node when a thread found nothing more.
        handedOut.addAll(nodes.getFirst().drain(ORDERS));
        assertThat(handedOut).doesNotHaveDuplicates().hasSize(jobs);
    }

    @Test
    default void aClaimTakesNoMoreThanItsLimit() {
        TestNode node = trial().node();
        trial().push(mail("a"), mail("b"), mail("c"));
        assertThat(TestNode.bodies(node.take(MAIL, 2))).containsExactly("a", "b");
        assertThat(TestNode.bodies(node.take(MAIL, 2))).containsExactly("c");
    }

    @Test
    default void aClaimServesEveryQueueOfItsRequest() {
        QueueName other = new QueueName("other");
        trial().push(mail("a"), mail("b"), JobDraft.to(other, null, "c"), order("g", "d"), order("g", "e"),
                order("h", "f"));
        List<ClaimedJob> jobs = trial().node()
                .claim(List.of(new Demand(other, 1), new Demand(MAIL, 1), new Demand(ORDERS, 1)))
                .jobs();
        assertThat(TestNode.bodies(jobs)).containsExactlyInAnyOrder("a", "c", "d", "e");
    }

    @Test
    default void aQueueOutsideTheRequestGivesNothing() {
        trial().push(mail("a"));
        assertThat(trial().node().take(new QueueName("mail2"), 5)).isEmpty();
        assertThat(trial().node().take(ORDERS, 5)).isEmpty();
    }

    @Test
    default void aNodeWithoutAHeartbeatGetsNothing() {
        trial().push(mail("a"));
        TestNode silent = new TestNode(trial(), new NodeId("silent"));
        assertThat(silent.take(MAIL, 1)).isEmpty();
        silent.beat();
        assertThat(silent.take(MAIL, 1)).hasSize(1);
    }

    @Test
    default void aDelayedJobRunsAtItsTimeAndNotBefore() {
        TestNode node = trial().node();
        trial().push(mail("later").at(trial().in(Duration.ofSeconds(10))), mail("now"));
        assertThat(TestNode.bodies(node.take(MAIL, 5))).containsExactly("now");
        trial().pass(Duration.ofMillis(9_999));
        assertThat(node.take(MAIL, 5)).isEmpty();
        trial().pass(Duration.ofMillis(1));
        assertThat(TestNode.bodies(node.take(MAIL, 5))).containsExactly("later");
    }

    @Test
    default void aDelaySurvivesTheDeathOfTheProcess() {
        trial().push(mail("later").at(trial().in(Duration.ofSeconds(10))));
        trial().crash();
        assertThat(trial().node().take(MAIL, 5)).isEmpty();
        trial().pass(Duration.ofSeconds(10));
        assertThat(TestNode.bodies(trial().node().take(MAIL, 5))).containsExactly("later");
    }

    @Test
    default void aDelayThatHasPassedAtThePushHasNoEffect() {
        trial().push(mail("a").at(trial().now().minusSeconds(5)), mail("b").at(trial().now()));
        assertThat(trial().node().drain(MAIL)).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    default void aClaimReportsWhenTheNextDelayedJobIsDueAndIsNeverLate() {
        TestNode node = trial().node();
        assertThat(node.claim(MAIL, 1).nextDue()).isNull();
        Instant first = trial().in(Duration.ofSeconds(10));
        trial().push(mail("b").at(first.plusSeconds(50)), mail("a").at(first));
        ClaimedJobs claims = node.claim(MAIL, 1);
        assertThat(claims.jobs()).isEmpty();
        assertThat(claims.nextDue()).isNotNull().isBeforeOrEqualTo(first);
    }

    @Test
    default void aClaimReportsWhenARetryIsDue() {
        TestNode node = trial().node();
        trial().push(order("g", "a"));
        node.retry(node.takeOne(ORDERS), Duration.ofSeconds(7));
        assertThat(node.claim(ORDERS, 1).nextDue()).isNotNull().isBeforeOrEqualTo(trial().in(Duration.ofSeconds(7)));
    }

    @Test
    default void jobsOfOnePriorityRunInPushOrder() {
        trial().pushAll(IntStream.range(0, 100).mapToObj(n -> mail("m" + n)).toList());
        assertThat(trial().node().drain(MAIL)).isEqualTo(IntStream.range(0, 100).mapToObj(n -> "m" + n).toList());
    }

    @Test
    default void whileJobsOfAllPrioritiesWaitEachPriorityGetsItsShare() {
        for (Priority priority : Priority.values()) {
            trial().pushAll(IntStream.range(0, 200).mapToObj(n -> mail(priority.name()).priority(priority)).toList());
        }
        Map<Priority, Integer> taken = new EnumMap<>(Priority.class);
        TestNode node = trial().node();
        for (int claims = 0; claims < 32; claims++) {
            node.take(MAIL, 5).forEach(job -> taken.merge(Priority.valueOf(job.payload().asText()), 1, Integer::sum));
        }
        assertThat(taken).isEqualTo(
                Map.of(Priority.URGENT, 80, Priority.HIGH, 40, Priority.NORMAL, 30, Priority.LOW, 10));
    }

    @Test
    default void aPriorityWithoutAWaitingJobPassesItsTurnOn() {
        trial().pushAll(IntStream.range(0, 20).mapToObj(n -> mail("low").priority(Priority.LOW)).toList());
        assertThat(trial().node().take(MAIL, 20)).hasSize(20);
    }

    @Test
    default void anUrgentJobDoesNotWaitForTheBacklogOfOtherPriorities() {
        trial().pushAll(IntStream.range(0, 500).mapToObj(n -> mail("low").priority(Priority.LOW)).toList());
        trial().push(mail("urgent").priority(Priority.URGENT));
        assertThat(TestNode.bodies(trial().node().take(MAIL, 16))).contains("urgent");
    }

    @Test
    default void aPausedQueueHandsOutNothingUntilItIsResumed() {
        TestNode node = trial().node();
        trial().push(mail("a"), order("g", "b"));
        trial().jobs().pause(MAIL, true);
        trial().jobs().pause(ORDERS, true);
        trial().push(mail("c"));
        assertThat(node.take(MAIL, 5)).isEmpty();
        assertThat(node.take(ORDERS, 5)).isEmpty();
        trial().jobs().pause(MAIL, false);
        trial().jobs().pause(ORDERS, false);
        assertThat(TestNode.bodies(node.take(MAIL, 5))).containsExactly("a", "c");
        assertThat(TestNode.bodies(node.take(ORDERS, 5))).containsExactly("b");
    }

    @Test
    default void aPauseSurvivesTheDeathOfTheProcess() {
        trial().push(mail("a"));
        trial().jobs().pause(MAIL, true);
        trial().crash();
        assertThat(trial().node().take(MAIL, 5)).isEmpty();
        trial().jobs().pause(MAIL, false);
        trial().crash();
        assertThat(trial().node().take(MAIL, 5)).hasSize(1);
    }

    @Test
    default void aPausedQueueDelaysNoOtherQueue() {
        QueueName other = new QueueName("other");
        trial().push(mail("a"), JobDraft.to(other, null, "b"));
        trial().jobs().pause(MAIL, true);
        assertThat(TestNode.bodies(trial().node().claim(List.of(new Demand(MAIL, 5), new Demand(other, 5))).jobs()))
                .containsExactly("b");
    }

    @Test
    default void aRunningJobOfAPausedQueueCanBeSettled() {
        TestNode node = trial().node();
        trial().push(mail("a"), mail("b"));
        List<ClaimedJob> jobs = node.take(MAIL, 2);
        trial().jobs().pause(MAIL, true);
        node.done(jobs.get(0));
        node.giveBack(jobs.get(1));
        assertThat(node.take(MAIL, 5)).isEmpty();
        trial().jobs().pause(MAIL, false);
        assertThat(TestNode.bodies(node.take(MAIL, 5))).containsExactly("b");
    }

    private static String body(int bytes, int number) {
        return Character.toString('a' + number).repeat(bytes);
    }

    private static long sizeOf(List<ClaimedJob> jobs) {
        return jobs.stream().mapToLong(job -> job.payload().size()).sum();
    }

    @Test
    default void aClaimHandsOutNoMorePayloadThanItsLimit() {
        List<JobId> pushed = trial().push(IntStream.range(0, 10).mapToObj(n -> mail(body(1_000, n)))
                .toArray(JobDraft[]::new));
        TestNode node = trial().node();
        List<JobId> taken = new ArrayList<>();
        for (int claims = 0; claims < 4; claims++) {
            List<ClaimedJob> jobs = node.take(MAIL, 10, 3_500);
            assertThat(sizeOf(jobs)).isLessThanOrEqualTo(3_500);
            jobs.forEach(job -> taken.add(job.id()));
        }
        assertThat(taken).containsExactlyInAnyOrderElementsOf(pushed);
    }

    @Test
    default void jobsOfAllPrioritiesShareTheLimit() {
        trial().push(mail(body(1_000, 0)).priority(Priority.URGENT), mail(body(1_000, 1)).priority(Priority.LOW),
                mail(body(1_000, 2)));
        assertThat(trial().node().take(MAIL, 10, 2_999)).hasSize(2);
    }

    @Test
    default void aJobLargerThanTheLimitIsHandedOutAlone() {
        trial().push(mail(body(5_000, 0)), mail(body(10, 1)));
        trial().push(order("g", body(5_000, 0)), order("g", body(10, 1)), order("h", body(10, 2)));
        TestNode node = trial().node();
        assertThat(TestNode.bodies(node.take(MAIL, 10, 100))).containsExactly(body(5_000, 0));
        assertThat(TestNode.bodies(node.take(MAIL, 10, 100))).containsExactly(body(10, 1));
        assertThat(TestNode.bodies(node.take(ORDERS, 10, 100))).containsExactly(body(5_000, 0));
    }

    @Test
    default void allQueuesOfAClaimShareTheLimit() {
        trial().push(mail(body(1_000, 0)), order("g", body(1_000, 1)));
        TestNode node = trial().node();
        assertThat(trial().jobs().claim(new ClaimRequest(node.id(), List.of(new Demand(MAIL, 1), new Demand(ORDERS, 1)),
                1_999), trial().now()).jobs()).hasSize(1);
    }

    @Test
    default void groupsThatDidNotFitAreHandedOutLaterInOrder() {
        List<JobDraft> drafts = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            for (String group : List.of("g", "h", "i")) {
                drafts.add(order(group, body(1_000, n)));
            }
        }
        trial().pushAll(drafts);
        TestNode node = trial().node();
        List<String> firsts = new ArrayList<>();
        for (int handedOut = 0; handedOut < drafts.size();) {
            List<ClaimedJob> jobs = node.take(ORDERS, 10, 2_500);
            assertThat(jobs).isNotEmpty();
            assertThat(sizeOf(jobs)).isLessThanOrEqualTo(2_500);
            jobs.forEach(job -> firsts.add(job.group() + job.payload().asText().charAt(0)));
            node.done(jobs);
            handedOut += jobs.size();
        }
        for (String group : List.of("g", "h", "i")) {
            assertThat(firsts.stream().filter(first -> first.startsWith(group))).containsExactly(group + "a",
                    group + "b", group + "c", group + "d");
        }
    }
}
