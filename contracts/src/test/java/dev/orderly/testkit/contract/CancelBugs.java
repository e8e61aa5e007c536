package dev.orderly.testkit.contract;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.Settlement;
import dev.orderly.testkit.MemoryStore;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The bugs of requests to cancel held jobs: they are kept apart, and reach the store in time for every end of an
 * attempt but the one at which the bug erases them.
 */
final class CancelBugs {
    private static final Set<Bug> BUGS = Set.of(Bug.ERASES_CANCELS_AT_A_GIVE_BACK, Bug.ERASES_CANCELS_AT_A_RETRY,
            Bug.ERASES_CANCELS_AT_A_RELEASE, Bug.ERASES_CANCELS_AT_A_DEATH, Bug.ERASES_CANCELS_IN_A_CRASH);

    private final MemoryStore store;
    private final Bug bug;
    private final Set<JobId> asked = new HashSet<>();

    CancelBugs(MemoryStore store, Bug bug) {
        this.store = store;
        this.bug = bug;
    }

    CancelResult cancel(JobStore jobs, JobId id, Instant now) {
        if (!BUGS.contains(bug) || holder(id) == null) {
            return jobs.cancel(id, now);
        }
        asked.add(id);
        return CancelResult.REQUESTED;
    }

    /** The answer to a heartbeat, with the requests that the store does not know yet. */
    Heartbeat told(NodeId node, Heartbeat beat) {
        Set<JobId> cancelled = new HashSet<>(beat.cancelled());
        asked.stream().filter(id -> node.equals(holder(id))).forEach(cancelled::add);
        return new Heartbeat(beat.alive(), cancelled, beat.paused());
    }

    /** Runs before a settlement. */
    void settles(JobStore jobs, Settlement settlement, Instant now) {
        Bug erases = switch (settlement.outcome()) {
            case AttemptOutcome.GiveBack _ -> Bug.ERASES_CANCELS_AT_A_GIVE_BACK;
            case AttemptOutcome.Retry _ -> Bug.ERASES_CANCELS_AT_A_RETRY;
            default -> Bug.NONE;
        };
        ends(jobs, settlement.attempt().id()::equals, erases, now);
    }

    /** Runs before attempts of nodes end in a way at which one bug erases the requests. */
    void ends(JobStore jobs, Collection<NodeId> nodes, Bug erases, Instant now) {
        ends(jobs, id -> nodes.contains(holder(id)), erases, now);
    }

    /** Runs before the process dies. */
    void crashes(JobStore jobs, Instant now) {
        ends(jobs, _ -> true, Bug.ERASES_CANCELS_IN_A_CRASH, now);
    }

    private void ends(JobStore jobs, Predicate<JobId> which, Bug erases, Instant now) {
        for (JobId id : asked.stream().filter(which).toList()) {
            asked.remove(id);
            if (bug != erases) {
                jobs.cancel(id, now);
            }
        }
    }

    private @Nullable NodeId holder(JobId id) {
        return store.jobViews().find(id).map(JobView::run).map(JobRun::node).orElse(null);
    }
}
