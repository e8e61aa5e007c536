package dev.orderly.testkit.contract.job;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobProgress;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A node as the store sees it. */
public record TestNode(JobTrial trial, NodeId id) {
    public static final JobFailure FAILURE = new JobFailure("It broke", "at Handler.java:7");

    Heartbeat beat() {
        return trial.jobs().beat(id);
    }

    ClaimedJobs claim(QueueName queue, int limit) {
        return claim(List.of(new ClaimRequest.Demand(queue, limit)));
    }

    ClaimedJobs claim(List<ClaimRequest.Demand> wants) {
        return trial.jobs().claim(new ClaimRequest(id, wants), trial.now());
    }

    /** Claims with a limit on the bytes of payload. */
    List<ClaimedJob> take(QueueName queue, int limit, long bytes) {
        return trial.jobs()
                .claim(new ClaimRequest(id, List.of(new ClaimRequest.Demand(queue, limit)), bytes), trial.now()).jobs();
    }

    List<ClaimedJob> take(QueueName queue, int limit) {
        return claim(queue, limit).jobs();
    }

    /** The next job of a queue, which must have one. On a FIFO queue, a job with no other job behind it. */
    public ClaimedJob takeOne(QueueName queue) {
        List<ClaimedJob> jobs = take(queue, 1);
        if (jobs.size() != 1) {
            throw new AssertionError("Expected one job of " + queue + ", got " + jobs);
        }
        return jobs.getFirst();
    }

    SettleResult settle(AttemptId attempt, AttemptOutcome outcome) {
        return trial.jobs().settle(List.of(new Settlement(id, attempt, outcome)), trial.now()).getFirst();
    }

    SettleResult settle(ClaimedJob job, AttemptOutcome outcome) {
        return settle(job.attempt(), outcome);
    }

    /** Settles all in one report. */
    List<SettleResult> settle(List<ClaimedJob> jobs, AttemptOutcome outcome) {
        return trial.jobs().settle(jobs.stream().map(job -> new Settlement(id, job.attempt(), outcome)).toList(),
                trial.now());
    }

    SettleResult done(ClaimedJob job) {
        return settle(job, new AttemptOutcome.Done(null));
    }

    List<SettleResult> done(List<ClaimedJob> jobs) {
        return settle(jobs, new AttemptOutcome.Done(null));
    }

    SettleResult retry(ClaimedJob job, Duration wait) {
        return settle(job, new AttemptOutcome.Retry(trial.in(wait), FAILURE));
    }

    SettleResult snooze(ClaimedJob job, Duration wait) {
        return settle(job, new AttemptOutcome.Snooze(trial.in(wait)));
    }

    /** Reports that an attempt was throttled. */
    SettleResult throttle(ClaimedJob job, Duration rest, boolean all) {
        return settle(job, new AttemptOutcome.Throttle(rest, all, trial.in(rest)));
    }

    SettleResult lease(ClaimedJob job, Duration length) {
        return settle(job, new AttemptOutcome.Leased(length));
    }

    SettleResult giveBack(ClaimedJob job) {
        return settle(job, new AttemptOutcome.GiveBack());
    }

    SettleResult dead(ClaimedJob job, boolean halt) {
        return settle(job, new AttemptOutcome.Dead(FAILURE, halt));
    }

    SettleResult progress(ClaimedJob job, JobProgress progress) {
        return trial.jobs().progress(List.of(new ProgressReport(id, job.attempt(), progress)), trial.now()).getFirst();
    }

    /** Claims and completes jobs until the queue gives no more; returns the bodies in the order of claims. */
    List<String> drain(QueueName queue) {
        return Stream.generate(() -> take(queue, 100)).takeWhile(jobs -> !jobs.isEmpty()).peek(this::done)
                .flatMap(List::stream).map(job -> job.payload().asText()).toList();
    }

    static List<String> bodies(List<ClaimedJob> jobs) {
        return jobs.stream().map(job -> job.payload().asText()).toList();
    }
}
