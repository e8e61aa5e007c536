package dev.orderly.job.store;

import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.CancelResult;
import dev.orderly.job.EventResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.store.ObservedCalls;
import dev.orderly.store.StoreOperation;
import dev.orderly.store.StorePromise;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A store of jobs whose calls and answers observers see, also answers that contradict a promise. It answers as the
 * store behind it does.
 */
public sealed class ObservedJobStore implements JobStore {
    private final JobStore store;
    private final ObservedCalls calls;
    private final JobObserver observer;

    private ObservedJobStore(JobStore store, ObservedCalls calls, JobObserver observer) {
        this.store = store;
        this.calls = calls;
        this.observer = observer;
    }

    /** An observed store, which has group commit if the store behind it has. */
    public static JobStore of(JobStore store, ObservedCalls calls, JobObserver observer) {
        return store instanceof GroupCommit
                ? new Grouping(store, calls, observer)
                : new ObservedJobStore(store, calls, observer);
    }

    private static final class Grouping extends ObservedJobStore implements GroupCommit {
        Grouping(JobStore store, ObservedCalls calls, JobObserver observer) {
            super(store, calls, observer);
        }
    }

    @Override
    public List<PushResult> push(List<NewJob> jobs, Instant now) {
        List<PushResult> results = calls.call(StoreOperation.PUSH, jobs.size(), () -> store.push(jobs, now));
        answersAll("push", jobs, results);
        for (int n = 0; n < results.size(); n++) {
            NewJob job = jobs.get(n);
            PushResult result = results.get(n);
            observer.pushed(job.queue(), result);
            if (result instanceof PushResult.Accepted(JobId id, boolean handedOff) && handedOff) {
                observer.claimed(ClaimedJob.handedOff(id, job), Duration.ZERO);
            }
        }
        return results;
    }

    @Override
    public ClaimedJobs claim(ClaimRequest request, Instant now) {
        int wanted = request.wants().stream().mapToInt(ClaimRequest.Demand::limit).sum();
        ClaimedJobs claimed = calls.call(StoreOperation.CLAIM, wanted, () -> store.claim(request, now));
        if (calls.areObserved()) {
            check(request, claimed.jobs());
        }
        for (ClaimedJob job : claimed.jobs()) {
            Duration age = Duration.between(job.id().pushedAt(), now);
            observer.claimed(job, age.isNegative() ? Duration.ZERO : age);
        }
        return claimed;
    }

    private void answersAll(String call, List<?> asked, List<?> answers) {
        calls.expect(answers.size() == asked.size(), StorePromise.ANSWERS,
                () -> "a " + call + " of " + asked.size() + " has " + answers.size() + " answers");
    }

    private void check(ClaimRequest request, List<ClaimedJob> jobs) {
        Map<QueueName, Integer> free = new HashMap<>();
        request.wants().forEach(want -> free.merge(want.queue(), want.limit(), Integer::sum));
        Set<JobId> ids = new HashSet<>();
        Map<List<String>, Long> last = new HashMap<>();
        for (ClaimedJob job : jobs) {
            Long before = job.group() == null
                    ? null
                    : last.put(List.of(job.queue().value(), job.group()), job.sequence());
            calls.expect(before == null || before < job.sequence(), StorePromise.GROUP_ORDER,
                    () -> "job " + job.id() + " of group " + job.group() + " comes behind number " + before);
            // of a FIFO queue the limit is that of groups
            int left = before == null ? free.merge(job.queue(), -1, Integer::sum) : 0;
            calls.expect(left >= 0, StorePromise.CLAIM, () -> "more than was asked for of queue " + job.queue());
            calls.expect(ids.add(job.id()), StorePromise.CLAIM, () -> "job " + job.id() + " twice");
        }
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        List<SettleResult> results = calls.call(StoreOperation.SETTLE, settlements.size(),
                () -> store.settle(settlements, now));
        answersAll("settlement", settlements, results);
        for (int n = 0; n < results.size(); n++) {
            observer.settled(settlements.get(n), results.get(n));
        }
        return results;
    }

