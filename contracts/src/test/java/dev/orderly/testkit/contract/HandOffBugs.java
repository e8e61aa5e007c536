package dev.orderly.testkit.contract;

import dev.orderly.job.NodeId;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.PushResult.Accepted;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The pushes of a {@link BuggyJobs} whose hand-off is wrong. */
final class HandOffBugs {
    private HandOffBugs() {}

    static List<PushResult> push(Bug bug, JobStore jobs, List<NewJob> pushes, Instant now) {
        return switch (bug) {
            case HANDS_OFF_WHAT_IT_DID_NOT_CLAIM ->
                pushes.stream().map(job -> unclaimed(jobs.push(List.of(plain(job)), now).getFirst(), job)).toList();
            case HANDS_OFF_DESPITE_A_PAUSE -> {
                pushes.forEach(job -> jobs.pause(job.queue(), false));
                yield jobs.push(pushes, now);
            }
            case HANDS_OFF_TO_NODES_THAT_ARE_NOT_ALIVE -> {
                pushes.stream().flatMap(job -> Stream.ofNullable(job.claimer())).forEach(jobs::beat);
                yield jobs.push(pushes, now);
            }
            default -> outOfTurn(jobs, pushes, now);
        };
    }

    private static PushResult unclaimed(PushResult result, NewJob job) {
        return result instanceof Accepted && job.claimer() != null ? new Accepted(result.id(), true) : result;
    }

    /** Claims whatever it can for the claimers, and gives back what they did not push. */
    private static List<PushResult> outOfTurn(JobStore jobs, List<NewJob> pushes, Instant now) {
        List<PushResult> results = jobs.push(pushes.stream().map(HandOffBugs::plain).toList(), now);
        List<PushResult> answers = new ArrayList<>();
        for (int n = 0; n < pushes.size(); n++) {
            PushResult result = results.get(n);
            NodeId node = pushes.get(n).claimer();
            answers.add(node != null && result instanceof Accepted && claims(jobs, node, pushes.get(n), result, now)
                    ? new Accepted(result.id(), true)
                    : result);
        }
        return answers;
    }

    private static boolean claims(JobStore jobs, NodeId node, NewJob job, PushResult pushed, Instant now) {
        List<ClaimedJob> claimed = jobs
                .claim(new ClaimRequest(node, List.of(new ClaimRequest.Demand(job.queue(), 1_000))), now).jobs();
        jobs.settle(claimed.stream().filter(each -> !each.id().equals(pushed.id()))
                .map(each -> new Settlement(node, each.attempt(), new AttemptOutcome.GiveBack())).toList(), now);
        return claimed.stream().anyMatch(each -> each.id().equals(pushed.id()));
    }

    private static NewJob plain(NewJob job) {
        return new NewJob(job.queue(), job.group(), Priority.NORMAL, job.runAt(), job.payload(), job.params(),
                job.user(), job.dedupe(), job.idempotency());
    }
}
