package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.ForwardingStore;
import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.payload.PayloadReport;
import dev.orderly.job.payload.PayloadTypes;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.JobStore;
import dev.orderly.testkit.ForwardingJobs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of two versions of an application on one store. The first node of {@link EngineTest} has the old one. */
class EngineVersionsTest extends EngineTest {
    private static final QueueOptions QUICK = QueueOptions.STANDARD.withUnreadableFor(Duration.ofMinutes(15));

    record Old(int a) {}

    record Young(int b) {}

    private final List<Orderly> others = new ArrayList<>();
    private final ConcurrentLinkedQueue<Young> ran = new ConcurrentLinkedQueue<>();

    @AfterEach
    void closeOthers() {
        others.forEach(Orderly::close);
    }

    private Orderly young(String name) {
        others.add(Orderly.open(store.beside(), options(name)));
        return others.getLast();
    }

    private void oldNode() {
        orderly.handle(orderly.queue("q", Old.class, _ -> QUICK), (_, _) -> {});
        orderly.start();
    }

    private List<JobAttempt> unread(JobId id) {
        return AttemptSnapshot.unread(orderly.jobs().attempts(id));
    }

    @Test
    void aJobOfAnotherVersionIsGivenBackUncountedAndRunsThere() {
        oldNode();
        Orderly young = young("node-b");
        StandardQueue<Young> there = young.queue("q", Young.class, _ -> QUICK);
        JobId id = there.push(new Young(1));
        awaitTrue(() -> !unread(id).isEmpty());
        JobView view = view(id);
        assertThat(view.state()).isEqualTo(JobState.WAITING);
        assertThat(view.failures()).isZero();
        assertThat(view.failure()).isNull();
        young.handle(there, (payload, job) -> {
            assertThat(job.failures()).isZero();
            ran.add(payload);
        });
        young.start();
        awaitState(id, JobState.DONE);
        assertThat(ran).containsExactly(new Young(1));
    }

    @Test
    void theNodeDoesNotTryAgainAndRunsOtherJobsMeanwhile() {
        oldNode();
        Orderly young = young("node-b");
        JobId wrong = young.queue("q", Young.class, _ -> QUICK).push(new Young(1));
        awaitTrue(() -> !unread(wrong).isEmpty());
        StandardQueue<Old> here = orderly.queue("q", Old.class, _ -> QUICK);
        for (int n = 0; n < 5; n++) {
            awaitState(here.push(new Old(n)), JobState.DONE);
        }
        Instant until = time.now().plus(Duration.ofMinutes(2));
        awaitTrue(() -> {
            time.advance(Duration.ofMillis(500));
            return time.now().isAfter(until);
        });
        assertThat(view(wrong).attempt()).as("claims").isEqualTo(1);
    }

    @Test
    void theGroupOfAnUnreadableJobWaitsInOrderAndOtherGroupsGoOn() {
        List<String> order = new CopyOnWriteArrayList<>();
        FifoQueue<Old> old = orderly.fifo("q.fifo", Old.class);
        orderly.handle(old, (payload, job) -> order.add(job.groupId().orElseThrow() + payload.a));
        orderly.start();
        Orderly young = young("node-b");
        FifoQueue<Young> there = young.fifo("q.fifo", Young.class);
        old.group("g").push(new Old(1));
        JobId blocks = there.group("g").push(new Young(2));
        JobId behind = old.group("g").push(new Old(3));
        awaitState(old.group("h").push(new Old(4)), JobState.DONE);
        awaitTrue(() -> order.size() == 2 && !unread(blocks).isEmpty());
        awaitState(behind, JobState.WAITING);
        young.handle(there, (payload, job) -> order.add(job.groupId().orElseThrow() + payload.b));
        young.start();
        awaitState(blocks, JobState.DONE);
        awaitState(behind, JobState.DONE);
        assertThat(order).containsExactlyInAnyOrder("g1", "g2", "g3", "h4").containsSubsequence("g1", "g2", "g3");
    }

    @Test
    void aJobThatNoLiveNodeCanReadIsADeadLetterAfterTheTimeOfItsQueue() {
        oldNode();
        JobId id = young("node-b").queue("q", Young.class, _ -> QUICK).push(new Young(1));
        awaitTrue(() -> !unread(id).isEmpty());
        Instant since = time.now();
        awaitTrue(() -> {
            time.advance(Duration.ofSeconds(2));
            return view(id).state() == JobState.DEAD;
        });
        assertThat(Duration.between(since, time.now())).isGreaterThan(Duration.ofSeconds(14 * 60 + 50));
        assertThat(failure(id).summary()).contains("No live node could read").contains("15 min").contains("'a'");
        assertThat(view(id).failures()).isEqualTo(1);
    }

    @Test
    void aLiveNodeThatHasNotTriedKeepsAJobFromDying() {
        oldNode();
        Orderly busy = young("node-b");
        QueueOptions one = QUICK.withConcurrency(1).withTimeout(Duration.ofHours(9));
        StandardQueue<Young> there = busy.queue("q", Young.class, _ -> one);
        busy.handle(there, (payload, job) -> {
            ran.add(payload);
            if (payload.b == 0) {
                new CountDownLatch(1).await();
            }
        });
        busy.start();
        there.push(new Young(0));
        awaitTrue(() -> ran.size() == 1);
        JobId id = there.push(new Young(1));
        awaitTrue(() -> !unread(id).isEmpty());
        Instant until = time.now().plus(Duration.ofMinutes(20));
        awaitTrue(() -> {
            time.advance(Duration.ofSeconds(2));
            return time.now().isAfter(until);
        });
        awaitState(id, JobState.WAITING); // its node may just try it again, as each minute
        assertThat(view(id).failures()).isZero();
    }

