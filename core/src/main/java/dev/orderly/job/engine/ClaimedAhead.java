package dev.orderly.job.engine;

import dev.orderly.flow.RunningMean;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The group runs of a queue that this node holds without a handler, and their bound: as many as get a handler in {@link
 * #WORK}, none unless attempts are short. The bound at most doubles with each claim. Kept runs could start: they were
 * claimed before a handler was free, or the settlement of their last job was answered; they start in this order. Parked
 * runs wait for a settlement. Thread-safe, except that one thread calls {@link #measure} and {@link #stop}.
 */
final class ClaimedAhead {
    private static final int MOST = 2_000;
    private static final Duration WORK = Duration.ofMillis(100);
    /** The mean duration of an attempt from which on nothing is claimed ahead. */
    private static final Duration LONG = Duration.ofMillis(20);
    /** Shortest time over which the rate of ended runs is measured. */
    private static final long SPAN = Duration.ofMillis(2).toNanos();
    /** The wait for a handler after which the runs are given back. */
    private static final Duration STALE = Duration.ofMillis(300);

    private final Time time;
    private final RunningMean attempts;
    private final ConcurrentLinkedQueue<GroupRun> runs = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicInteger parked = new AtomicInteger();
    private final LongAdder ended = new LongAdder();
    private volatile int limit;
    private long measuredAt;
    private long endedBefore;

    /**
     * A claim.
     *
     * @param generation generation of the lease under which jobs were claimed
     * @param since moment before the store was asked
     */
    record Claim(long generation, NodeLease.Moment since) {}

    /** Jobs that run one after the other. Only one thread at a time uses it. */
    static final class GroupRun {
        final DeclaredQueue queue;
        final List<ClaimedJob> jobs;
        /** Generation of the lease under which the jobs were claimed. */
        final long generation;
        /** Moment after which the jobs were claimed. */
        final NodeLease.Moment claimedSince;
        /** Number of jobs whose outcome was reported: index of the next job. */
        int reported;
        /** Null before the first report. */
        @Nullable
        Report last;
        /** Monotonic time since which the run needs a handler. */
        long keptSince;

        GroupRun(DeclaredQueue queue, List<ClaimedJob> jobs, Claim claim, long now) {
            this.queue = queue;
            this.jobs = jobs;
            this.generation = claim.generation;
            this.claimedSince = claim.since;
            this.keptSince = now;
        }

        boolean hasEnded() {
            return reported == jobs.size();
        }

        /**
         * An outcome that was reported to the store.
         *
         * @param apart whether the handler may have settled the job already, in a transaction of its own
         */
        record Report(ClaimedJob job, boolean apart, CompletableFuture<SettleResult> answer) {}
    }

    /** @param attempts mean duration of attempts */
    ClaimedAhead(Time time, RunningMean attempts) {
        this.time = time;
        this.attempts = attempts;
        this.measuredAt = time.nanos();
    }

    void add(GroupRun run) {
        size.incrementAndGet();
        runs.add(run);
    }

    @Nullable
    GroupRun poll() {
        GroupRun run = runs.poll();
        if (run != null) {
            size.decrementAndGet();
        }
        return run;
    }

    /** Counts a run that waits for a settlement. */
    void park() {
        parked.incrementAndGet();
    }

    /** Adds a run whose settlement was answered. */
    void unpark(GroupRun run) {
        add(run);
        parked.decrementAndGet();
    }

    int parked() {
        return parked.get();
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    /** Whether runs may be held without a handler. */
    boolean isOpen() {
        return limit > 0;
    }

    /** Counts a run that has ended or is parked. */
    void ended() {
        ended.increment();
    }

    /** Number of runs to claim now beyond the free handlers; zero until half of the last ones have started. */
    int room() {
        int most = limit;
        int kept = size.get() + parked.get();
        return kept <= most / 2 ? most - kept : 0;
    }

    /** Adapts the bound before a claim. */
    void measure(int concurrency) {
        long now = time.nanos();
        long span = now - measuredAt;
        if (span < SPAN) {
            return;
        }
        long total = ended.sum();
        double most = (double) (total - endedBefore) * WORK.toNanos() / span;
        boolean brief = attempts.get().filter(mean -> mean.compareTo(LONG) < 0).isPresent();
        long growth = Math.min(MOST, 2L * limit + concurrency);
        limit = brief ? (int) Math.min((long) most, growth) : 0;
        measuredAt = now;
        endedBefore = total;
    }

    /** Whether the first run has waited too long for a handler. */
    boolean isStale() {
        GroupRun first = runs.peek();
        return first != null && time.nanos() - first.keptSince > STALE.toNanos();
    }

    /** Sets the bound to zero until the next measurement. */
    void stop() {
        limit = 0;
        measuredAt = time.nanos();
        endedBefore = ended.sum();
    }
}
