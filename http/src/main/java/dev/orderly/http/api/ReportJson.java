package dev.orderly.http.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.JobId;
import dev.orderly.web.problem.Problem;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The answer to a report of a worker. */
@Doc(name = "Reported")
record ReportJson(JobId id,
        @Doc("`cancelled` answers a heartbeat of a job that was asked to be cancelled: the lease is not prolonged,"
                + " report its end soon.") Result result,
        @Doc("After a heartbeat.") @OmitNull @Nullable Instant leasedUntil) {
    /** What became of a report. */
    enum Result {
        ACCEPTED, CANCELLED
    }

    /** The answer to one of several reports. */
    @Doc(name = "ReportResult")
    record OfSeveral(String id, @Doc(facets = "enum: ['accepted', 'cancelled', 'refused']") String result,
            @OmitNull @Nullable Instant leasedUntil,
            @Doc("Of a refused report: the status that the single report would"
                    + " get.") @OmitNull @Nullable Integer status,
            @Doc("Of a refused report.") @OmitNull @Nullable String detail) {
        static OfSeveral of(ReportJson report) {
            return new OfSeveral(report.id.toString(), RecordJson.word(report.result), report.leasedUntil, null, null);
        }

        static OfSeveral refused(String id, Problem problem) {
            return new OfSeveral(id, "refused", null, problem.type().status(), problem.detail());
        }
    }

    /** The answers to several reports. */
    @Doc(name = "ReportResults")
    record Several(List<OfSeveral> results) {}

    /** A wait for an event. */
    @Doc(name = "AwaitRequest")
    record Awaited(@Doc(value = "The name of the event.", facets = "maxLength: 64") String event,
            @Doc("The longest wait, such as `7d`; at most 365 days. Counts from the first wait for this name"
                    + " on.") String timeout) {}

    /** The longest wait for an event of which a link is made. */
    @Doc(name = "EventLinkRequest")
    record Waits(@Doc("The longest wait, such as `7d`; at most 365 days. Counts from the first wait for this name"
            + " on.") String timeout) {}

    /** A time for which a job is put off. */
    @Doc(name = "SnoozeRequest")
    record Snooze(@Doc("Such as `10m`; at most 365 days.") String delay) {}

    /** A time for which a key or a limit rests. */
    @Doc(name = "ThrottledRequest")
    record Rested(
            @Doc("How long, from now on, `100ms` to `24h`: as the service said that refused the work.") String rest,
            @Doc("Whether the limit of the queue rests, in place of the key of the"
                    + " job.") @OmitNull @Nullable Boolean all) {}

    /** A new lease. */
    @Doc(name = "HeartbeatRequest")
    record Heartbeat(@Doc("How long from now on the worker has the job, `5s` to `7d`.") String lease) {}

    /** Several reports. */
    @Doc(name = "ReportsRequest")
    record Reports(@Doc(facets = "minItems: 1, maxItems: 100") List<Report> reports) {}

    /** One of several reports. */
    @Doc(name = "ReportRequest")
    record Report(JobId id, String token,
            @Doc(facets = "enum: ['done', 'failed', 'progress', 'await', 'snooze', 'throttled',"
                    + " 'heartbeat', 'release']") String report,
            @Doc(value = "Of `done`: `json`, `text` or `base64`, with an optional `contentType`.",
                    facets = "type: 'object'") @OmitNull @Nullable JsonNode result,
            @Doc("Of `failed`: one line.") @OmitNull @Nullable String error,
            @Doc("Of `failed`.") @OmitNull @Nullable String detail,
            @Doc("Of `failed`: the delay before the retry.") @OmitNull @Nullable String retryIn,
            @Doc(value = "Of `failed`: whether the job becomes a dead letter at"
                    + " once.") @OmitNull @JsonProperty("final") @Nullable Boolean last,
            @Doc("Of `await`: the name of the event.") @OmitNull @Nullable String event,
            @Doc("Of `await`: the longest wait.") @OmitNull @Nullable String timeout,
            @Doc("Of `snooze`.") @OmitNull @Nullable String delay,
            @Doc("Of `throttled`.") @OmitNull @Nullable String rest,
            @Doc("Of `throttled`.") @OmitNull @Nullable Boolean all,
            @Doc("Of `heartbeat`.") @OmitNull @Nullable String lease,
            @Doc("Of `progress`.") @OmitNull @Nullable Long done,
            @Doc("Of `progress`.") @OmitNull @Nullable Long total,
            @Doc("Of `progress`.") @OmitNull @Nullable String text) {}
}
