package dev.orderly.job.pull;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Lifecycle;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims of workers elsewhere. One loop claims for all waiting requests of this node and leases the jobs in one more
 * call, before a worker gets any of them: from then on no node holds them. Requests of a queue are served in the order
 * of their arrival. Thread-safe; at most {@value #WAITING_MAX} requests wait.
 *
 * <p>The loop is a node of its own to the store, so that a job that was claimed and could not be leased is given back
 * without asking the node's handlers.
 */
public final class PullClaims {
    /** The most requests that wait. */
    public static final int WAITING_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(PullClaims.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    /** Payload bytes of one round. */
    private static final long BYTES = 8L << 20;
    private static final int JOBS = 1_000;

    private final JobStore store;
    private final JobClient client;
    private final Time time;
    private final NodeId node;
    private final BackgroundLoop loop;
    private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    /** Attempts that may be claimed or leased without a worker that knows of them. */
    private final List<AttemptId> unsure = new ArrayList<>();
    private boolean limited;
    private boolean claimUnsure;
    private long beatAt;
    private boolean used;
    private volatile boolean closed;

    /** A request that waits for jobs. */
    private record Waiting(PullRequest request, long deadline, CompletableFuture<List<ClaimedJob>> answer) {}

    /** @param lifecycle its start starts claims; its end answers all requests, and ends claims */
    public PullClaims(JobStore store, JobClient client, EngineOptions options, Lifecycle lifecycle) {
        Objects.requireNonNull(store, "store");
        this.store = store;
        this.client = client;
        this.time = options.time();
        String own = options.node().value();
        this.node = new NodeId(own.substring(0, Math.min(own.length(), 90)) + "-pull");
        this.loop = new BackgroundLoop("pull", time, this::tick);
        client.onPullable(_ -> {
            if (size.get() > 0) {
                loop.ring();
            }
        });
        lifecycle.of(loop::start, this::end);
    }

    /** A line for the operator if the loop makes no progress. */
    public Optional<String> stall() {
        return loop.stall();
    }

    /**
     * Waits for jobs. The answer has at least one job, unless the request's wait ended first; it is empty at a stop of
     * this node. A cancelled answer withdraws the request.
     *
     * @return empty if too many requests wait
     */
    public Optional<CompletableFuture<List<ClaimedJob>>> claim(PullRequest request) {
        if (closed || size.incrementAndGet() > WAITING_MAX) {
            size.decrementAndGet();
            return Optional.empty();
        }
        CompletableFuture<List<ClaimedJob>> answer = new CompletableFuture<>();
        waiting.add(new Waiting(request, time.deadline(request.patience()), answer));
        loop.ring();
        return Optional.of(answer);
    }

    /** Number of waiting requests. */
    public int waiting() {
        return size.get();
    }

    private Duration tick() {
        try {
            if (used && time.reached(beatAt)) {
                beat();
            }
            giveBackUnsure();
            if (!waiting.isEmpty()) {
                used = true;
                round();
            }
        } catch (StoreException e) {
            LOG.warn("No jobs can be claimed for workers elsewhere, trying again: {}", e.getMessage());
            expire();
            return AFTER_FAILURE;
        }
        expire();
        return waiting.isEmpty() ? (used ? NodeTimes.BEAT : NodeTimes.BEAT.multipliedBy(6)) : untilNext();
    }

    private void beat() {
        store.beat(node);
        beatAt = time.deadline(NodeTimes.BEAT);
    }

    private Duration untilNext() {
        long next = time.deadline(limited ? NodeTimes.LIMIT_LOOK : POLL);
        for (Waiting each : waiting) {
            next = each.deadline - next < 0 ? each.deadline : next;
        }
        return Duration.ofNanos(Math.max(1, next - time.nanos()));
    }

    private void round() {
        Map<QueueName, ArrayDeque<Waiting>> byQueue = new LinkedHashMap<>();
        waiting.stream().filter(each -> !each.answer.isDone() && client.leasesLeft(each.request.queue()) > 0)
                .forEach(each -> byQueue.computeIfAbsent(each.request.queue(), _ -> new ArrayDeque<>()).add(each));
        if (byQueue.isEmpty()) {
            return;
        }
        if (time.reached(beatAt)) {
            beat();
        }
        List<Demand> wants = byQueue.entrySet().stream().map(each -> new Demand(each.getKey(), (int) Math.min(
                Math.min(JOBS, client.leasesLeft(each.getKey())),
                each.getValue().stream().mapToInt(one -> one.request.max()).sum()), 1)).toList();
        ClaimedJobs claimed;
        long asked = time.nanos();
        Instant askedAt = time.wall();
        try {
            claimed = store.claim(new ClaimRequest(node, wants, BYTES), time.now());
        } catch (StoreException e) {
            claimUnsure = true;
            throw e;
        }
        limited = !claimed.limited().isEmpty();
        if (!claimed.jobs().isEmpty()) {
            lease(assigned(claimed.jobs(), byQueue), asked, askedAt);
        }
    }

    /** The jobs by the request that gets them. */
    private static Map<Waiting, List<ClaimedJob>> assigned(List<ClaimedJob> jobs,
            Map<QueueName, ArrayDeque<Waiting>> byQueue) {
        Map<Waiting, List<ClaimedJob>> assigned = new LinkedHashMap<>();
        for (ClaimedJob job : jobs) {
            ArrayDeque<Waiting> line = byQueue.get(job.queue());
            if (line == null || line.isEmpty()) {
                throw new IllegalStateException("The store handed out more jobs of " + job.queue() + " than asked for");
            }
            Waiting first = line.getFirst();
            List<ClaimedJob> its = assigned.computeIfAbsent(first, _ -> new ArrayList<>());
            its.add(job);
            if (its.size() == first.request.max()) {
                line.removeFirst();
            }
        }
        return assigned;
    }

    /**
     * @param asked monotonic time before the claim: a job that starts too late for the rate of its limit goes back
     * @param askedAt the same by the wall clock
     */
    private void lease(Map<Waiting, List<ClaimedJob>> assigned, long asked, Instant askedAt) {
        Instant now = time.now();
        List<Settlement> leases = new ArrayList<>();
        assigned.forEach((one, jobs) -> jobs.forEach(job -> {
            leases.add(new Settlement(node, job.attempt(), job.terms().isExpired(now)
                    ? AttemptOutcome.Cancelled.expired(job.terms().expiresAt())
                    : new AttemptOutcome.Leased(one.request.lease())));
            unsure.add(job.attempt());
        }));
        List<SettleResult> results = store.settle(leases, now);
        Map<AttemptId, SettleResult> byAttempt = new HashMap<>();
        for (int n = 0; n < leases.size(); n++) {
            byAttempt.put(leases.get(n).attempt(), results.get(n));
        }
        Instant answered = time.now();
        assigned.forEach((one, jobs) -> {
            boolean late = client.startsLate(one.request.queue(), asked, askedAt);
            List<ClaimedJob> leased = jobs.stream()
                    .filter(job -> !late && byAttempt.get(job.attempt()) == SettleResult.ACCEPTED
                            && !job.terms().isExpired(answered))
                    .toList();
            if (!leased.isEmpty() && one.answer.complete(leased)) {
                leased.forEach(job -> unsure.remove(job.attempt()));
                client.leased(one.request.queue(), leased.size());
            }
        });
        giveBackUnsure();
    }

    /** Gives back what no worker knows of: leases of requests that were withdrawn, and after a lost answer. */
    private void giveBackUnsure() {
        if (claimUnsure) {
            store.release(node, Set.of(), time.now());
            claimUnsure = false;
        }
        if (!unsure.isEmpty()) {
            Instant now = time.now();
            List<SettleResult> results = store.settle(unsure.stream()
                    .map(attempt -> new Settlement(null, attempt, new AttemptOutcome.GiveBack())).toList(), now);
            List<AttemptId> blocked = new ArrayList<>();
            for (int n = 0; n < results.size(); n++) {
                if (results.get(n) == SettleResult.BLOCKED) {
                    blocked.add(unsure.get(n));
                }
            }
            unsure.clear();
            unsure.addAll(blocked);
        }
    }

    /** Answers requests whose wait has ended, and forgets answered ones. */
    private void expire() {
        waiting.removeIf(each -> {
            if (closed || time.reached(each.deadline)) {
                each.answer.complete(List.of());
            }
            boolean done = each.answer.isDone();
            if (done) {
                size.decrementAndGet();
            }
            return done;
        });
    }

    private void end() {
        closed = true;
        loop.stop(NodeTimes.STOP);
        expire();
    }
}
