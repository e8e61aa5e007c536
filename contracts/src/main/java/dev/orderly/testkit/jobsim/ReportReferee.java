package dev.orderly.testkit.jobsim;

import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.testkit.jobsim.TrackedJob.Report;
import dev.orderly.testkit.jobsim.TrackedJob.Run;

/** Judges the reports of workers elsewhere: none is refused before the lease ends. */
final class ReportReferee {
    private final TrackedJobs jobs;
    private final GroupReferee groups;
    private final Turns turns;
    private final RunTimeline timeline;

    ReportReferee(TrackedJobs jobs, GroupReferee groups, Turns turns, RunTimeline timeline) {
        this.jobs = jobs;
        this.groups = groups;
        this.turns = turns;
        this.timeline = timeline;
    }

    void prolonged(AttemptId attempt, long until) {
        TrackedJob job = jobs.get(attempt.id());
        job.running.computeIfPresent(attempt.number(),
                (_, run) -> new Run(null, run.began(), Math.max(run.until(), until)));
        timeline.note(null, job.subject(), "lease of " + job.number + " prolonged");
    }

    /** A worker is about to report: from now on the job may have ended. */
    void reporting(AttemptId attempt, char plan) {
        TrackedJob job = jobs.get(attempt.id());
        timeline.note(null, job.subject(), "report of " + job.number + ", attempt " + attempt.number() + ": " + plan);
        Run run = job.running.get(attempt.number());
        job.reported.put(attempt.number(), new Report(plan, run == null ? 0 : run.until()));
        over(job, attempt);
        job.lastEnd = turns.now();
        switch (plan) {
            case 'd' -> job.unprocessable = true;
            case 'f', 'l' -> job.failures++;
            case 's', Work.AWAITS -> {
            }
            default -> job.succeeded = true;
        }
    }

    void accepted(AttemptId attempt, char plan) {
        TrackedJob job = jobs.get(attempt.id());
        timeline.note(null, job.subject(), "report of " + job.number + " accepted");
        if (plan == 'o') {
            job.endedAt = Math.min(job.endedAt, turns.now());
            job.mayNotStart = "starts after the report that it is done was accepted";
        }
        if (plan == Work.AWAITS && job.lastAttempt == attempt.number()) {
            job.awaiting = new Run(null, turns.now(), Long.MAX_VALUE);
        }
    }

    /** @param sure whether no earlier report of the attempt may have taken effect */
    void refused(AttemptId attempt, SettleResult result, boolean sure) {
        TrackedJob job = jobs.get(attempt.id());
        Run run = job.running.get(attempt.number());
        Report report = job.reported.get(attempt.number());
        long until = report != null ? report.until() : run != null ? run.until() : 0;
        timeline.note(null, job.subject(), "report of " + job.number + " refused: " + result);
        if (result == SettleResult.CANCELLED ? !job.cancelAsked : sure && turns.now() < until && !job.cancelAsked) {
            timeline.broken("is taken from its worker (" + result + ") " + (until - turns.now()) / 1e9
                    + " s before its lease ends", job);
        }
        over(job, attempt);
        if (sure && report != null) {
            job.reported.put(attempt.number(), new Report(TrackedJob.REFUSED, until));
        }
        if (sure && report != null && job.reported.values().stream().noneMatch(other -> other.plan() == 'o')) {
            job.succeeded = false;
        }
    }

    /** An attempt runs no more. */
    private void over(TrackedJob job, AttemptId attempt) {
        job.running.remove(attempt.number());
        if (job.running.isEmpty()) {
            groups.ended(job);
        }
    }
}
