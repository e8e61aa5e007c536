package dev.orderly.bench.postgres;

import dev.orderly.job.Beat;
import dev.orderly.job.CancelResult;
import dev.orderly.job.ClaimRequest;
import dev.orderly.job.Claims;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStore;
import dev.orderly.job.NewJob;
import dev.orderly.job.NodeId;
import dev.orderly.job.ProgressReport;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.SettleResult;
import dev.orderly.job.Settlement;
import dev.orderly.job.UpkeepReport;
import dev.orderly.job.UpkeepRequest;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;

/** Counts the ends that a store takes, and can have each stored in a transaction of its own, as others do. */
final class Ends implements JobStore {
    /** Of the ten connections of a store. */
    private static final int AT_ONCE = 8;

    private final JobStore store;
    private final boolean oneByOne;
    private final LongAdder taken = new LongAdder();
    private final ThreadFactory threads = Thread.ofVirtual().factory();

    Ends(JobStore store, boolean oneByOne) {
        this.store = store;
        this.oneByOne = oneByOne;
    }

    /** Waits until so many were taken since this was made. */
    void await(long jobs) throws InterruptedException {
        Time time = Time.system();
        for (long deadline = time.deadline(Duration.ofMinutes(1)); taken.sum() < jobs;) {
            if (time.reached(deadline)) {
                throw new IllegalStateException("Of " + jobs + " jobs the ends of " + taken.sum() + " are stored");
            }
            Thread.currentThread().join(Duration.ofMillis(1));
        }
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        List<SettleResult> results = oneByOne ? each(settlements, now) : store.settle(settlements, now);
        taken.add(results.stream().filter(SettleResult.ACCEPTED::equals).count());
        return results;
    }

    private List<SettleResult> each(List<Settlement> settlements, Instant now) {
        List<Future<SettleResult>> all;
        try (ExecutorService settlers = Executors.newFixedThreadPool(AT_ONCE, threads)) {
            all = settlements.stream().map(one -> settlers.submit(() -> store.settle(List.of(one), now).getFirst()))
                    .toList();
        }
        // One that failed fails the batch here, and the run with it: a bench has a store that works.
        return all.stream().map(Future::resultNow).toList();
    }

    @Override
    public List<PushResult> push(List<NewJob> jobs, Instant now) {
        return store.push(jobs, now);
    }

    @Override
    public Claims claim(ClaimRequest request, Instant now) {
        return store.claim(request, now);
    }

    @Override
    public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
        return store.progress(reports, now);
    }

    @Override
    public int release(NodeId node, Set<JobId> except, Instant now) {
        return store.release(node, except, now);
    }

    @Override
    public Beat beat(NodeId node) {
        return store.beat(node);
    }

    @Override
    public UpkeepReport upkeep(UpkeepRequest request, Instant now) {
        return store.upkeep(request, now);
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        store.pause(queue, paused);
    }

    @Override
    public int redrive(QueueName queue, List<JobId> meant, int limit, Instant now) {
        return store.redrive(queue, meant, limit, now);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return store.cancel(id, now);
    }
}
