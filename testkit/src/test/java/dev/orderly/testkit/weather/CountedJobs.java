package dev.orderly.testkit.weather;

import dev.orderly.Store;
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
import dev.orderly.testkit.ForwardingStore;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A store whose calls about jobs are counted, and whose claims a test may answer otherwise. */
class CountedJobs extends ForwardingStore implements JobStore {
    private final ConcurrentMap<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    CountedJobs(Store store) {
        super(store);
    }

    /** How often a method was called. */
    final int calls(String method) {
        return calls.computeIfAbsent(method, _ -> new AtomicInteger()).get();
    }

    final int calls() {
        return calls.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    private JobStore counted(String method) {
        calls.computeIfAbsent(method, _ -> new AtomicInteger()).incrementAndGet();
        return inside().jobs();
    }

    /** What a claim is answered with. */
    Claims answer(ClaimRequest request, Claims claims, Instant now) {
        return claims;
    }

    @Override
    public final JobStore jobs() {
        return this;
    }

    @Override
    public List<PushResult> push(List<NewJob> jobs, Instant now) {
        return counted("push").push(jobs, now);
    }

    @Override
    public Claims claim(ClaimRequest request, Instant now) {
        return answer(request, counted("claim").claim(request, now), now);
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        return counted("settle").settle(settlements, now);
    }

    @Override
    public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
        return counted("progress").progress(reports, now);
    }

    @Override
    public int release(NodeId node, Set<JobId> except, Instant now) {
        return counted("release").release(node, except, now);
    }

    @Override
    public Beat beat(NodeId node) {
        return counted("beat").beat(node);
    }

    @Override
    public UpkeepReport upkeep(UpkeepRequest request, Instant now) {
        return counted("upkeep").upkeep(request, now);
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        counted("pause").pause(queue, paused);
    }

    @Override
    public int redrive(QueueName queue, List<JobId> ids, int limit, Instant now) {
        return counted("redrive").redrive(queue, ids, limit, now);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return counted("cancel").cancel(id, now);
    }
}
