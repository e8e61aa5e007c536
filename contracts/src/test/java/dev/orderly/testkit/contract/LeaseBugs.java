package dev.orderly.testkit.contract;

import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.LeaseRules;
import dev.orderly.testkit.contract.job.TestNode;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bugs of leases: what a store does to a job after it was leased. */
final class LeaseBugs {
    private final Bug bug;
    private final Time clock;
    private final Map<JobId, Lease> leases = new HashMap<>();

    /** A lease, with the node that had the job before. */
    private record Lease(AttemptId attempt, NodeId node, Instant until) {}

    LeaseBugs(Bug bug, Time clock) {
        this.bug = bug;
        this.clock = clock;
    }

    /** The settlement as a store with the bug understands it. */
    Settlement distorted(Settlement settlement) {
        Lease lease = leases.get(settlement.attempt().id());
        boolean own = lease != null && lease.node.equals(settlement.node());
        return own && bug == Bug.LEAVES_LEASED_JOBS_TO_THEIR_NODE
                ? new Settlement(null, settlement.attempt(), settlement.outcome())
                : settlement;
    }

    SettleResult answered(Settlement settlement, SettleResult result) {
        NodeId node = settlement.node();
        if (node != null && settlement.outcome() instanceof AttemptOutcome.Leased leased
                && result == SettleResult.ACCEPTED) {
            leases.put(settlement.attempt().id(),
                    new Lease(settlement.attempt(), node, clock.now().plus(leased.length())));
        }
        return bug == Bug.LEASES_DESPITE_A_CANCELLATION && result == SettleResult.CANCELLED
                ? SettleResult.ACCEPTED
                : result;
    }

    /** Runs before a round of upkeep. */
    UpkeepRequest upkeep(JobStore jobs, UpkeepRequest request, Collection<NodeId> silent, Instant now) {
        switch (bug) {
            case GIVES_BACK_LEASED_JOBS_OF_DEAD_NODES -> leases.values().stream()
                    .filter(lease -> silent.contains(lease.node))
                    .forEach(lease -> end(jobs, lease, new AttemptOutcome.GiveBack(), now));
            case ENDS_LEASES_WITHOUT_A_FAILURE -> over(clock.now())
                    .forEach(lease -> end(jobs, lease, new AttemptOutcome.GiveBack(), now));
            case ENDS_LEASES_BY_THE_CALLERS_CLOCK -> over(now)
                    .forEach(lease -> end(jobs, lease, new AttemptOutcome.Retry(now, TestNode.FAILURE), now));
            default -> {
            }
        }
        return bug == Bug.NEVER_ENDS_LEASES
                ? new UpkeepRequest(request.deadAfter(), request.crashLimit(), request.onDead(), request.keep(),
                        request.limit(), new LeaseRules(false, Map.of()))
                : request;
    }

    void crashed(JobStore jobs) {
        if (bug == Bug.LOSES_LEASES_IN_A_CRASH) {
            leases.values().forEach(lease -> end(jobs, lease, new AttemptOutcome.GiveBack(), clock.now()));
        }
    }

    private List<Lease> over(Instant moment) {
        return leases.values().stream().filter(lease -> lease.until.isBefore(moment)).toList();
    }

    private static void end(JobStore jobs, Lease lease, AttemptOutcome outcome, Instant now) {
        jobs.settle(List.of(new Settlement(null, lease.attempt, outcome)), now);
    }
}
