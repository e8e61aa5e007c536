package dev.orderly.testkit;

import dev.orderly.job.CancelResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.testkit.FaultyStore.Call;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The jobs port of a {@link FaultyStore}. */
record FaultyJobs(JobStore jobs, FaultyStore faults) implements JobStore {
    @Override
    public List<PushResult> push(List<NewJob> batch, Instant now) {
        return faults.call(Call.PUSH, () -> jobs.push(batch, now));
    }

    @Override
    public ClaimedJobs claim(ClaimRequest request, Instant now) {
        return faults.call(Call.CLAIM, () -> jobs.claim(request, now));
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        return faults.call(Call.SETTLE, () -> jobs.settle(settlements, now));
    }

    @Override
    public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
        return faults.call(Call.PROGRESS, () -> jobs.progress(reports, now));
    }

    @Override
    public int release(NodeId node, Set<JobId> except, Instant now) {
        return faults.call(Call.RELEASE, () -> jobs.release(node, except, now));
    }

    @Override
    public int leave(NodeId node, Instant now) {
        return faults.call(Call.LEAVE, () -> jobs.leave(node, now));
    }

    @Override
    public Heartbeat beat(NodeId node, Set<QueueName> works) {
        return faults.call(Call.BEAT, () -> jobs.beat(node, works));
    }

    @Override
    public UpkeepReport upkeep(UpkeepRequest request, Instant now) {
        return faults.call(Call.UPKEEP, () -> jobs.upkeep(request, now));
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        faults.call(Call.PAUSE, () -> {
            jobs.pause(queue, paused);
            return paused;
        });
    }

    @Override
    public int redrive(QueueName queue, List<JobId> ids, int limit, Instant now) {
        return faults.call(Call.REDRIVE, () -> jobs.redrive(queue, ids, limit, now));
    }

    @Override
    public int redriveAll(QueueName queue, int limit, Instant now) {
        return faults.call(Call.REDRIVE, () -> jobs.redriveAll(queue, limit, now));
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return faults.call(Call.CANCEL, () -> jobs.cancel(id, now));
    }

    @Override
    public RunNowResult runNow(JobId id, Instant now) {
        return faults.call(Call.CANCEL, () -> jobs.runNow(id, now));
    }

    @Override
    public ForgetQueueResult forget(QueueName queue) {
        return faults.call(Call.FORGET, () -> jobs.forget(queue));
    }
}
