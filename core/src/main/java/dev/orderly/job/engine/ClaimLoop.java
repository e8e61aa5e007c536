package dev.orderly.job.engine;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.NodeId;
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
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place of a node that asks for work. Asks when something hints at work for a queue with room, and every 100 ms
 * to 1 s whatever the hints say. Asks for no more than there is memory for.
 */
final class ClaimLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimLoop.class);
    private static final Duration POLL_MIN = Duration.ofMillis(100);
    private static final Duration POLL_MAX = Duration.ofSeconds(1);
    /** How often the store's word of what this node holds is compared with what it runs. */
    private static final Duration RECONCILE = Duration.ofSeconds(30);

    private final JobStore store;
    private final NodeId node;
    private final Time time;
    private final RandomGenerator random;
    private final DeclaredQueues queues;
    private final RunningJobs running;
    private final GroupRunner runner;
    final BackgroundLoop loop;
    private Duration poll = POLL_MIN;
    private long nextPoll;
    private boolean failing;
    private boolean unsure;
    private long reconcileAt;
    /** Whether more could have been claimed but for its bytes. */
    private volatile boolean cramped;
    /** Queues that got nothing from the last claim, perhaps for want of room: the next claim asks for them first. */
    private final Set<QueueName> passedOver = new HashSet<>();

    ClaimLoop(JobStore store, EngineOptions options, DeclaredQueues queues, RunningJobs running, GroupRunner runner) {
        this.store = store;
        this.node = options.node();
        this.time = options.time();
        this.random = options.random();
        this.queues = queues;
        this.running = running;
        this.runner = runner;
        this.nextPoll = time.nanos();
        this.reconcileAt = time.deadline(RECONCILE);
        this.loop = new BackgroundLoop("claim", time, this::tick);
        queues.onWork(loop::ring);
    }

    private void lineEnded(DeclaredQueue queue) {
        if (cramped || queue.hinted()) {
            loop.ring();
        }
    }

    private Duration tick() {
        boolean polling = time.reached(nextPoll);
        cramped = true; // before the look, so that a line that ends in between rings
        long bytes = running.freeBytes();
        cramped = bytes <= 0;
        boolean open = bytes > 0 && running.lease().isSure() && runner.isOpen();
        List<Demand> wants = open ? wants(polling) : List.of();
        if (polling) {
            Duration longer = poll.multipliedBy(2);
            poll = longer.compareTo(POLL_MAX) < 0 ? longer : POLL_MAX;
            nextPoll = time.deadline(jittered(poll));
        }
        try {
            reconcile();
            if (wants.isEmpty()) {
                return untilPoll();
            }
            long generation = running.lease().generation();
            Instant asked = time.now();
            ClaimedJobs claims = store.claim(new ClaimRequest(node, wants, bytes), asked);
            take(wants, claims, new Asked(asked, generation));
            failing = false;
        } catch (StoreException e) {
            // The store may have handed out jobs in an answer that was lost: nobody would ever run them.
            unsure |= e instanceof StoreException.OutcomeUnknown;
            if (!failing) {
                LOG.warn("No jobs can be claimed now, trying on: {}", e.getMessage());
            }
            failing = true;
            wants.forEach(want -> queue(want.queue()).hint());
            return POLL_MAX;
        } catch (Throwable e) { // jobs may be held that nothing runs: they are given back before the next claim
            unsure = true;
            wants.forEach(want -> queue(want.queue()).hint());
            throw e;
        }
        return untilPoll();
    }

    /**
     * What the store says this node holds, and it does not run, goes back: after a lost answer at once, and every now and
     * then whatever may have happened. No claim of this node is under way meanwhile.
     */
    private void reconcile() {
        if (unsure || time.reached(reconcileAt)) {
            int back = store.release(node, running.held(), time.now());
            unsure = false;
            reconcileAt = time.deadline(RECONCILE);
            if (back > 0) {
                LOG.warn("{} jobs that this node held and did not run were given back", back);
            }
        }
    }

    /** Queues with room that may have work, in a new order each time, so that none is always first or always last. */
    private List<Demand> wants(boolean polling) {
        List<Demand> wants = new ArrayList<>();
        for (DeclaredQueue queue : queues.all()) {
            if (polling) {
                queue.hint();
            }
            int free = queue.free();
            if (free > 0 && queue.hinted()) {
                queue.clearHint();
                wants.add(new Demand(queue.name, free));
            }
        }
        if (wants.size() > 1) {
            Collections.rotate(wants, random.nextInt(wants.size()));
            wants.sort(Comparator.comparing(want -> !passedOver.contains(want.queue())));
        }
        return wants;
    }

    /**
     * When a claim was asked for.
     *
     * @param generation of the lease
     */
    private record Asked(Instant at, long generation) {}

    private void take(List<Demand> wants, ClaimedJobs claims, Asked asked) {
        Map<QueueName, Integer> started = new HashMap<>();
        passedOver.clear();
        for (List<ClaimedJob> line : lines(claims.jobs())) {
            DeclaredQueue queue = queue(line.getFirst().queue());
            started.merge(queue.name, 1, Integer::sum);
            runner.start(queue, line, asked.generation, () -> lineEnded(queue));
        }
        for (Demand want : wants) {
            // Whoever resumes the queue meanwhile hints at it afterwards, and then it is asked for once more.
            queue(want.queue()).setPaused(claims.paused().contains(want.queue()));
            if (started.getOrDefault(want.queue(), 0) >= want.lines()) {
                queues.hint(queue(want.queue()));
            }
        }
        if (!claims.jobs().isEmpty()) {
            poll = POLL_MIN;
            if (running.freeBytes() < QueueOptions.PAYLOAD_LIMIT) { // perhaps something did not fit
                cramped = true;
                wants.forEach(want -> queues.hint(queue(want.queue())));
                wants.stream().map(Demand::queue).filter(queue -> !started.containsKey(queue)).forEach(passedOver::add);
            }
        }
        Instant next = claims.nextDue();
        // What was due already and was not handed out is held back by something else, until a poll finds it free.
        if (next != null && next.isAfter(asked.at)) {
            long due = time.deadline(Duration.between(time.now(), next));
            nextPoll = due - nextPoll < 0 ? due : nextPoll;
        }
    }

    /** Neighbours of one group belong to one line; every other job is a line of its own. */
    static List<List<ClaimedJob>> lines(List<ClaimedJob> jobs) {
        List<List<ClaimedJob>> lines = new ArrayList<>();
        for (ClaimedJob job : jobs) {
            ClaimedJob before = lines.isEmpty() ? null : lines.getLast().getLast();
            if (before != null && job.group() != null && job.group().equals(before.group())
                    && job.queue().equals(before.queue())) {
                lines.getLast().add(job);
            } else {
                lines.add(new ArrayList<>(List.of(job)));
            }
        }
        return lines;
    }

    private DeclaredQueue queue(QueueName name) {
        return Objects.requireNonNull(queues.get(name), () -> "The store handed out a job of " + name + " unasked");
    }

    private Duration untilPoll() {
        return Duration.ofNanos(Math.max(0, nextPoll - time.nanos()));
    }

    private Duration jittered(Duration wait) {
        return Duration.ofNanos((long) (wait.toNanos() * (0.8 + 0.4 * random.nextDouble())));
    }
}