    @Override
    public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
        return calls.call(StoreOperation.PROGRESS, reports.size(), () -> store.progress(reports, now));
    }

    @Override
    public StepResult keep(StepReport report, Instant now) {
        return calls.call(StoreOperation.KEEP_STEP, 1, () -> store.keep(report, now));
    }

    @Override
    public AwaitAnswer await(EventWait wait, Instant now) {
        return calls.call(StoreOperation.AWAIT_EVENT, 1, () -> store.await(wait, now));
    }

    @Override
    public EventResult event(NewEvent event, Instant now) {
        return calls.call(StoreOperation.KEEP_EVENT, 1, () -> store.event(event, now));
    }

    @Override
    public int release(NodeId node, Set<JobId> except, Instant now) {
        return calls.call(StoreOperation.RELEASE, 1, () -> store.release(node, except, now));
    }

    @Override
    public Set<JobId> held(NodeId node) {
        return store.held(node);
    }

    @Override
    public int leave(NodeId node, Instant now) {
        return calls.call(StoreOperation.LEAVE, 1, () -> store.leave(node, now));
    }

    @Override
    public Heartbeat beat(NodeId node, Set<QueueName> works) {
        return calls.call(StoreOperation.BEAT, 1, () -> store.beat(node, works));
    }

    @Override
    public UpkeepReport upkeep(UpkeepRequest request, Instant now) {
        UpkeepReport report = calls.call(StoreOperation.UPKEEP, 1, () -> store.upkeep(request, now));
        observer.upkept(report);
        return report;
    }

    @Override
    public BatchStore batches() {
        return new ObservedBatches(store.batches(), calls);
    }

    private record ObservedBatches(BatchStore store, ObservedCalls calls) implements BatchStore {
        @Override
        public Opening open(NewBatch batch, Instant now) {
            return calls.call(StoreOperation.OPEN_BATCH, 1, () -> store.open(batch, now));
        }

        @Override
        public Optional<BatchView> find(BatchName name) {
            return store.find(name);
        }

        @Override
        public Optional<BatchView> find(long number) {
            return store.find(number);
        }

        @Override
        public List<BatchView> list(long below, int limit) {
            return store.list(below, limit);
        }

        @Override
        public List<JobView> members(long number, JobState state, @Nullable JobId after, int limit) {
            return store.members(number, state, after, limit);
        }

        @Override
        public Optional<BatchView> close(long number, Instant now) {
            return calls.call(StoreOperation.CLOSE_BATCH, 1, () -> store.close(number, now));
        }

        @Override
        public Optional<BatchView> cancel(long number, Instant now) {
            return calls.call(StoreOperation.CANCEL_BATCH, 1, () -> store.cancel(number, now));
        }

        @Override
        public Finished finish(Instant now) {
            return calls.call(StoreOperation.FINISH_BATCHES, 1, () -> store.finish(now));
        }

        /** Unobserved, as the other calls on a connection of the caller are. */
        @Override
        public BatchStore in(CallersTransaction transaction) {
            return store.in(transaction);
        }
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        calls.run(StoreOperation.PAUSE, 1, () -> store.pause(queue, paused));
    }

    @Override
    public SetResult set(QueueName queue, String key, KeySettings expected, KeySettings next) {
        return calls.call(StoreOperation.SET_KEY, 1, () -> store.set(queue, key, expected, next));
    }

    @Override
    public int redrive(QueueName queue, List<JobId> ids, int limit, Instant now) {
        return calls.call(StoreOperation.REDRIVE, 1, () -> store.redrive(queue, ids, limit, now));
    }

    @Override
    public int redriveAll(QueueName queue, int limit, Instant now) {
        return calls.call(StoreOperation.REDRIVE, 1, () -> store.redriveAll(queue, limit, now));
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return calls.call(StoreOperation.CANCEL, 1, () -> store.cancel(id, now));
    }

    @Override
    public RunNowResult runNow(JobId id, Instant now) {
        return calls.call(StoreOperation.RUN_NOW, 1, () -> store.runNow(id, now));
    }

    @Override
    public ForgetQueueResult forget(QueueName queue) {
        return calls.call(StoreOperation.FORGET, 1, () -> store.forget(queue));
    }
}
