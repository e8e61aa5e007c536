package dev.orderly.job.engine;

import dev.orderly.flow.Wakeup;
import dev.orderly.job.JobId;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hand-off of pushed jobs to this node: a push into a queue that this node saw empty, and for which it has a free
 * handler, is stored as claimed, so that the handler starts without a claim. A permit of the queue and the payload
 * bytes are reserved before the push. Thread-safe.
 */
final class HandOff {
    private final EngineOptions options;
    private final DeclaredQueues queues;
    private final RunningJobs running;
    private final GroupRunner runner;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicBoolean unsure = new AtomicBoolean();
    private final Wakeup drained = new Wakeup();
    private volatile boolean open;
    private volatile boolean suspended;

    HandOff(EngineOptions options, DeclaredQueues queues, RunningJobs running, GroupRunner runner) {
        this.options = options;
        this.queues = queues;
        this.running = running;
        this.runner = runner;
    }

    /** Allows hand-offs; called once the node has sent a heartbeat. */
    void open() {
        open = true;
    }

    /** Ends hand-offs, and waits at most {@code patience} for pushes under way. */
    void close(Duration patience) {
        open = false;
        Time time = options.time();
        long deadline = time.deadline(patience);
        while (underWay.get() > 0 && !time.reached(deadline) && !Thread.currentThread().isInterrupted()) {
            drained.await(time, deadline);
        }
    }

    /**
     * Suspends hand-offs until {@link #resume}; returns whether no push is under way whose jobs the store may hold for
     * this node already.
     */
    boolean suspend() {
        suspended = true;
        return underWay.get() == 0;
    }

    void resume() {
        suspended = false;
    }

    /** Whether since the last call a push may have left claimed jobs that do not run. */
    boolean takeUnsure() {
        return unsure.getAndSet(false);
    }

    /**
     * An offer to run some of these jobs; null if this node can run none at once. {@link Offer#settle} or
     * {@link Offer#lost} must follow.
     */
    @Nullable
    Offer offer(List<NewJob> jobs) {
        DeclaredQueue first = queues.get(jobs.getFirst().queue());
        if (first == null || !first.isKnownEmpty() || first.free() == 0 || !isOpen(first)) {
            return null;
        }
        underWay.incrementAndGet();
        Offer offer = new Offer(jobs, running.lease().generation());
        if (isOpen(first)) { // a suspension after the check above may not have seen this push
            offer.reserve();
        }
        if (offer.reserved.isEmpty()) {
            offer.end();
            return null;
        }
        return offer;
    }

    private boolean isOpen(DeclaredQueue queue) {
        return open && !suspended && running.gate().isOpen(queue) && runner.isOpen();
    }

    /** The jobs of one push, with the reservations for some of them. */
    final class Offer {
        private final ClaimedAhead.Claim claim;
        private final List<NewJob> pushed;
        /** Jobs with a reservation, by their place in the list. */
        private final Map<Integer, DeclaredQueue> reserved = new TreeMap<>();
        private boolean ended;

        private Offer(List<NewJob> jobs, long generation) {
            this.pushed = jobs;
            this.claim = new ClaimedAhead.Claim(generation, running.lease().moment());
        }

        /** The list to store: this node is the claimer of the jobs that it can run. */
        List<NewJob> jobs() {
            List<NewJob> jobs = new ArrayList<>(pushed);
            reserved.keySet().forEach(place -> jobs.set(place, pushed.get(place).claimedBy(options.node())));
            return jobs;
        }

        private void reserve() {
            Set<Map.Entry<QueueName, String>> groups = new HashSet<>();
            for (int place = 0; place < pushed.size(); place++) {
                NewJob job = pushed.get(place);
                DeclaredQueue queue = Objects.requireNonNull(queues.get(job.queue()));
                boolean gathers = pushed.size() > 1 && queue.jobsPerCall() > 1; // one call is better than several
                if (!gathers && queue.free() > 0 && queue.isKnownEmpty() && job.runAt() == null
                        && job.terms().debounce() == null
                        && (job.group() == null || groups.add(Map.entry(job.queue(), job.group())))) {
                    if (!running.reserve(job.payload().size())) {
                        return;
                    }
                    if (queue.reserve(1) == 0) {
                        running.unreserve(job.payload().size());
                    } else {
                        reserved.put(place, queue);
                    }
                }
            }
        }

        /** Starts the jobs that the store has handed off, and returns the reservations of the others. */
        void settle(List<PushResult> results) {
            try {
                while (!reserved.isEmpty()) {
                    int place = reserved.keySet().iterator().next();
                    DeclaredQueue queue = Objects.requireNonNull(reserved.get(place));
                    if (results.get(place) instanceof PushResult.Accepted(JobId id, boolean handedOff) && handedOff) {
                        running.unreserve(pushed.get(place).payload().size());
                        reserved.remove(place);
                        runner.start(queue, List.of(ClaimedJob.handedOff(id, pushed.get(place))), claim);
                    } else {
                        release(place);
                    }
                }
            } catch (Throwable e) {
                lost(e);
                throw e;
            } finally {
                end();
            }
        }

        /** Returns the reservations of a push that has to wait: it would occupy handlers meanwhile. */
        void withdraw() {
            List.copyOf(reserved.keySet()).forEach(this::release);
            end();
        }

        /** Returns the reservations after a failure; the store may hold some of the jobs for this node. */
        void lost(Throwable why) {
            withdraw();
            if (!(why instanceof StoreException.Unavailable)) {
                unsure.set(true);
                queues.wake();
            }
        }

        private void release(int place) {
            DeclaredQueue queue = reserved.remove(place);
            if (queue != null) {
                queue.release(1);
                running.unreserve(pushed.get(place).payload().size());
                runner.startKept(queue);
            }
        }

        private void end() {
            if (!ended) {
                ended = true;
                if (underWay.decrementAndGet() == 0) {
                    drained.ring();
                }
            }
        }
    }
}
