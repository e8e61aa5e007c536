package dev.orderly.job.engine;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Backoff;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.engine.ClaimedAhead.Claim;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only claimer of a node. Claims when a hint arrives for a queue with free handlers, and polls every 100 ms to 1 s
 * regardless of hints. Claims no more bytes than the node's bound allows.
 */
final class ClaimLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimLoop.class);
    private static final Duration POLL_MIN = Duration.ofMillis(100);
    private static final Duration POLL_MAX = Duration.ofSeconds(1);
    /** The jobs that one claim gets for handlers that take several in a call. */
    private static final int TOGETHER_MOST = 2_000;

    private final JobStore store;
    private final NodeId node;
    private final Time time;
    private final RandomGenerator random;
    private final DeclaredQueues queues;
    private final RunningJobs running;
    private final GroupRunner runner;
    final BackgroundLoop loop;
    final HandOff handOff;
    private Duration poll = POLL_MIN;
    private long nextPoll;
    private boolean failing;
    private boolean outcomeUnknown;
    /**
     * Attempts that were spared when the store gave back what does not run here, and did not run. The lost answer may
     * have had newer attempts of their jobs: once all of these have ended or run, the rest is given back again.
     */
    private Set<AttemptId> spared = Set.of();
    private final AtomicBoolean found = new AtomicBoolean();
    private Runnable whenAnswerLost = () -> {};
    /** Whether the bound on bytes may have limited the last claim. */
    private volatile boolean limitedByBytes;
    /**
     * Queues that got nothing from the last claim, perhaps for lack of bytes or for a limit that they share: the next
     * claim lists them first.
     */
    private final Set<QueueName> leftOut = new HashSet<>();
    /** Queues of which the last claim got less than there is, for their limits. */
    private final Set<QueueName> limited = new HashSet<>();
    private long limitPoll;
    /** Permits taken for the claim under way, by queue. */
    private final Map<QueueName, Integer> permits = new HashMap<>();

    ClaimLoop(JobStore store, EngineOptions options, DeclaredQueues queues, RunningJobs running, GroupRunner runner) {
        this.store = store;
        this.node = options.node();
        this.time = options.time();
        this.random = options.random();
        this.queues = queues;
        this.running = running;
        this.runner = runner;
        this.nextPoll = time.nanos();
        this.limitPoll = nextPoll;
        this.loop = new BackgroundLoop("claim", time, this::tick);
        this.handOff = new HandOff(options, queues, running, runner);
        queues.onWork(loop::ring);
        runner.onEnded(this::runEnded);
    }

    /** Sets the callback after the loss of an answer to a claim or a hand-off; it must not block. Before the start. */
    void onAnswerLost(Runnable callback) {
        whenAnswerLost = callback;
    }

    private void runEnded(DeclaredQueue queue) {
        if (limitedByBytes || (queue.hinted() && queue.hasRoom())) {
            loop.ring();
        }
    }

    /** Makes a round if jobs that were claimed ahead have waited too long. */
    void watch() {
        if (queues.all().stream().anyMatch(queue -> queue.ahead.isStale())) {
            loop.ring();
        }
    }

    private Duration tick() {
        try {
            queues.all().forEach(this::giveBackStale);
            return claim();
        } finally {
            permits.forEach((name, left) -> {
                queue(name).release(left);
                runner.startKept(queue(name));
            });
            permits.clear();
        }
    }

    /** Gives back jobs that were claimed ahead of handlers that turned slow, or that may not start any more. */
    private void giveBackStale(DeclaredQueue queue) {
        if (queue.ahead.isStale() || (!queue.ahead.isEmpty() && !running.gate().isOpen(queue))) {
            queue.ahead.stop();
            runner.giveBackKept(queue);
        }
    }

    private Duration claim() {
        boolean polling = time.reached(nextPoll);
        boolean looking = looksAtLimits();
        limitedByBytes = true; // before bytes are read, so that a group run that ends in between rings
        long bytes = running.freeBytes();
        limitedByBytes = bytes <= 0;
        boolean open = bytes > 0 && running.gate().isOpen() && runner.isOpen();
        List<Demand> demands = open ? demands(polling, looking) : List.of();
        if (polling) {
            poll = Backoff.longer(poll, POLL_MAX);
            nextPoll = time.deadline(jittered(poll));
        }
        try {
            reconcile();
            if (demands.isEmpty()) {
                return untilPoll();
            }
            Request request = new Request(time.now(), new Claim(running.lease().generation(), running.lease().moment()),
                    queues.pauses());
            ClaimedJobs claims = store.claim(
                    new ClaimRequest(node, demands, bytes, running.passedOver().ids()), request.at);
            take(demands, claims, request);
            failing = false;
        } catch (StoreException e) {
            if (e instanceof StoreException.OutcomeUnknown) {
                answerLost();
            }
            if (!failing) {
                LOG.warn("No jobs can be claimed, trying again: {}", e.getMessage());
            }
            failing = true;
            demands.forEach(demand -> queue(demand.queue()).hint());
            return POLL_MAX;
        } catch (Throwable e) { // claimed jobs may not run: they are given back before the next claim
            answerLost();
            demands.forEach(demand -> queue(demand.queue()).hint());
            throw e;
        }
        return untilPoll();
    }

    /** The store has handed out jobs in the lost answer, or does so later: no node would ever run them. */
    private void answerLost() {
        outcomeUnknown = true;
        whenAnswerLost.run();
    }

    /** Gives back jobs that the store counts as held by this node, but that do not run here. */
    void giveBackLost() {
        found.set(true);
        loop.ring();
    }

    /**
     * Gives back jobs that the store counts as held by this node, but that do not run here, after a lost answer. Runs
     * between claims and while no hand-off is under way, whose jobs would not be known here.
     */
    private void reconcile() {
        if (handOff.takeUnsure()) {
            answerLost();
        }
        outcomeUnknown |= found.getAndSet(false);
        boolean again = !spared.isEmpty() && spared.stream().noneMatch(running::isIdle);
        if (!outcomeUnknown && !again) {
            return;
        }
        if (!handOff.suspend()) {
            nextPoll = time.deadline(POLL_MIN);
            return;
        }
        try {
            // first, since an outcome that is answered in between may be of such an attempt
            Set<AttemptId> idle = outcomeUnknown ? running.idle() : Set.of();
            int back = store.release(node, running.held(), time.now());
            spared = idle;
            outcomeUnknown = false;
            if (back > 0) {
                LOG.warn("{} jobs that this node held and did not run were given back", back);
            }
        } finally {
            handOff.resume();
        }
    }

    /** Whether the moment has come to look for slots and tokens that other nodes have freed; sets the next one. */
    private boolean looksAtLimits() {
        boolean now = !limited.isEmpty() && time.reached(limitPoll);
        limitPoll = now ? time.deadline(jittered(NodeTimes.LIMIT_LOOK)) : limitPoll;
        return now;
    }

    private boolean waitsForLimits(DeclaredQueue queue) {
        return limited.contains(queue.name);
    }

    /** Queues with free handlers that may have work, in a random rotation, so that no queue is always first or last. */
    private List<Demand> demands(boolean polling, boolean looking) {
        List<Demand> demands = new ArrayList<>();
        for (DeclaredQueue queue : queues.all()) {
            if (polling || (looking && waitsForLimits(queue))) {
                queue.hint();
            }
            if (queue.hinted() && queue.hasRoom()) {
                queue.clearHint();
                int each = queue.jobsPerCall();
                if (!queue.isShared() && each == 1) {
                    queue.ahead.measure(queue.options().concurrency());
                } else { // slots, tokens and turns are for jobs that start; calls get what waits when they begin
                    queue.ahead.stop();
                }
                int free = queue.reserve(queue.spare());
                permits.put(queue.name, free);
                int most = each == 1
                        ? free + queue.ahead.room()
                        : Math.min(free, Math.max(1, TOGETHER_MOST / each)) * each;
                if (most > 0) {
                    demands.add(new Demand(queue.name, most, JobStore.GROUP_RUN, queue.keys.take()));
                } else {
                    queue.hint();
                }
            }
        }
        if (demands.size() > 1) {
            Collections.rotate(demands, random.nextInt(demands.size()));
            demands.sort(Comparator.comparing(demand -> !leftOut.contains(demand.queue())));
        }
        return demands;
    }

    /**
     * What was known when a claim was requested.
     *
     * @param pauses what was known about pauses
     */
    private record Request(Instant at, Claim claim, DeclaredQueues.Pauses pauses) {}

    private void take(List<Demand> demands, ClaimedJobs claims, Request requested) {
        Map<QueueName, Integer> started = new HashMap<>();
        demands.forEach(demand -> leftOut.remove(demand.queue()));
        demands.forEach(demand -> requested.pauses.answered(queue(demand.queue()),
                claims.paused().contains(demand.queue())));
        for (List<ClaimedJob> run : groupRuns(claims.jobs())) {
            DeclaredQueue queue = queue(run.getFirst().queue());
            started.merge(queue.name, queue.name.isFifo() ? 1 : run.size(), Integer::sum);
            int free = permits.getOrDefault(queue.name, 0);
            if (free > 0) {
                permits.put(queue.name, free - 1);
                runner.start(queue, run, requested.claim);
            } else {
                runner.keep(queue, run, requested.claim);
            }
        }
        for (Demand demand : demands) {
            DeclaredQueue queue = queue(demand.queue());
            limited.remove(demand.queue());
            queue.limited = claims.limited().contains(demand.queue());
            if (queue.isPaused()) {
                runner.giveBackKept(queue);
            } else if (queue.limited) {
                limited.add(demand.queue());
                if (!started.containsKey(demand.queue())) {
                    leftOut.add(demand.queue());
                }
            } else if (started.getOrDefault(demand.queue(), 0) >= demand.limit()) {
                queues.hint(queue);
            } else {
                queue.foundEmpty();
            }
        }
        if (!claims.jobs().isEmpty()) {
            poll = POLL_MIN;
            if (running.freeBytes() < QueueOptions.PAYLOAD_LIMIT) { // a further job may not have fitted
                limitedByBytes = true;
                demands.forEach(demand -> queues.hint(queue(demand.queue())));
                demands.stream().map(Demand::queue).filter(queue -> !started.containsKey(queue)).forEach(leftOut::add);
            }
        }
        Instant next = claims.nextDue();
        // A job that was due but not handed out is held back for another reason; a poll will find it.
        if (next != null && next.isAfter(requested.at)) {
            long due = time.deadline(Duration.between(time.now(), next));
            nextPoll = due - nextPoll < 0 ? due : nextPoll;
        }
    }

    /** Adjacent jobs that run on one handler form one group run. */
    private List<List<ClaimedJob>> groupRuns(List<ClaimedJob> jobs) {
        List<List<ClaimedJob>> runs = new ArrayList<>();
        for (ClaimedJob job : jobs) {
            if (!runs.isEmpty() && joins(runs.getLast(), job)) {
                runs.getLast().add(job);
            } else {
                runs.add(new ArrayList<>(List.of(job)));
            }
        }
        return runs;
    }

    /** Whether a job runs after the jobs of its group, or in one call with others; a suspect does not. */
    private boolean joins(List<ClaimedJob> run, ClaimedJob job) {
        ClaimedJob before = run.getLast();
        if (!job.queue().equals(before.queue())) {
            return false;
        }
        return job.group() == null
                ? run.size() < queue(job.queue()).jobsPerCall() && before.crashes() == 0 && job.crashes() == 0
                : job.group().equals(before.group());
    }

    private DeclaredQueue queue(QueueName name) {
        return Objects.requireNonNull(queues.get(name),
                () -> "The store handed out a job of queue " + name + " without a request");
    }

    private Duration untilPoll() {
        long next = limited.isEmpty() || nextPoll - limitPoll < 0 ? nextPoll : limitPoll;
        return Duration.ofNanos(Math.max(0, next - time.nanos()));
    }

    private Duration jittered(Duration wait) {
        return Duration.ofNanos((long) (wait.toNanos() * (0.8 + 0.4 * random.nextDouble())));
    }
}