    @Test
    void aQueueMayGiveUpAtOnce() {
        StandardQueue<Old> here = orderly.queue("q", Old.class, _ -> QUICK.withUnreadableFor(Duration.ZERO));
        orderly.handle(here, (_, _) -> {});
        orderly.start();
        JobId id = young("node-b").queue("q", Young.class).push(new Young(1));
        awaitState(id, JobState.DEAD);
        assertThat(failure(id).summary()).contains("cannot be read as").contains("Old");
    }

    @Test
    void aRedrivenJobHasItsTimeAgain() {
        oldNode();
        JobId id = young("node-b").queue("q", Young.class, _ -> QUICK).push(new Young(1));
        awaitTrue(() -> {
            time.advance(Duration.ofSeconds(2));
            return view(id).state() == JobState.DEAD;
        });
        orderly.jobs().redrive(view(id).queue(), List.of(id), 1);
        awaitTrue(() -> !unread(id).isEmpty());
        assertThat(view(id).state()).isEqualTo(JobState.WAITING);
    }

    @Test
    void beyondTheBoundJobsWaitAndAreNotClaimedInALoop() {
        AtomicInteger claims = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Store counting = new ForwardingStore(store.beside()) {
            @Override
            public JobStore jobs() {
                return new ForwardingJobs(super.jobs()) {
                    @Override
                    public ClaimedJobs claim(ClaimRequest request, Instant now) {
                        most.accumulateAndGet(request.passedOver().size(), Math::max);
                        ClaimedJobs claimed = super.claim(request, now);
                        claims.addAndGet(claimed.jobs().size());
                        return claimed;
                    }
                };
            }
        };
        Orderly old = Orderly.open(counting, options("node-c"));
        others.add(old);
        int jobs = ClaimRequest.PASSED_MAX + 200;
        StandardQueue<Young> there = orderly.queue("q", Young.class, _ -> QUICK);
        List<JobId> ids = there.pushAll(IntStream.range(0, jobs).mapToObj(Young::new).toList());
        old.handle(old.queue("q", Old.class, _ -> QUICK), (_, _) -> {});
        old.start();
        awaitTrue(() -> ids.stream().noneMatch(id -> unread(id).isEmpty()));
        int claimed = claims.get();
        Instant until = time.now().plus(Duration.ofSeconds(20));
        awaitTrue(() -> {
            time.advance(Duration.ofMillis(90));
            return time.now().isAfter(until);
        });
        assertThat(claims.get() - claimed).as("claims of a claim that was under way").isLessThan(100);
        assertThat(most).hasValueLessThanOrEqualTo(ClaimRequest.PASSED_MAX);
        orderly.handle(there, (payload, _) -> ran.add(payload));
        orderly.start();
        awaitTrue(() -> {
            time.advance(Duration.ofMillis(200));
            return ran.size() == jobs;
        });
        assertThat(ids).allSatisfy(id -> assertThat(view(id).failures()).isZero());
    }

    @Test
    void aCheckListsWaitingPayloadsThatThePresentTypesCannotRead(@TempDir Path folder) throws Exception {
        Orderly young = young("node-b");
        StandardQueue<Young> there = young.queue("q", Young.class);
        JobId wrong = there.push(new Young(1));
        JobId delayed = there.delay(Duration.ofHours(1)).push(new Young(2));
        StandardQueue<Old> here = orderly.queue("q", PayloadTypes.of(Old.class));
        here.push(new Old(3));
        orderly.queue("raw", byte[].class).push(new byte[]{1});
        PayloadReport report = orderly.jobs().payloads().waiting(10);
        assertThat(report.isWhole()).isTrue();
        assertThat(report.unreadable()).extracting(PayloadReport.Unreadable::job).containsExactly(wrong, delayed);
        assertThat(report.queues()).singleElement().satisfies(q -> assertThat(q.read()).isEqualTo(3));
        assertThatThrownBy(report::orThrow).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(wrong.toString()).hasMessageContaining("'a'");
        PayloadReport some = orderly.jobs().payloads().waiting(1);
        assertThat(some.isWhole()).isFalse();
        assertThat(some.toString()).contains("the oldest; more wait");

        Path samples = folder.resolve("samples.ndjson");
        assertThat(young.jobs().payloads().keep(samples, 10)).isEqualTo(3);
        assertThat(Files.readAllLines(samples).getFirst())
                .isEqualTo("{\"queue\":\"q\",\"type\":\"application/json\",\"payload\":{\"b\":1}}");
        assertThat(orderly.jobs().payloads().samples(samples).unreadable())
                .extracting(PayloadReport.Unreadable::line).containsExactly(1, 3);
        assertThat(young.jobs().payloads().samples(samples).isReadable()).isFalse();
    }
}
