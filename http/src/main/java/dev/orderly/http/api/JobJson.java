package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.http.user.job.PayloadJson;
import dev.orderly.http.user.job.ProgressJson;
import dev.orderly.job.CancelResult;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobState;
import dev.orderly.job.JobTerms;
import dev.orderly.job.JobView;
import dev.orderly.job.Priority;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.search.SearchPage;
import dev.orderly.user.UserId;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A job. */
@Doc(name = "Job")
record JobJson(JobId id, String queue, @Nullable String group,
        @Doc(value = "The order of pushes within a group. A string, since the number has 63 bits and many JSON readers"
                + " keep 53.", facets = SEQUENCE) String sequence,
        Priority priority, JobState state,
        @Doc("The number of attempts begun.") int attempt,
        @Doc("The number of failed attempts, which the retry policy counts.") int failures, Instant pushedAt,
        @Doc("The moment when a delayed job is due.") @Nullable Instant dueAt, @Nullable Instant endedAt,
        @Nullable String user, Map<String, String> params, @Nullable PayloadJson payload, @Nullable Failure failure,
        @Nullable ProgressJson progress, @Nullable PayloadJson result,
        @Doc("The reason of the cancellation.") @Nullable String reason,
        @Doc("While a worker elsewhere has the job: the moment at which its lease ends.") @Nullable Instant leasedUntil,
        @Doc("The dead letter whose content was pushed again as this job.") @Nullable JobId origin,
        @Doc("What the push said in place of the queue; null for nothing.") @Nullable Terms terms,
        @Doc("The node that runs the job, or ran a done job; null if it is not kept.") @Nullable String node,
        @Doc("The moment at which the job that runs, or is done, was claimed.") @Nullable Instant startedAt,
        @Doc(value = "The id of the trace that the push belonged to.",
                facets = "pattern: '^[0-9a-f]{32}$'") @Nullable String trace,
        @Doc(value = "The page of that trace, by `traces.link`. Not in lists.",
                facets = "type: ['string', 'null'], format: 'uri'") @OmitNull @Nullable JsonNode traceUrl,
        @Doc("Whether values are masked, by `redact`. Not in lists.") @OmitNull @Nullable Boolean masked) {
    /** The keywords of a sequence number. */
    static final String SEQUENCE = "pattern: '^[0-9]{1,19}$'";

    /** A page of jobs. */
    @Doc(name = "Jobs")
    record Page(List<JobJson> jobs,
            @Doc("The `after` of the next page; null on the last page.") @Nullable JobId next) {}

    /** A page of a search. */
    @Doc(name = "FoundJobs")
    record Found(List<JobJson> jobs, @Doc("Cursor of the next page; null at the end.") @Nullable JobId next,
            @Doc("`all`: every job that can match was looked at. `page`: the page is full. `bound`: the largest number"
                    + " of jobs was looked at.") SearchPage.Extent extent,
            @Doc("Jobs looked at for this page.") int looked,
            @Doc("How the jobs were reached: by an index, or from the newest job of the"
                    + " store.") SearchPage.Access access) {
        static Found of(SearchPage<JobView> page, Redaction redaction) {
            return new Found(briefs(page.jobs(), redaction), page.next(), page.extent(), page.looked(),
                    page.access());
        }
    }

    /** What a push said of its job in place of the queue. */
    @Doc(name = "Terms", value = "What the push said of the job in place of the queue.")
    record Terms(@Doc("The unique key.") @Nullable String unique,
            @Doc("From this moment on no attempt starts.") @Nullable Instant expiresAt,
            @Doc("The number of attempts.") @Nullable Integer attempts,
            @Doc("The longest time of one attempt.") @Nullable Duration timeout,
            @Doc("The debounce key: while the job waits, pushes of it replace the payload.") @Nullable String debounce,
            @Doc("The longest time, from the first push on, by which pushes of the debounce key put the job"
                    + " off.") @Nullable Duration atMost,
            @Doc("The time for which the dedupe id is kept, in place of five minutes.") @Nullable Duration dedupeFor,
            @Doc("The key by which its queue takes turns.") @Nullable String key,
            @Doc("The tokens of each rate that a start takes; null for 1.") @Nullable Integer cost,
            @Doc("The batch that the job is a member of, or the callback.") @Nullable String batch) {
        static @Nullable Terms of(JobTerms terms) {
            JobTerms.Debounce debounce = terms.debounce();
            return terms.equals(JobTerms.NONE)
                    ? null
                    : new Terms(terms.unique(), terms.expiresAt(),
                            terms.retry() == null ? null : terms.retry().attempts(), terms.timeout(),
                            debounce == null ? null : debounce.key(), debounce == null ? null : debounce.atMost(),
                            terms.dedupeFor(), terms.key(), terms.cost() == 1 ? null : terms.cost(),
                            terms.batch() == null ? null : terms.batch().name().value());
        }
    }

    /** Why an attempt failed. */
    @Doc(name = "Failure", value = "The failure of the last failed attempt.")
    record Failure(String summary, String detail) {
        static @Nullable Failure of(@Nullable JobFailure failure) {
            return failure == null ? null : new Failure(failure.summary(), failure.detail());
        }
    }

    /** The end of a job by hand. */
    @Doc(name = "Cancelled")
    record Cancelled(JobId id,
            @Doc(value = "`cancelled`: the handler will not be called. `signalled`: it has begun on this node and was"
                    + " signalled. `requested`: another node or a worker holds the job and is told, and it is not known"
                    + " here whether its handler has begun. After the last two the job ends as done if it is completed"
                    + " all the same, else as cancelled.",
                    facets = "enum: ['cancelled', 'signalled', 'requested']") CancelResult result) {}

    /** A job that is due. */
    @Doc(name = "DueNow")
    record Due(JobId id, @Doc(facets = "const: 'due'") String result) {}

    /** A redriven job. */
    @Doc(name = "WaitsAgain")
    record WaitsAgain(JobId id, @Doc(facets = "const: 'waiting'") String result) {}

    /** With the content of payload and result, and the link to the job's trace. */
    static JobJson whole(JobView job, JobPresentation presentation) {
        return of(job, job.params(), presentation, null);
    }

    /** As {@link #whole}, with masked values. */
    static JobJson masked(JobView job, JobPresentation presentation) {
        Optional<JobView> masked = presentation.redaction().masked(job);
        JobView shown = masked.orElse(job);
        return of(shown, shown.params(), presentation, masked.isPresent());
    }

    /** Without content and with masked params, for lists. */
    static List<JobJson> briefs(List<JobView> jobs, Redaction redaction) {
        return jobs.stream().map(job -> of(job, redaction.masked(job.params()), null, null)).toList();
    }

    /** @param whole null for a job without content */
    private static JobJson of(JobView job, Map<String, String> params, @Nullable JobPresentation whole,
            @Nullable Boolean masked) {
        boolean content = whole != null;
        JobRun run = job.run() == null ? JobRun.UNKNOWN : job.run();
        JsonNode traceUrl = whole == null
                ? null
                : JsonMapper.shared().valueToTree(whole.traceOf(job).map(URI::toString).orElse(null));
        return new JobJson(job.id(), job.queue().value(), job.group(), Long.toString(job.id().sequence()),
                job.priority(), job.state(), job.attempt(), job.failures(), job.pushedAt(), job.dueAt(), job.endedAt(),
                UserId.column(job.user()), params, PayloadJson.of(job.payload(), content), Failure.of(job.failure()),
                ProgressJson.of(job.progress()), PayloadJson.of(job.result(), content), job.reason(),
                job.leasedUntil(), job.origin(), Terms.of(job.terms()), run.node() == null ? null : run.node().value(),
                run.startedAt(),
                job.trace() == null ? null : job.trace().traceId(), traceUrl, masked);
    }
}
