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
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

/** Settles each job in a transaction of its own, several at a time: what those do who do not batch. */
final class OneByOne implements JobStore {
    /** Of the ten connections of a store. */
    private static final int AT_ONCE = 8;

    private final JobStore store;
    private final ThreadFactory threads = Thread.ofVirtual().factory();

    OneByOne(JobStore store) {
        this.store = store;
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        List<Future<SettleResult>> results;
        try (ExecutorService settlers = Executors.newFixedThreadPool(AT_ONCE, threads)) {
            results = settlements.stream()
                    .map(one -> settlers.submit(() -> store.settle(List.of(one), now).getFirst())).toList();
        }
        return results.stream().map(Future::resultNow).toList();
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
    public Beat beat(NodeId node, Instant now) {
        return store.beat(node, now);
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
