package dev.orderly.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.flow.Lifecycle;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.bulk.BulkCount;
import dev.orderly.job.bulk.BulkOperations;
import dev.orderly.job.bulk.BulkRequest;
import dev.orderly.job.bulk.BulkRequest.Action;
import dev.orderly.job.bulk.BulkStatus;
import dev.orderly.job.bulk.BulkStatus.Phase;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.search.ErrorShape;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.resilience.InterceptedStore;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BulkOperationsTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName NEWS = new QueueName("news");
    private static final NodeId NODE = new NodeId("n");
    private static final JobSearch DEAD = JobSearch.ALL.inState(JobState.DEAD);

    private final FaultyStore faulty = new FaultyStore(new MemoryStore());
    private final InterceptedStore store = new InterceptedStore(faulty);
    private final Lifecycle life = new Lifecycle();
    private final JobClient client = new JobClient(store.jobs(), store.jobViews(), EngineOptions.defaults(),
            new Lifecycle());
    private final BulkOperations bulk = new BulkOperations(client, store.jobFinder(), Time.system(), life);
    private final AtomicReference<@Nullable BulkStatus> last = new AtomicReference<>();

    @AfterEach
    void close() {
        life.end();
        store.close();
    }

    private List<JobId> push(QueueName queue, int count) {
        NewJob job = new NewJob(queue, null, Priority.NORMAL, null, Payload.text("x"), Map.of(), null, null, null);
        return store.jobs().push(IntStream.range(0, count).mapToObj(_ -> job).toList(), Time.system().now()).stream()
                .map(result -> result.id()).toList();
    }

    private List<JobId> dead(QueueName queue, int count, String summary) {
        List<JobId> ids = push(queue, count);
        store.jobs().beat(NODE);
        List<Settlement> ends = new ArrayList<>();
        for (ClaimedJob job : store.jobs()
                .claim(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(queue, count))), Time.system().now())
                .jobs()) {
            ends.add(new Settlement(NODE, job.attempt(), new AttemptOutcome.Dead(new JobFailure(summary, ""), false)));
        }
        store.jobs().settle(ends, Time.system().now());
        return ids;
    }

    private BulkStatus run(BulkRequest request) {
        BulkStatus started = bulk.start(request, bulk.count(request), last::set);
        await().atMost(Duration.ofMinutes(1)).until(() -> last.get() != null);
        BulkStatus ended = bulk.find(started.id()).orElseThrow();
        assertThat(ended).isEqualTo(last.getAndSet(null));
        return ended;
    }

    private long count(JobSearch search) {
        return bulk.count(BulkRequest.found(Action.CANCEL, search)).jobs();
    }

    @Test
    void everythingThatASearchFindsIsRedrivenAndNothingElse() {
        dead(MAIL, 2_500, "Timed out");
        dead(MAIL, 3, "Broke");
        dead(NEWS, 5, "Timed out");
        JobSearch timedOut = JobSearch.ALL.deadBy(ErrorShape.of("Timed out").fingerprint());
        BulkStatus mail = run(BulkRequest.found(Action.REDRIVE, timedOut.inQueue(MAIL)));
        assertThat(mail.phase()).isEqualTo(Phase.DONE);
        assertThat(mail.expected()).isEqualTo(new BulkCount(2_500, false));
        assertThat(mail.looked()).isEqualTo(2_500);
        assertThat(mail.changed()).isEqualTo(2_500);
        assertThat(mail.summary()).isEqualTo("done, redriven 2500 of 2500 found");
        assertThat(count(DEAD)).isEqualTo(8);
        assertThat(run(BulkRequest.found(Action.REDRIVE, timedOut)).changed()).isEqualTo(5);
        assertThat(count(DEAD)).isEqualTo(3);
    }

    @Test
    void aSelectionIsCancelledInAnyStateThatHasNotEnded() {
        List<JobId> dead = dead(MAIL, 3, "Broke");
        List<JobId> waiting = push(MAIL, 3);
        BulkStatus status = run(BulkRequest.named(Action.CANCEL, List.of(dead.getFirst(), waiting.getLast())));
        assertThat(status.changed()).isEqualTo(2);
        assertThat(run(BulkRequest.found(Action.CANCEL, JobSearch.ALL.inQueue(MAIL))).changed()).isEqualTo(4);
        assertThat(count(JobSearch.ALL.inQueue(MAIL))).isZero();
        assertThat(bulk.all()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void anEmptySelectionIsNothing(Action action) {
        dead(MAIL, 3, "Broke");
        push(NEWS, 2);
        BulkStatus status = run(BulkRequest.named(action, List.of()));
        assertThat(status.phase()).isEqualTo(Phase.DONE);
        assertThat(status.looked()).isZero();
        assertThat(status.expected()).isEqualTo(new BulkCount(0, false));
        assertThat(count(DEAD)).isEqualTo(3);
        assertThat(count(JobSearch.ALL)).isEqualTo(5);
    }

    @Test
    void aRequestThatCanChangeNothingIsRefused() {
        assertThatThrownBy(() -> BulkRequest.found(Action.REDRIVE, JobSearch.ALL.inState(JobState.WAITING)))
                .hasMessageContaining("Only dead letters");
        assertThatThrownBy(() -> BulkRequest.found(Action.CANCEL, JobSearch.ALL.inState(JobState.DONE)))
                .hasMessageContaining("have ended");
    }

    @Test
    void aFailureOfTheStoreIsRepeated() {
        dead(MAIL, 3, "Broke");
        faulty.failNext(Call.REDRIVE, Fault.BEFORE, 1);
        assertThat(run(BulkRequest.found(Action.REDRIVE, DEAD)).changed()).isEqualTo(3);
    }

    @Test
    void aStopLeavesTheRestAndSoDoesTheEndOfTheNode() throws InterruptedException {
        dead(MAIL, 3_000, "Broke");
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch begun = store.holdCalls("redrive", stopped);
        BulkRequest request = BulkRequest.found(Action.REDRIVE, DEAD.inQueue(MAIL));
        BulkStatus started = bulk.start(request, bulk.count(request), last::set);
        begun.await();
        bulk.stop(started.id());
        stopped.countDown();
        await().atMost(Duration.ofMinutes(1)).until(() -> last.get() != null);
        assertThat(bulk.find(started.id()).orElseThrow().phase()).isEqualTo(Phase.STOPPED);
        assertThat(bulk.find(started.id()).orElseThrow().changed()).isEqualTo(1_000);
        assertThat(count(DEAD)).isEqualTo(2_000);
        life.end();
        assertThatThrownBy(() -> bulk.start(request, new BulkCount(1, false), last::set))
                .isInstanceOf(BulkOperations.RefusedException.class);
    }

    @Test
    void aNodeRunsAFewOperationsTogetherAndRefusesMore() {
        dead(MAIL, 1, "Broke");
        CountDownLatch free = new CountDownLatch(1);
        store.holdCalls("redrive", free);
        BulkRequest request = BulkRequest.found(Action.REDRIVE, DEAD.inQueue(MAIL));
        for (int n = 0; n < BulkOperations.RUNNING_MAX; n++) {
            bulk.start(request, new BulkCount(1, false), last::set);
        }
        assertThatThrownBy(() -> bulk.start(request, new BulkCount(1, false), last::set))
                .isInstanceOf(BulkOperations.RefusedException.class).hasMessageContaining("stop one");
        free.countDown();
    }
}
