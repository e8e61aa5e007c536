package dev.orderly.job.engine;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.payload.UnreadablePayloadException;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobViews;
import dev.orderly.store.StoreException;
import dev.orderly.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The jobs whose payloads this node's version cannot read: it gives them back uncounted and claims none of them again
 * while they wait for another node. A job that no live node of its queue could read for the queue's time becomes a dead
 * letter, by a node that tries it once more. Thread-safe.
 *
 * <p>At most {@value #MOST} jobs are remembered. A further one waits for {@link #AGAIN} instead, for all nodes.
 */
final class UnreadableJobs {
    static final int MOST = ClaimRequest.PASSED_MAX;
    static final Duration AGAIN = Duration.ofSeconds(30);
    /** Jobs that one round of {@link #look} asks the store about. */
    private static final int LOOKS = 100;
    private static final Duration NEXT_TRY = Duration.ofMinutes(1);

    private final JobViews views;
    private final EngineOptions options;
    private final ConcurrentMap<JobId, Passed> jobs = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Set<JobId> ids = Set.of();

    /** A job that was given back; from the monotonic moment on this node tries it again. */
    private record Passed(DeclaredQueue queue, long tryAt, long lookedAt) {}

    UnreadableJobs(JobViews views, EngineOptions options) {
        this.views = views;
        this.options = options;
    }

    /** The jobs that a claim is not to get. */
    Set<JobId> ids() {
        return ids;
    }

    /** The outcome of a job that this node has claimed and cannot read. Blocks on the store if it was tried before. */
    AttemptOutcome outcome(DeclaredQueue queue, ClaimedJob job, UnreadablePayloadException reason) {
        String why = String.valueOf(reason.getMessage());
        Duration patience = queue.options().unreadableFor();
        List<JobAttempt> unread = job.attempt().number() == 1 || patience.isZero() ? List.of() : unread(job);
        Instant now = options.time().now();
        Instant end = unread.stream().map(JobAttempt::endedAt).filter(Objects::nonNull).min(Instant::compareTo)
                .orElse(now).plus(patience);
        if (!end.isAfter(now) && (patience.isZero() || allTried(queue, unread))) {
            forget(job.id());
            return OutcomeRules.dead(queue, job, JobAttempt.End.FAILED, new JobFailure(patience.isZero()
                    ? why
                    : "No live node could read the payload for " + DurationText.of(patience) + ": " + why,
                    JobFailure.stackOf(reason)));
        }
        queue.unreadable.warn("Job {} of {} is left to nodes of another version: {}", job.id(), queue.name, why);
        long tryAt = options.time().deadline(end.isAfter(now) ? Duration.between(now, end) : NEXT_TRY);
        boolean remembered = remember(job.id(), new Passed(queue, tryAt, options.time().nanos()));
        long jitter = options.random().nextLong(AGAIN.toNanos());
        return new AttemptOutcome.Unread(new JobFailure(why, ""),
                remembered ? null : now.plus(AGAIN).plusNanos(jitter));
    }

    private List<JobAttempt> unread(ClaimedJob job) {
        try {
            return AttemptSnapshot.unread(views.attempts(job.id()));
        } catch (StoreException e) {
            return List.of(); // a later try asks again
        }
    }

    private boolean allTried(DeclaredQueue queue, List<JobAttempt> unread) {
        Set<NodeId> tried = new HashSet<>(Set.of(options.node()));
        unread.forEach(attempt -> Optional.ofNullable(attempt.run().node()).ifPresent(tried::add));
        return unread.size() >= JobAttempt.UNREAD_MAX || tried.containsAll(workers(queue));
    }

    /** The live nodes of a queue; one unknown node if the store does not answer. */
    private Set<NodeId> workers(DeclaredQueue queue) {
        try {
            return views.workers(queue.name);
        } catch (StoreException e) {
            return Set.of(new NodeId("unknown"));
        }
    }

    private boolean remember(JobId job, Passed passed) {
        lock.lock();
        try {
            boolean room = jobs.containsKey(job) || jobs.size() < MOST;
            if (room) {
                jobs.put(job, passed);
                ids = Set.copyOf(jobs.keySet());
            }
            return room;
        } finally {
            lock.unlock();
        }
    }

    private void forget(JobId job) {
        lock.lock();
        try {
            if (jobs.remove(job) != null) {
                ids = Set.copyOf(jobs.keySet());
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Forgets jobs that have ended, and those to try again; the jobs behind them in their groups may run here then.
     * Blocks on the store for at most {@value #LOOKS} jobs.
     *
     * @return the queues of the forgotten jobs
     */
    Set<DeclaredQueue> look() {
        Set<DeclaredQueue> changed = new HashSet<>();
        List<Map.Entry<JobId, Passed>> oldest = jobs.entrySet().stream()
                .sorted((one, other) -> Long.compare(one.getValue().lookedAt - other.getValue().lookedAt, 0))
                .limit(LOOKS).toList();
        for (Map.Entry<JobId, Passed> each : oldest) {
            Passed passed = each.getValue();
            if (options.time().reached(passed.tryAt) || isGone(each.getKey())) {
                forget(each.getKey());
                changed.add(passed.queue);
            } else {
                jobs.replace(each.getKey(), passed, new Passed(passed.queue, passed.tryAt, options.time().nanos()));
            }
        }
        return changed;
    }

    private boolean isGone(JobId job) {
        return views.find(job).map(JobView::state).orElse(JobState.DONE).isEnd();
    }
}
