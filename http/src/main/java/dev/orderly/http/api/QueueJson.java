package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonText;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.QueueView;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.job.settings.QueueOverride;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Queues as JSON. */
final class QueueJson {
    private QueueJson() {}

    static ObjectNode of(QueueStatus status) {
        QueueView view = status.view();
        ObjectNode json = JsonText.object().put("queue", view.queue().value()).put("fifo", view.queue().isFifo())
                .put("paused", view.paused()).put("handled", status.handled());
        ObjectNode jobs = json.putObject("jobs").put("waiting", view.waiting()).put("delayed", view.delayed())
                .put("running", view.running()).put("leased", view.leased())
                .put("dead", view.dead()).put("done", view.done());
        if (view.queue().isFifo()) {
            jobs.put("haltedGroups", view.halted());
        }
        var oldest = view.oldestPushedAt();
        var drain = status.drainTime();
        json.put("oldestPushedAt", oldest == null ? null : oldest.toString())
                .put("drainedPerSecond", status.drainedPerSecond())
                .put("drainTime", drain == null ? null : drain.toString());
        json.set("options", options(status.options()));
        json.set("configured", options(status.configured()));
        json.set("override", override(status.override()));
        return json;
    }

    private static @Nullable ObjectNode override(QueueOverride override) {
        return override.isEmpty()
                ? null
                : JsonText.object().put("concurrency", override.concurrency())
                        .put("timeout", override.timeout() == null ? null : override.timeout().toString())
                        .put("maxPending", override.maxPending()).put("maxLeased", override.maxLeased())
                        .put("changedBy", override.by()).put("changedAt", override.at().toString());
    }

    private static @Nullable ObjectNode options(@Nullable QueueOptions options) {
        if (options == null) {
            return null;
        }
        ObjectNode json = JsonText.object().put("concurrency", options.concurrency())
                .put("timeout", options.timeout().toString())
                .put("onDead", options.onDead().name().toLowerCase(Locale.ROOT))
                .put("contentDedupe", options.contentDedupe()).put("maxPayload", options.maxPayload())
                .put("maxPending", options.maxPending())
                .put("maxLeased", options.maxLeased());
        RetryPolicy retry = options.retry();
        json.putObject("retry").put("attempts", retry.attempts()).put("base", retry.base().toString())
                .put("factor", retry.factor()).put("max", retry.max().toString()).put("jitter", retry.jitter());
        return json;
    }
}
