package dev.orderly.http.api;

import dev.orderly.http.user.job.JobJsonParts;
import dev.orderly.job.store.JobFailure;
import dev.orderly.job.store.JobView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Jobs as JSON. The sequence number is a string, since it has 63 bits and many parsers keep only 53 bits of a number.
 */
final class JobJson {
    private JobJson() {}

    /** With the content of payload and result. */
    static ObjectNode whole(JobView job) {
        return job(job, true);
    }

    /** Without content, for lists. */
    static ObjectNode brief(JobView job) {
        return job(job, false);
    }

    private static ObjectNode job(JobView job, boolean content) {
        ObjectNode json = JsonText.object().put("id", job.id().toString()).put("queue", job.queue().value())
                .put("group", job.group()).put("sequence", Long.toString(job.id().sequence()))
                .put("priority", job.priority().number()).put("state", job.state().text())
                .put("attempt", job.attempt()).put("failures", job.failures())
                .put("pushedAt", job.pushedAt().toString()).put("dueAt", text(job.dueAt()))
                .put("endedAt", text(job.endedAt())).put("user", job.user());
        ObjectNode params = json.putObject("params");
        job.params().forEach(params::put);
        json.set("payload", JobJsonParts.payload(job.payload(), content));
        json.set("failure", failure(job.failure()));
        json.set("progress", JobJsonParts.progress(job.progress()));
        json.set("result", JobJsonParts.payload(job.result(), content));
        return json.put("reason", job.reason()).put("leasedUntil", text(job.leasedUntil()));
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    private static @Nullable ObjectNode failure(@Nullable JobFailure failure) {
        return failure == null
                ? null
                : JsonText.object().put("summary", failure.summary()).put("detail", failure.detail());
    }
}
