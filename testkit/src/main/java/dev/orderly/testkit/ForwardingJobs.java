package dev.orderly.testkit;

import dev.orderly.Internal;
import dev.orderly.job.CancelResult;
import dev.orderly.job.EventResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.UpkeepRequest;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Base of decorators of the jobs port: forwards every call that a subclass does not override. */
@Internal(to = "dev.orderly")
public abstract class ForwardingJobs implements JobStore {
    /** The inner port. */
    protected final JobStore jobs;

    protected ForwardingJobs(JobStore jobs) {
        this.jobs = jobs;
    }

    @Override
    public List<PushResult> push(List<NewJob> pushes, Instant now) {
        return jobs.push(pushes, now);
    }

    @Override
    public ClaimedJobs claim(ClaimRequest request, Instant now) {
        return jobs.claim(request, now);
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        return jobs.settle(settlements, now);
    }

    @Override
    public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
        return jobs.progress(reports, now);
    }

    @Override
    public StepResult keep(StepReport report, Instant now) {
        return jobs.keep(report, now);
    }

    @Override
    public AwaitAnswer await(EventWait wait, Instant now) {
        return jobs.await(wait, now);
    }

    @Override
    public EventResult event(NewEvent event, Instant now) {
        return jobs.event(event, now);
    }

    @Override
    public int release(NodeId node, Set<JobId> except, Instant now) {
        return jobs.release(node, except, now);
    }

    @Override
    public Set<JobId> held(NodeId node) {
        return jobs.held(node);
    }

    @Override
    public int leave(NodeId node, Instant now) {
        return jobs.leave(node, now);
    }

    @Override
    public Heartbeat beat(NodeId node, Set<QueueName> works) {
        return jobs.beat(node, works);
    }

    @Override
    public UpkeepReport upkeep(UpkeepRequest request, Instant now) {
        return jobs.upkeep(request, now);
    }

    @Override
    public BatchStore batches() {
        return jobs.batches();
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        jobs.pause(queue, paused);
    }

    @Override
    public SetResult set(QueueName queue, String key, KeySettings expected, KeySettings next) {
        return jobs.set(queue, key, expected, next);
    }

    @Override
    public int redrive(QueueName queue, List<JobId> ids, int limit, Instant now) {
        return jobs.redrive(queue, ids, limit, now);
    }

    @Override
    public int redriveAll(QueueName queue, int limit, Instant now) {
        return jobs.redriveAll(queue, limit, now);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return jobs.cancel(id, now);
    }

    @Override
    public RunNowResult runNow(JobId id, Instant now) {
        return jobs.runNow(id, now);
    }

    @Override
    public ForgetQueueResult forget(QueueName queue) {
        return jobs.forget(queue);
    }
}
