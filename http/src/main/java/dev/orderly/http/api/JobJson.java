package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonText;
import dev.orderly.http.user.job.JobJsonParts;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.job.present.JobTimeline;
import dev.orderly.job.present.Redaction;
import dev.orderly.user.UserId;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Jobs as JSON. The sequence number is a string, since it has 63 bits and many parsers keep only 53 bits of a number.
 */
final class JobJson {
    private JobJson() {}

    /** With the content of payload and result, and the link to the job's trace. */
    static ObjectNode whole(JobView job, JobPresentation presentation) {
        return job(job, true).put("traceUrl", presentation.traceOf(job).map(URI::toString).orElse(null));
    }

    /** As {@link #whole}, with masked values. */
    static ObjectNode masked(JobView job, JobPresentation presentation) {
        Optional<JobView> masked = presentation.redaction().masked(job);
        return whole(masked.orElse(job), presentation).put("masked", masked.isPresent());
    }

    /** The attempts of a job, oldest first, and its course over time. */
    static ObjectNode attempts(JobView job, List<JobAttempt> attempts) {
        ObjectNode json = JsonText.object().put("job", job.id().toString());
        ArrayNode all = json.putArray("attempts");
        attempts.forEach(attempt -> all.add(attempt(attempt)));
        ArrayNode spans = json.putArray("timeline");
        for (JobTimeline.Span span : JobTimeline.of(job, attempts)) {
            JobAttempt attempt = span.attempt();
            spans.addObject().put("activity", span.activity().text()).put("from", span.from().toString())
                    .put("to", JsonText.text(span.to())).put("attempt", attempt == null ? null : attempt.number());
        }
        return json;
    }

    private static ObjectNode attempt(JobAttempt attempt) {
        NodeId node = attempt.run().node();
        JobAttempt.End end = attempt.end();
        ObjectNode json = JsonText.object().put("number", attempt.number())
                .put("node", node == null ? null : node.value())
                .put("startedAt", JsonText.text(attempt.run().startedAt()))
                .put("endedAt", JsonText.text(attempt.endedAt())).put("outcome", end == null ? "running" : end.text())
                .put("nextAt", JsonText.text(attempt.nextAt()));
        json.set("failure", failure(attempt.failure()));
        return json;
    }

    /** Without content and with masked params, for lists. */
    static ObjectNode brief(JobView job, Redaction redaction) {
        ObjectNode json = job(job, false);
        ObjectNode params = json.putObject("params");
        redaction.masked(job.params()).forEach(params::put);
        return json;
    }

    private static ObjectNode job(JobView job, boolean content) {
        ObjectNode json = JsonText.object().put("id", job.id().toString()).put("queue", job.queue().value())
                .put("group", job.group()).put("sequence", Long.toString(job.id().sequence()))
                .put("priority", job.priority().number()).put("state", job.state().text())
                .put("attempt", job.attempt()).put("failures", job.failures())
                .put("pushedAt", job.pushedAt().toString()).put("dueAt", JsonText.text(job.dueAt()))
                .put("endedAt", JsonText.text(job.endedAt())).put("user", UserId.column(job.user()));
        ObjectNode params = json.putObject("params");
        job.params().forEach(params::put);
        json.set("payload", JobJsonParts.payload(job.payload(), content));
        json.set("failure", failure(job.failure()));
        json.set("progress", JobJsonParts.progress(job.progress()));
        json.set("result", JobJsonParts.payload(job.result(), content));
        JobRun run = job.run() == null ? JobRun.UNKNOWN : job.run();
        return json.put("reason", job.reason()).put("leasedUntil", JsonText.text(job.leasedUntil()))
                .put("origin", job.origin() == null ? null : job.origin().toString())
                .put("node", run.node() == null ? null : run.node().value())
                .put("startedAt", JsonText.text(run.startedAt()))
                .put("trace", job.trace() == null ? null : job.trace().traceId());
    }

    private static @Nullable ObjectNode failure(@Nullable JobFailure failure) {
        return failure == null
                ? null
                : JsonText.object().put("summary", failure.summary()).put("detail", failure.detail());
    }
}
