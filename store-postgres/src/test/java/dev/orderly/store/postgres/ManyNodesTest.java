package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRequest.IdempotencyKey;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several nodes on one database at the same moment. */
class ManyNodesTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final int NODES = 3;
    private static final int PATIENCE_SECONDS = 60;

    private final PostgresOptions options = Server.fresh();
    private final List<PostgresStore> nodes = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.forEach(PostgresStore::close);
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void nodesThatStartTogetherCreateTheTablesOnceAndSeeEachOthersJobs() throws Exception {
        start();
        JobId pushed = push(0, job(MAIL, null, "a", null, null)).id();
        for (PostgresStore node : nodes) {
            assertThat(node.jobViews().find(pushed)).isPresent();
        }
    }

    @Test
    void aGroupRunsInTheOrderOfItsNumbersOnOneNodeAtATimeWhileNodesPushAndClaim() throws Exception {
        start();
        int pushers = 6;
        int times = 60;
        List<Callable<Void>> work = new ArrayList<>();
        AtomicInteger pushing = new AtomicInteger(pushers);
        for (int n = 0; n < pushers; n++) {
            int pusher = n;
            work.add(() -> {
                try {
                    for (int time = 0; time < times; time++) {
                        push(pusher % NODES,
                                List.of(job(ORDERS, "g", pusher + " " + time, null, null),
                                        job(ORDERS, time % 2 == 0 ? "h" : "i", pusher + " " + time, null, null)));
                    }
                } finally {
                    pushing.decrementAndGet();
                }
                return null;
            });
        }
        Watch watch = new Watch();
        for (int n = 0; n < NODES; n++) {
            int node = n;
            work.add(() -> {
                boolean last;
                do {
                    last = pushing.get() == 0;
                } while (watch.faults.isEmpty() && (runs(node, watch) > 0 || !last));
                return null;
            });
        }
        together(work);
        // Another node may have held jobs during this node's last claim.
        for (int left = 0; left < pushers * times && runs(0, watch) > 0; left++) {
            assertThat(watch.faults).isEmpty();
        }
        assertThat(watch.faults).isEmpty();
        assertThat(watch.bodies).hasSize(2 * pushers * times);
    }

    @Test
    void onlyOneOfSeveralConcurrentPushesUnderAKeyIsAccepted() throws Exception {
        start();
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        for (int round = 0; round < 20; round++) {
            DedupeKey dedupe = new DedupeKey(random.nextLong(), round);
            IdempotencyKey idempotency = new IdempotencyKey(new DedupeKey(random.nextLong(), round), dedupe);
            List<PushResult> results = together(IntStream.range(0, 2 * NODES).<Callable<PushResult>>mapToObj(
                    n -> () -> n % 2 == 0
                            ? push(n % NODES, job(MAIL, null, "a", dedupe, null))
                            : push(n % NODES, job(MAIL, null, "a", dedupe, idempotency)))
                    .toList());
            assertThat(results.stream().map(PushResult::id).distinct()).hasSize(1);
            assertThat(results.stream().filter(PushResult.Accepted.class::isInstance)).hasSize(1);
        }
    }

    @Test
    void concurrentPushesWithTheSameGroupsAndKeysInDifferentOrdersAllSucceed() throws Exception {
        start();
        int calls = 40;
        List<Callable<Integer>> work = IntStream.range(0, calls).<Callable<Integer>>mapToObj(n -> () -> {
            List<NewJob> jobs = new ArrayList<>(IntStream.range(0, 20).mapToObj(
                    each -> job(ORDERS, "g" + each, n + " " + each, new DedupeKey(n, each), null)).toList());
            push(n % NODES, n % 2 == 0 ? jobs : jobs.reversed());
            return jobs.size();
        }).toList();
        assertThat(together(work).stream().mapToInt(Integer::intValue).sum()).isEqualTo(20 * calls);
        assertThat(nodes.getFirst().jobViews().queues().getFirst().waiting()).isEqualTo(20L * calls);
    }

    @Test
    void concurrentUpkeepGivesEachJobBackOnce() throws Exception {
        start();
        NodeId gone = new NodeId("gone");
        nodes.getFirst().jobs().beat(gone);
        List<NewJob> jobs = IntStream.range(0, 50).mapToObj(n -> job(ORDERS, "g" + n % 7, "" + n, null, null)).toList();
        nodes.getFirst().jobs().push(jobs, NOW);
        int held = nodes.getFirst().jobs().claim(new ClaimRequest(gone, List.of(new Demand(ORDERS, 7))), NOW).jobs()
                .size();
        Instant later = NOW.plusSeconds(60);
        List<JobId> givenBack = together(nodes.stream().<Callable<List<JobId>>>map(
                node -> () -> node.jobs().upkeep(new UpkeepRequest(Duration.ofSeconds(-1), 3, Map.of(),
                        UpkeepRequest.Retention.DEFAULT, 1_000), later).givenBack())
                .toList())
                .stream().flatMap(List::stream).toList();
        assertThat(givenBack).hasSize(held).doesNotHaveDuplicates();
    }

    /** Claims once and settles the jobs; returns their number. */
    private int runs(int node, Watch watch) {
        NodeId id = new NodeId("node-" + node);
        JobStore jobs = nodes.get(node).jobs();
        List<ClaimedJob> claimed = repeated(
                () -> jobs.claim(new ClaimRequest(id, List.of(new Demand(ORDERS, 2))), NOW)).jobs();
        claimed.forEach(job -> watch.starts(job, node));
        if (!watch.faults.isEmpty()) {
            return 0;
        }
        List<ClaimedJob> some = claimed.subList(0, (claimed.size() + 1) / 2);
        List<ClaimedJob> rest = claimed.subList(some.size(), claimed.size());
        claimed.forEach(job -> watch.ends(job, some.contains(job)));
        List<Settlement> reports = new ArrayList<>();
        some.forEach(job -> reports.add(new Settlement(id, job.attempt(), new AttemptOutcome.Done(null))));
        rest.forEach(job -> reports.add(new Settlement(id, job.attempt(), new AttemptOutcome.GiveBack())));
        if (!reports.isEmpty()) {
            assertThat(settle(jobs, reports)).containsOnly(SettleResult.ACCEPTED);
        }
        return claimed.size();
    }

    /** Observations of all nodes about the groups. */
    private static final class Watch {
        final Set<String> faults = ConcurrentHashMap.newKeySet();
        final Set<String> bodies = ConcurrentHashMap.newKeySet();
        private final Map<String, Long> finished = new ConcurrentHashMap<>();
        private final Map<String, Integer> holders = new ConcurrentHashMap<>();

        void starts(ClaimedJob job, int node) {
            String group = Objects.requireNonNull(job.group());
            Integer holder = holders.put(group, node);
            if (holder != null && holder != node) {
                fault(group + " is with " + holder + " and " + node);
            }
            if (finished.getOrDefault(group, 0L) >= job.sequence()) {
                fault(group + " hands out " + job.sequence() + " after " + finished.get(group));
            }
        }

        /** Called before the settlement, so that no other node can have begun. */
        void ends(ClaimedJob job, boolean done) {
            String group = Objects.requireNonNull(job.group());
            holders.remove(group);
            if (done) {
                finished.merge(group, job.sequence(), Math::max);
                String body = group + " " + job.payload().asText();
                if (!bodies.add(body)) {
                    fault(body + " ran twice");
                }
            }
        }

        private void fault(String what) {
            faults.add(what);
        }
    }

    private void start() throws Exception {
        nodes.addAll(together(IntStream.range(0, NODES)
                .<Callable<PostgresStore>>mapToObj(n -> () -> PostgresStore.open(options, RandomGenerator.getDefault()))
                .toList()));
        for (int n = 0; n < NODES; n++) {
            nodes.get(n).jobs().beat(new NodeId("node-" + n));
        }
    }

    private PushResult push(int node, NewJob job) {
        return push(node, List.of(job)).getFirst();
    }

    private List<PushResult> push(int node, List<NewJob> jobs) {
        return repeated(() -> nodes.get(node).jobs().push(jobs, NOW));
    }

    /**
     * Repeats, as the engine does, what another node's commit blocks, and what the server undoes since this process
     * stood still within a transaction.
     */
    private static <T> T repeated(Supplier<T> call) {
        Time time = Time.system();
        long deadline = time.deadline(Duration.ofSeconds(PATIENCE_SECONDS));
        while (true) {
            try {
                return call.get();
            } catch (StoreException.Unavailable e) {
                assertThat(time.reached(deadline)).as(e.getMessage()).isFalse();
            }
        }
    }

    private static List<SettleResult> settle(JobStore jobs, List<Settlement> reports) {
        List<SettleResult> results = new ArrayList<>();
        for (List<Settlement> left = reports; !left.isEmpty();) {
            List<Settlement> asked = left;
            List<SettleResult> some = repeated(() -> jobs.settle(asked, NOW));
            left = IntStream.range(0, some.size()).filter(n -> some.get(n) == SettleResult.BLOCKED)
                    .mapToObj(asked::get).toList();
            some.stream().filter(result -> result != SettleResult.BLOCKED).forEach(results::add);
        }
        return results;
    }

    private static NewJob job(QueueName queue, @Nullable String group, String body, @Nullable DedupeKey dedupe,
            @Nullable IdempotencyKey idempotency) {
        return new NewJob(queue, group, Priority.NORMAL, null, Payload.text(body), Map.of(), null, dedupe,
                idempotency);
    }

    private static <T> List<T> together(List<Callable<T>> work) throws Exception {
        List<T> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<T> answer : threads.invokeAll(work, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                answers.add(answer.get());
            }
        }
        return answers;
    }
}
