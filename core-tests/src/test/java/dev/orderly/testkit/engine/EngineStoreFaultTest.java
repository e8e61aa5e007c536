package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.ForwardingStore;
import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.CancellationSignal.Reason;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.ForwardingJobs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineStoreFaultTest extends EngineTest {
    private final FaultyStore faulty = new FaultyStore(store);
    private final Orderly node = Orderly.open(faulty, options("faulty"));
    private final StandardQueue<String> mails = node.queue("mails", String.class);
    private final BlockingQueue<String> runs = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        faulty.heal();
        node.stop();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void anOutcomeIsReportedUntilTheStoreAcceptsItAndTheJobRunsOnce(Fault fault) {
        node.handle(mails, (text, _) -> runs.add(text));
        node.start();
        faulty.failNext(Call.SETTLE, fault, 3);
        awaitState(mails.push("hello"), JobState.DONE);
        assertThat(runs).containsExactly("hello");
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void claimsResumeAfterAFaultAndNoJobIsLost(Fault fault) {
        node.handle(mails, (text, _) -> runs.add(text));
        List<JobId> ids = mails.pushAll(List.of("a", "b", "c", "d", "e")); // claimed, since no node runs yet
        faulty.failNext(Call.CLAIM, fault, 4);
        node.start();
        ids.forEach(id -> awaitState(id, JobState.DONE));
        assertThat(runs).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
        assertThat(ids).allSatisfy(id -> assertThat(view(id).failures()).isZero());
    }

    @Test
    void aLostClaimIsGivenBackAlsoOfAJobWhoseReportIsUnderWay() {
        try (Orderly lossy = Orderly.open(new LossyStore(store), options("lossy"))) {
            StandardQueue<String> queue = lossy.queue("mails", String.class);
            lossy.handle(queue, (text, job) -> {
                runs.add(text + job.attempt());
                if (job.attempt() == 1) {
                    job.snooze(Duration.ZERO);
                }
            });
            lossy.start();
            awaitState(queue.push("a"), JobState.DONE);
        }
        assertThat(runs).containsExactly("a1", "a3");
    }

    /**
     * Loses the answer to the first report, then that to the claim of the next attempt, and hears no report until what
     * does not run was given back. The search for lost jobs finds none.
     */
    private static final class LossyStore extends ForwardingStore {
        private final JobStore lossy;

        LossyStore(Store store) {
            super(store);
            lossy = new ForwardingJobs(store.jobs()) {
                private volatile boolean reported;
                private volatile boolean claimed;
                private volatile boolean released;

                @Override
                public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
                    if (reported && !released) {
                        throw new StoreException.Unavailable("The store is away", null);
                    }
                    List<SettleResult> results = jobs.settle(settlements, now);
                    if (!reported) {
                        reported = true;
                        throw new StoreException.OutcomeUnknown("The answer to a report is lost", null);
                    }
                    return results;
                }

                @Override
                public ClaimedJobs claim(ClaimRequest request, Instant now) {
                    ClaimedJobs answer = jobs.claim(request, now);
                    if (reported && !claimed && !answer.jobs().isEmpty()) {
                        claimed = true;
                        throw new StoreException.OutcomeUnknown("The answer to a claim is lost", null);
                    }
                    return answer;
                }

                @Override
                public int release(NodeId node, Set<JobId> except, Instant now) {
                    int back = jobs.release(node, except, now);
                    released |= claimed;
                    return back;
                }

                @Override
                public Set<JobId> held(NodeId node) {
                    return Set.of();
                }
            };
        }

        @Override
        public JobStore jobs() {
            return lossy;
        }
    }

    @Test
    void aFailedPushSaysWhetherItMayBeRepeated() {
        faulty.failNext(Call.PUSH, Fault.BEFORE, 1);
        assertThatThrownBy(() -> mails.push("hello")).isInstanceOf(StoreException.Unavailable.class);
        assertThat(node.jobs().list(mails.name(), JobState.WAITING, null, 10)).isEmpty();
        faulty.failNext(Call.PUSH, Fault.AFTER, 1);
        assertThatThrownBy(() -> mails.dedupe("once").push("hello")).isInstanceOf(StoreException.OutcomeUnknown.class);
        JobId id = mails.dedupe("once").push("hello");
        assertThat(node.jobs().list(mails.name(), JobState.WAITING, null, 10)).singleElement()
                .satisfies(job -> assertThat(job.id()).isEqualTo(id));
    }

    @Test
    void aNodeWithoutAHeartbeatForTwentySecondsStopsItsHandlersAndResumesAfterwards() {
        AtomicReference<Reason> reason = new AtomicReference<>();
        CountDownLatch inside = new CountDownLatch(1);
        node.handle(mails, (_, job) -> {
            if (job.attempt() == 1) {
                job.signal().onRaise(() -> reason.set(job.signal().reason().orElseThrow()));
                inside.countDown();
                new CountDownLatch(1).await();
            }
        });
        node.start();
        JobId id = mails.push("hello");
        // a claimed job may not have started, and never starts after its lease is lost
        awaitTrue(() -> inside.getCount() == 0);
        faulty.failNext(Call.BEAT, Fault.BEFORE, 1_000);
        faulty.failNext(Call.CLAIM, Fault.BEFORE, 1_000);
        for (int second = 0; second < 19; second++) {
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(reason).hasNullValue();
        time.advance(Duration.ofSeconds(6));
        // the clock stands still: the timeout of the job, minutes later, would end the handler too
        await().atMost(Duration.ofSeconds(60)).until(() -> reason.get() == Reason.LEASE_LOST);
        faulty.heal();
        time.advance(Duration.ofSeconds(5));
        awaitState(id, JobState.DONE);
        assertThat(view(id).failures()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void jobsOfAGroupRunInOrderOnAStoreThatFailsEveryFifthCall(long seed) {
        FifoQueue<Integer> numbers = node.fifo("numbers.fifo", Integer.class);
        Map<String, List<Integer>> seen = new ConcurrentHashMap<>();
        node.handle(numbers, (number, job) -> seen
                .computeIfAbsent(job.groupId().orElseThrow(), _ -> new CopyOnWriteArrayList<>()).add(number));
        List<JobId> ids = numbers.pushAll(IntStream.range(0, 300).boxed().toList(), n -> "g" + n % 10);
        node.start();
        faulty.failRandomly(seed, 0.2);
        awaitTrue(() -> {
            time.advance(Duration.ofMillis(100));
            return ids.stream().allMatch(id -> view(id).state() == JobState.DONE);
        });
        faulty.heal();
        // A job whose claim was lost never ran, so the order holds without repeats.
        assertThat(seen).hasSize(10).allSatisfy((group, list) -> assertThat(list).hasSize(30).isSorted());
    }
}
