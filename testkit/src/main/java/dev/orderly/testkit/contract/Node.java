package dev.orderly.testkit.contract;

import dev.orderly.job.Attempt;
import dev.orderly.job.ClaimRequest;
import dev.orderly.job.ClaimedJob;
import dev.orderly.job.Ending;
import dev.orderly.job.Failure;
import dev.orderly.job.JobStore.Beat;
import dev.orderly.job.JobStore.Claims;
import dev.orderly.job.JobStore.ProgressReport;
import dev.orderly.job.JobStore.SettleResult;
import dev.orderly.job.NodeId;
import dev.orderly.job.Progress;
import dev.orderly.job.QueueName;
import dev.orderly.job.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A node as the store sees it. */
record Node(Trial trial, NodeId id) {
    static final Failure FAILURE = new Failure("It broke", "at Handler.java:7");

    Beat beat() {
        return trial.jobs().beat(id);
    }

    Claims claim(QueueName queue, int lines) {
        return claim(List.of(new ClaimRequest.Want(queue, lines)));
    }

    Claims claim(List<ClaimRequest.Want> wants) {
        return trial.jobs().claim(new ClaimRequest(id, wants), trial.now());
    }

    /** Claims with a limit on the bytes of payload. */
    List<ClaimedJob> take(QueueName queue, int lines, long bytes) {
        return trial.jobs()
                .claim(new ClaimRequest(id, List.of(new ClaimRequest.Want(queue, lines)), bytes), trial.now()).jobs();
    }

    List<ClaimedJob> take(QueueName queue, int lines) {
        return claim(queue, lines).jobs();
    }

    /** The next job of a queue, which must have one. On a FIFO queue, a job with no other job behind it. */
    ClaimedJob takeOne(QueueName queue) {
        List<ClaimedJob> jobs = take(queue, 1);
        if (jobs.size() != 1) {
            throw new AssertionError("Expected one job of " + queue + ", got " + jobs);
        }
        return jobs.getFirst();
    }

    SettleResult settle(Attempt attempt, Ending ending) {
        return trial.jobs().settle(List.of(new Settlement(id, attempt, ending)), trial.now()).getFirst();
    }

    SettleResult settle(ClaimedJob job, Ending ending) {
        return settle(job.attempt(), ending);
    }

    /** Settles all in one report. */
    List<SettleResult> settle(List<ClaimedJob> jobs, Ending ending) {
        return trial.jobs().settle(jobs.stream().map(job -> new Settlement(id, job.attempt(), ending)).toList(),
                trial.now());
    }

    SettleResult done(ClaimedJob job) {
        return settle(job, new Ending.Done(null));
    }

    List<SettleResult> done(List<ClaimedJob> jobs) {
        return settle(jobs, new Ending.Done(null));
    }

    SettleResult retry(ClaimedJob job, Duration wait) {
        return settle(job, new Ending.Retry(trial.in(wait), FAILURE));
    }

    SettleResult snooze(ClaimedJob job, Duration wait) {
        return settle(job, new Ending.Snooze(trial.in(wait)));
    }

    SettleResult giveBack(ClaimedJob job) {
        return settle(job, new Ending.GiveBack());
    }

    SettleResult dead(ClaimedJob job, boolean halt) {
        return settle(job, new Ending.Dead(FAILURE, halt));
    }

    SettleResult progress(ClaimedJob job, Progress progress) {
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
