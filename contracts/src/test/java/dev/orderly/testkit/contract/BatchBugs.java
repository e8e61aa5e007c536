package dev.orderly.testkit.contract;

import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.BatchRules;
import dev.orderly.job.store.BatchSnapshot;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NewBatch;
import dev.orderly.job.store.NewJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The bugs of batches: callbacks too early or too often, and counts that are wrong. */
final class BatchBugs implements BatchStore {
    private final JobStore jobs;
    private final BatchStore batches;
    private final Bug bug;
    private final boolean restarted;
    private final Map<Long, NewBatch> opened = new HashMap<>();
    private final Map<Long, Long> mostDead = new HashMap<>();

    BatchBugs(JobStore jobs, Bug bug, boolean restarted) {
        this.jobs = jobs;
        this.batches = jobs.batches();
        this.bug = bug;
        this.restarted = restarted;
    }

    /** The pushed jobs, as the store sees them. */
    List<NewJob> pushed(List<NewJob> pushed) {
        return pushed.stream().map(job -> switch (bug) {
            case LETS_ANYBODY_INTO_CLOSED_BATCHES -> job.terms().isMember() && isRefused(job)
                    ? job.on(job.terms().withBatch(null), job.unique())
                    : job;
            case LOSES_MEMBERSHIPS -> job.on(job.terms().withBatch(null), job.unique());
            default -> job;
        }).toList();
    }

    private boolean isRefused(NewJob member) {
        return batches.find(BatchRules.link(member).number())
                .filter(batch -> batch.state() == BatchView.State.CLOSED).isPresent();
    }

    private BatchView wrong(BatchView batch) {
        BatchCounts counts = batch.counts();
        long dead = mostDead.merge(batch.number(), counts.dead(), Math::max);
        return switch (bug) {
            case LOSES_A_CONCURRENT_END -> with(batch, new BatchCounts(counts.pushed(),
                    counts.done() > 10 ? counts.done() - 1 : counts.done(), counts.dead(), counts.cancelled()));
            case KEEPS_REDRIVEN_MEMBERS_COUNTED -> with(batch, new BatchCounts(counts.pushed(), counts.done(), dead,
                    counts.cancelled()));
            case FORGETS_COUNTS_IN_A_CRASH -> restarted ? with(batch, BatchCounts.NONE) : batch;
            default -> batch;
        };
    }

    private static BatchView with(BatchView batch, BatchCounts counts) {
        return new BatchSnapshot(batch.name(), batch.number(), batch.whenDead(), batch.queue(), batch.user(), counts,
                batch.openedAt(),
                batch.closedAt(), batch.cancelledAt(), batch.finishedAt(), batch.callback());
    }

    @Override
    public Opening open(NewBatch batch, Instant now) {
        Opening opening = batches.open(batch, now);
        opened.put(opening.batch().number(), batch);
        return bug == Bug.REOPENS_FINISHED_BATCHES && opening.batch().finishedAt() != null
                ? new Opening(opening.batch(), true)
                : new Opening(wrong(opening.batch()), opening.accepted());
    }

    @Override
    public Optional<BatchView> find(BatchName name) {
        return batches.find(name).map(this::wrong);
    }

    @Override
    public Optional<BatchView> find(long number) {
        return batches.find(number).map(this::wrong);
    }

    @Override
    public List<BatchView> list(long below, int limit) {
        return batches.list(below, limit).stream().map(this::wrong).toList();
    }

    @Override
    public List<JobView> members(long number, JobState state, @Nullable JobId after, int limit) {
        return batches.members(number, state, after, limit);
    }

    @Override
    public Optional<BatchView> close(long number, Instant now) {
        return batches.close(number, now).map(this::wrong);
    }

    @Override
    public Optional<BatchView> cancel(long number, Instant now) {
        boolean waits = bug == Bug.KEEPS_CANCELLED_BATCHES_WAITING_FOR_DEAD_LETTERS;
        return (waits ? batches.close(number, now) : batches.cancel(number, now)).map(this::wrong);
    }

    @Override
    public Finished finish(Instant now) {
        List<QueueName> callbacks = new ArrayList<>();
        for (BatchView batch : batches.list(Long.MAX_VALUE, 100)) {
            boolean runsOnly = batches.members(batch.number(), JobState.WAITING, null, 1).isEmpty()
                    && batches.members(batch.number(), JobState.DELAYED, null, 1).isEmpty();
            if (bug == Bug.CALLS_BACK_BEFORE_THE_LAST_END && batch.state() == BatchView.State.CLOSED && runsOnly) {
                callbacks.add(callBack(batch, now));
            }
        }
        Finished finished = batches.finish(now);
        callbacks.addAll(finished.callbacks());
        if (bug == Bug.CALLS_BACK_TWICE) {
            batches.list(Long.MAX_VALUE, 100).stream().limit(finished.callbacks().size())
                    .forEach(batch -> callbacks.add(callBack(batch, now)));
        }
        return new Finished(callbacks, finished.cancelling(), finished.open(), finished.closed());
    }

    private QueueName callBack(BatchView batch, Instant now) {
        NewJob callback = Optional.ofNullable(opened.get(batch.number())).map(each -> each.callbackOf(batch))
                .orElseGet(() -> new NewJob(batch.queue(), null, Priority.NORMAL, null,
                        Payload.text("again"), Map.of(), null, null, null));
        jobs.push(List.of(callback), now);
        return batch.queue();
    }
}
