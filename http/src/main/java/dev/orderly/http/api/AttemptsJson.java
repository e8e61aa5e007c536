package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.present.JobTimeline;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The attempts of a job, oldest first, and its course over time. */
@Doc(name = "JobAttempts")
record AttemptsJson(JobId job,
        @Doc("The newest 20, oldest first; attempts without a failure are forgotten first. The details of the newest"
                + " three failures are kept.") List<Attempt> attempts,
        List<Span> timeline) {
    /** An attempt. */
    @Doc(name = "JobAttempt")
    record Attempt(@Doc(facets = "minimum: 1") int number,
            @Doc("The node that held the job; null if it is not kept, or if a worker elsewhere had"
                    + " the job.") @Nullable String node,
            @Doc("The moment of the claim. A node may hold a job for a while before it calls the"
                    + " handler.") @Nullable Instant startedAt,
            @Nullable Instant endedAt,
            @Doc(facets = "enum: ['running', 'done', 'failed', 'timed-out', 'snoozed', 'awaiting', 'throttled',"
                    + " 'given-back', 'unreadable', 'node-died', 'lease-ended', 'cancelled']") String outcome,
            @Doc("The moment from which the job was due again; null for at once.") @Nullable Instant nextAt,
            JobJson.@Nullable Failure failure) {
        private static Attempt of(JobAttempt attempt) {
            NodeId node = attempt.run().node();
            JobAttempt.End end = attempt.end();
            return new Attempt(attempt.number(), node == null ? null : node.value(), attempt.run().startedAt(),
                    attempt.endedAt(), end == null ? "running" : end.text(), attempt.nextAt(),
                    JobJson.Failure.of(attempt.failure()));
        }
    }

    /** A part of the course. */
    record Span(@Doc("`unknown`: attempts of that time are not kept.") JobTimeline.Activity activity, Instant from,
            @Doc("null while it lasts; of a delay, the moment at which it ends.") @Nullable Instant to,
            @Nullable Integer attempt) {
        private static Span of(JobTimeline.Span span) {
            JobAttempt attempt = span.attempt();
            return new Span(span.activity(), span.from(), span.to(), attempt == null ? null : attempt.number());
        }
    }

    static AttemptsJson of(JobView job, List<JobAttempt> attempts) {
        return new AttemptsJson(job.id(), attempts.stream().map(Attempt::of).toList(),
                JobTimeline.of(job, attempts).stream().map(Span::of).toList());
    }
}
