package dev.orderly.testkit.contract;

import dev.orderly.job.Attempt;
import dev.orderly.job.Beat;
import dev.orderly.job.CancelResult;
import dev.orderly.job.ClaimRequest;
import dev.orderly.job.Claims;
import dev.orderly.job.Ending;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStore;
import dev.orderly.job.JobView;
import dev.orderly.job.NewJob;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.ProgressReport;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.SettleResult;
import dev.orderly.job.Settlement;
import dev.orderly.job.UpkeepReport;
import dev.orderly.job.UpkeepRequest;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The memory store behind a decorator that gets one thing wrong. */
final class BuggyStore extends BuggedStore implements JobStore {
    private final JobStore jobs;
    private final Bug bug;
    private final Map<JobId, NodeId> holders = new HashMap<>();
    private Instant latest = Instant.EPOCH;

    BuggyStore(MemoryStore store, Bug bug) {
        super(store, bug);
        this.jobs = store.jobs();
        this.bug = bug;
    }

    BuggyStore crash() {
        BuggyStore next = new BuggyStore(bug == Bug.LOSES_EVERYTHING ? new MemoryStore() : store.crash(), bug);
        if (bug == Bug.RESUMES_AT_START) {
            next.store.jobViews().queues().forEach(view -> next.jobs.pause(view.queue(), false));
        }
        return next;
    }

    @Override
    public List<PushResult> push(List<NewJob> batch, Instant asked) {
        Instant now = latest(asked);
        return switch (bug) {
            case TURNS_BATCHES_ROUND -> jobs.push(batch.reversed(), now);
            case FORGETS_KEYS_OF_THE_DONE -> jobs.push(batch, now).stream().map(answer -> forget(answer, batch, now))
                    .toList();
            default -> jobs.push(batch, now);
        };
    }

    private PushResult forget(PushResult answer, List<NewJob> batch, Instant now) {
        boolean done = answer instanceof PushResult.Duplicate
                && store.jobViews().find(answer.id()).map(JobView::state).equals(Optional.of(JobState.DONE));
        NewJob job = batch.getFirst();
        return done
                ? jobs.push(List.of(new NewJob(job.queue(), job.group(), job.priority(), job.runAt(), job.payload(),
                        job.params(), job.user(), null, null)), now).getFirst()
                : answer;
    }

    @Override
    public Claims claim(ClaimRequest request, Instant now) {
        Claims claims = jobs.claim(request, bug == Bug.IS_EARLY ? now.plus(Duration.ofSeconds(1)) : now);
        claims.jobs().forEach(job -> holders.put(job.id(), request.node()));
        return bug == Bug.ASKS_FOR_THE_PAST ? new Claims(claims.jobs(), now.minusSeconds(1)) : claims;
    }

    /** The time of the bug that takes the last moment it heard of for now. */
    private Instant latest(Instant now) {
        latest = bug == Bug.NEVER_GOES_BACK && latest.isAfter(now) ? latest : now;
        return latest;
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        List<SettleResult> answers = new ArrayList<>();
        for (Settlement one : settlements) {
            answers.addAll(jobs.settle(List.of(distorted(one)), now));
            if (bug == Bug.RETRIES_AT_THE_END && one.ending() instanceof Ending.Retry
                    && answers.getLast() == SettleResult.ACCEPTED && one.attempt().queue().isFifo()) {
                pushAgain(one.attempt().id(), now);
            }
        }
        return answers;
    }

    private void pushAgain(JobId id, Instant now) {
        JobView view = store.jobViews().find(id).orElseThrow();
        Payload payload = Objects.requireNonNull(view.payload());
        if (jobs.cancel(id, now) == CancelResult.CANCELLED) {
            jobs.push(List.of(new NewJob(view.queue(), view.group(), view.priority(), null, payload, view.params(),
                    view.user(), null, null)), now);
        }
    }

    private Settlement distorted(Settlement one) {
        return switch (bug) {
            case FORGETS_WHICH_ATTEMPT -> new Settlement(one.node(), newest(one.attempt()), one.ending());
            case FORGETS_WHICH_NODE -> new Settlement(holders.getOrDefault(one.attempt().id(), one.node()),
                    one.attempt(), one.ending());
            case COUNTS_SNOOZES -> one.ending() instanceof Ending.Snooze snooze
                    ? new Settlement(one.node(), one.attempt(), new Ending.Retry(snooze.at(), Node.FAILURE))
                    : one;
            case NEVER_HALTS -> one.ending() instanceof Ending.Dead dead
                    ? new Settlement(one.node(), one.attempt(), new Ending.Dead(dead.failure(), false))
                    : one;
            default -> one;
        };
    }

    private Attempt newest(Attempt attempt) {
        int number = store.jobViews().find(attempt.id()).map(JobView::attempt).orElse(attempt.number());
        return new Attempt(attempt.id(), attempt.queue(), number);
    }

    @Override
    public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
        return bug != Bug.FORGETS_WHICH_ATTEMPT
                ? jobs.progress(reports, now)
                : jobs.progress(reports.stream()
                        .map(one -> new ProgressReport(one.node(), newest(one.attempt()), one.progress())).toList(),
                        now);
    }

    @Override
    public int release(NodeId node, Set<JobId> except, Instant now) {
        return jobs.release(node, except, now);
    }

    @Override
    public Beat beat(NodeId node, Instant now) {
        Beat beat = jobs.beat(node, now);
        return bug == Bug.TELLS_NOBODY ? new Beat(beat.alive(), Set.of()) : beat;
    }

    @Override
    public UpkeepReport upkeep(UpkeepRequest request, Instant now) {
        return jobs.upkeep(bug != Bug.CRASHES_UNCOUNTED
                ? request
                : new UpkeepRequest(request.deadBefore(), Integer.MAX_VALUE, request.halting(), request.keep(),
                        request.limit()),
                now);
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        jobs.pause(queue, paused);
    }

    @Override
    public int redrive(QueueName queue, List<JobId> ids, int limit, Instant now) {
        return jobs.redrive(queue, ids, limit, now);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return jobs.cancel(id, now);
    }

    @Override
    public JobStore jobs() {
        return this;
    }
}
