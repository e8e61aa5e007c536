package dev.orderly.testkit.contract;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A memory store with a planted bug in its jobs. */
final class BuggyStore extends BuggedStore {
    private final BuggyJobs jobs;
    private final Bug bug;

    BuggyStore(MemoryStore store, Bug bug, Time clock) {
        this(new BuggyJobs(store, bug, clock), bug);
    }

    private BuggyStore(BuggyJobs jobs, Bug bug) {
        super(jobs.store(), bug);
        this.jobs = jobs;
        this.bug = bug;
    }

    BuggyStore crash() {
        return new BuggyStore(jobs.crash(), bug);
    }

    @Override
    public JobStore jobs() {
        return jobs;
    }

    @Override
    public JobViews jobViews() {
        JobViews views = super.jobViews();
        return switch (bug) {
            case KEEPS_THE_LAST_ATTEMPT_ONLY, COUNTS_PENDING_JOBS_OF_ALL_KEYS, KEEPS_STEPS_OF_THE_LAST_ATTEMPT_ONLY ->
                new WrongViews(views, bug);
            case FORGETS_STEPS_IN_A_CRASH, FORGETS_EVENTS_IN_A_CRASH ->
                jobs.isRestarted() ? new WrongViews(views, bug) : views;
            default -> views;
        };
    }

    /** Views with the last kept attempt of each job, without steps, or with too many pending jobs of each key. */
    private record WrongViews(JobViews views, Bug bug) implements JobViews {
        @Override
        public Optional<JobView> find(JobId id) {
            return views.find(id);
        }

        @Override
        public List<JobAttempt> attempts(JobId id) {
            List<JobAttempt> all = views.attempts(id);
            return all.isEmpty() || bug != Bug.KEEPS_THE_LAST_ATTEMPT_ONLY ? all : List.of(all.getLast());
        }

        @Override
        public List<JobStep> steps(JobId id) {
            List<JobStep> all = views.steps(id);
            return switch (bug) {
                case FORGETS_STEPS_IN_A_CRASH -> List.of();
                case KEEPS_STEPS_OF_THE_LAST_ATTEMPT_ONLY -> all.stream()
                        .filter(step -> step.attempt() == views.find(id).orElseThrow().attempt()).toList();
                default -> all;
            };
        }

        @Override
        public List<JobEvent> events(JobId id) {
            return bug == Bug.FORGETS_EVENTS_IN_A_CRASH ? List.of() : views.events(id);
        }

        @Override
        public List<JobView> list(QueueName queue, JobState state, @Nullable JobId after, int limit) {
            return views.list(queue, state, after, limit);
        }

        @Override
        public int ahead(JobId id, int limit) {
            return views.ahead(id, limit);
        }

        @Override
        public Optional<JobId> blocker(JobId id) {
            return views.blocker(id);
        }

        @Override
        public Set<NodeId> workers(QueueName queue) {
            return views.workers(queue);
        }

        @Override
        public List<QueueView> queues() {
            return views.queues();
        }

        @Override
        public List<KeyCounts> keyCounts() {
            List<KeyCounts> counts = views.keyCounts();
            return bug == Bug.COUNTS_PENDING_JOBS_OF_ALL_KEYS
                    ? counts.stream().map(each -> new KeyCounts(each.queue(), each.ready() + each.held(), 0,
                            each.paused())).toList()
                    : counts;
        }

        @Override
        public List<KeyView> keys(QueueName queue, @Nullable String key, int limit) {
            return views.keys(queue, key, limit);
        }

        @Override
        public Map<String, Integer> pending(QueueName queue, Set<String> keys, int limit) {
            Map<String, Integer> pending = new HashMap<>(views.pending(queue, keys, limit));
            if (bug == Bug.COUNTS_PENDING_JOBS_OF_ALL_KEYS) {
                int all = pending.values().stream().mapToInt(Integer::intValue).sum();
                pending.replaceAll((_, _) -> all);
            }
            return pending;
        }

        @Override
        public List<LimitView> limits() {
            return views.limits();
        }
    }
}
