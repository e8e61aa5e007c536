package dev.orderly.store.sqlite.port;

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
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.RowCounter;
import dev.orderly.time.StoredTime;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The port of jobs: each call is a request to the writer, with moments in stored time. */
public final class SqliteJobs implements JobStore.GroupCommit {
    /** Dead letters redriven in one transaction, so that a large redrive does not block other requests. */
    private static final int REDRIVE_STEP = 1_000;

    private final RequestQueue requests;
    private final StoredTime time;
    private final RowCounter counter;
    private final BatchStore batches;

    public SqliteJobs(RequestQueue requests, StoredTime time, RowCounter counter, BatchStore batches) {
        this.requests = requests;
        this.time = time;
        this.counter = counter;
        this.batches = batches;
    }

    @Override
    public List<PushResult> push(List<NewJob> jobs, Instant now) {
        List<NewJob> stored = jobs.stream().map(job -> job.in(time, now)).toList();
        return requests.askUninterruptibly(SqlitePushes.request(stored, time.stored(now)));
    }

    @Override
    public ClaimedJobs claim(ClaimRequest request, Instant now) {
        SqliteClaims.Claim claim = tryClaim(request, time.stored(now));
        if (!claim.due().isEmpty() && promote(claim)) {
            claim = tryClaim(request, time.stored(now));
        }
        ClaimedJobs claims = claim.jobs();
        Instant next = claims.nextDue();
        return next == null
                ? claims
                : new ClaimedJobs(claims.jobs(), time.clockTime(next), claims.paused(), claims.limited());
    }

    /** Makes what is due of keys wait; returns whether to claim again, since there was nothing else. */
    private boolean promote(SqliteClaims.Claim claim) {
        boolean empty = claim.jobs().jobs().isEmpty();
        try {
            return requests.ask(SqliteClaims.promote(claim)) > 0 && empty;
        } catch (StoreException e) {
            if (empty) {
                throw e;
            }
            return false; // claimed jobs go out; the next claim finds again what is due
        }
    }

    private SqliteClaims.Claim tryClaim(ClaimRequest request, Instant stored) {
        SqliteClaims.Claim claim = requests.ask(SqliteClaims.request(request, stored));
        if (claim.tookTokens()) {
            keepTokens(claim);
        }
        return claim;
    }

    /** Makes the tokens of a claim durable before its jobs start, or gives back the jobs. */
    private void keepTokens(SqliteClaims.Claim claim) {
        try {
            requests.ask(SqliteClaims.keepTokens(claim));
        } catch (StoreException e) {
            undo(claim, e);
            throw e;
        }
    }

    private void undo(SqliteClaims.Claim claim, StoreException why) {
        try {
            requests.askUninterruptibly(SqliteClaims.undo(claim));
        } catch (StoreException _) {
            throw new StoreException.OutcomeUnknown("Claimed jobs were not given back: " + why.getMessage(), why);
        }
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        List<Settlement> stored = settlements.stream().map(one -> one.in(time, now)).toList();
        return requests.ask(SqliteSettlements.settle(stored, time.stored(now)));
    }

    @Override
    public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
        return requests.ask(SqliteSettlements.progress(List.copyOf(reports)));
    }

    @Override
    public StepResult keep(StepReport report, Instant now) {
        return requests.ask(SqliteSettlements.keep(report, time.stored(now)));
    }

    @Override
    public AwaitAnswer await(EventWait wait, Instant now) {
        return requests.ask(SqliteSettlements.await(wait.in(time, now), time.stored(now))).shown(time);
    }

    @Override
    public EventResult event(NewEvent event, Instant now) {
        return requests.ask(SqliteJobChanges.event(event, time.stored(now)));
    }

    @Override
    public int release(NodeId node, Set<JobId> except, Instant now) {
        return requests.ask(SqliteSettlements.release(node, Set.copyOf(except), time.stored(now)));
    }

    @Override
    public Set<JobId> held(NodeId node) {
        return requests.ask(SqliteSettlements.held(node));
    }

    @Override
    public int leave(NodeId node, Instant now) {
        return requests.ask(SqliteSettlements.leave(node, time.stored(now)));
    }

    @Override
    public Heartbeat beat(NodeId node, Set<QueueName> works) {
        return requests.ask(Heartbeats.beat(node, Set.copyOf(works)));
    }

    @Override
    public UpkeepReport upkeep(UpkeepRequest request, Instant now) {
        return requests.ask(UpkeepJobs.request(request, time.stored(now)));
    }

    @Override
    public BatchStore batches() {
        return batches;
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        requests.ask(SqliteJobChanges.pause(queue, paused));
    }

    @Override
    public SetResult set(QueueName queue, String key, KeySettings expected, KeySettings next) {
        return requests.ask(SqliteJobChanges.set(queue, key, expected, next));
    }

    @Override
    public int redrive(QueueName queue, List<JobId> ids, int limit, Instant now) {
        List<JobId> ordered = ids.stream().distinct().sorted().toList();
        int redriven = 0;
        for (int from = 0; redriven < limit && from < ordered.size(); from += REDRIVE_STEP) {
            List<JobId> step = ordered.subList(from, Math.min(ordered.size(), from + REDRIVE_STEP));
            redriven += requests.ask(SqliteJobChanges.redrive(queue, step, Math.min(REDRIVE_STEP, limit - redriven)));
        }
        return redriven;
    }

    @Override
    public int redriveAll(QueueName queue, int limit, Instant now) {
        int redriven = 0;
        while (redriven < limit) {
            int most = Math.min(REDRIVE_STEP, limit - redriven);
            int done = requests.ask(SqliteJobChanges.redriveAll(queue, most));
            redriven += done;
            if (done < most) {
                return redriven;
            }
        }
        return redriven;
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return requests.ask(SqliteJobChanges.cancel(id, time.stored(now)));
    }

    @Override
    public RunNowResult runNow(JobId id, Instant now) {
        return requests.ask(SqliteJobChanges.runNow(id, time.stored(now)));
    }

    @Override
    public ForgetQueueResult forget(QueueName queue) {
        counter.await();
        return requests.ask(SqliteJobChanges.forget(queue));
    }
}
