package dev.orderly.http.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.http.user.job.EventsJson;
import dev.orderly.http.user.job.PayloadJson;
import dev.orderly.http.user.job.StepsJson;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStep;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The jobs of a claim. */
@Doc(name = "ClaimedJobs")
record ClaimJson(List<Claimed> jobs) {
    /** A job with the token of its attempt. */
    @Doc(name = "ClaimedJob")
    record Claimed(JobId id, String queue, @Nullable String group, @Doc(facets = JobJson.SEQUENCE) String sequence,
            @Doc(facets = "minimum: 1") int attempt, int failures, Instant pushedAt, @Nullable String user,
            @Doc("The trace that the job was pushed in, as W3C Trace Context writes it: the parent of the worker's"
                    + " spans.") @Nullable String traceparent,
            @Nullable String tracestate, Map<String, String> params, PayloadJson payload,
            @Doc("Authorises reports about this attempt.") String token, Instant leasedUntil,
            @Doc("What earlier attempts have done, if anything.") @OmitNull @Nullable List<StepsJson.Step> steps,
            @Doc("The path of these steps below the base of reports, in place of `steps`, if they have more than"
                    + " 8 KiB.") @OmitNull @Nullable String stepsAt,
            @Doc("The events that have come for a job that has run before, and those that it awaits, if there are"
                    + " any.") @OmitNull @Nullable List<EventsJson.Event> events,
            @Doc("The path of these events below the base of reports, in place of `events`, if they have more than"
                    + " 8 KiB.") @OmitNull @Nullable String eventsAt) {
        static Claimed of(ClaimedJob job, String token, Instant until, List<JobStep> steps, List<JobEvent> events) {
            TraceContext trace = job.trace();
            return new Claimed(job.id(), job.queue().value(), job.group(), Long.toString(job.sequence()),
                    job.attempt().number(), job.failures(), job.id().pushedAt(), UserId.column(job.user()),
                    trace == null ? null : trace.parent(), trace == null ? null : trace.state(), job.params(),
                    Objects.requireNonNull(PayloadJson.of(job.payload(), true)), token, until,
                    StepsJson.LIST.inline(steps), StepsJson.LIST.link(job.id(), steps),
                    EventsJson.LIST.inline(events), EventsJson.LIST.link(job.id(), events));
        }
    }

    /** What a claim asks for. */
    @Doc(name = "ClaimRequest")
    record Asked(
            @Doc(value = "Most jobs; on a FIFO queue each of another group.",
                    facets = "minimum: 1, maximum: 100, default: 1") @OmitNull @Nullable Integer max,
            @Doc(value = "How long to wait for a first job, such as `20s`; at most `30s`, and the answer may come some"
                    + " seconds earlier.",
                    facets = "default: '0s'") @OmitNull @JsonProperty("wait") @Nullable String patience,
            @Doc(value = "How long the worker has the jobs, `5s` to `12h`; heartbeats prolong it.",
                    facets = "default: '5m'") @OmitNull @Nullable String lease,
            @Doc(value = "A name of the worker, for people.",
                    facets = "maxLength: 100") @OmitNull @Nullable String worker) {}
}
