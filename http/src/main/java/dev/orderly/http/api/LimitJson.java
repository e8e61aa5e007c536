package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.store.LimitView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A limit. */
@Doc(name = "Limit")
record LimitJson(@Doc("A name; `queue:` and the name of the queue that has the limit for itself; or `key:` and the name"
        + " of the queue of which each key has it.") String limit,
        @Doc(value = "The most jobs that run at once, over all nodes; null for any number.",
                facets = "minimum: 1") @Nullable Integer concurrency,
        @Doc(value = "The most jobs that start in any span of `period`; null for any number.",
                facets = "minimum: 1") @Nullable Integer starts,
        @Nullable Duration period, @Doc("The queues that share it.") List<String> queues,
        @Doc("Running jobs that count; 0 without `concurrency`, and of the limit of keys.") int running,
        @Doc("Starts that count towards the rate; 0 without `starts`, and of the limit of keys.") int started,
        @Doc("Waiting jobs of its queues, which may lag by a second.") long waiting,
        @Doc("From when its rate and its rest allow another start; null if they allow one"
                + " now.") @Nullable Instant next,
        @Nullable RestJson rest,
        @Nullable Changed override,
        @Doc(value = "Of the limit of keys: the percentage of the slots of the queue's limit that one key has at most"
                + " while a job of another could start; null for none.",
                facets = "minimum: 1, maximum: 100") @Nullable Integer share) {
    /** All limits that some queue has. */
    @Doc(name = "Limits")
    record All(List<LimitJson> limits) {}

    /** Bounds in place of the declared ones. */
    @Doc(name = "LimitOverride", value = "Bounds that an operator has put in place of the declared ones, on all nodes;"
            + " null where the declared bound is in force.")
    record Changed(@Doc(value = CONCURRENCY, facets = CONCURRENCY_BOUNDS) @Nullable Integer concurrency,
            @Doc(value = STARTS, facets = STARTS_BOUNDS) @Nullable Integer starts,
            @Doc(PERIOD) @Nullable Duration period, String changedBy, Instant changedAt) {
        static final String CONCURRENCY = "The most jobs that run at once, over all nodes.";
        static final String CONCURRENCY_BOUNDS = "minimum: 1, maximum: 10000";
        static final String STARTS = "The most jobs that start in any span of `period`.";
        static final String STARTS_BOUNDS = "minimum: 1, maximum: 1000000";
        static final String PERIOD = "1 s to 31 days.";

        private static @Nullable Changed of(LimitOverride override) {
            return override.isEmpty()
                    ? null
                    : new Changed(override.concurrency(), override.starts(), override.period(), override.by(),
                            override.at());
        }
    }

    /**
     * @param waiting jobs by queue
     * @param override what operators have changed
     */
    static LimitJson of(LimitView view, Map<QueueName, Long> waiting, LimitOverride override) {
        boolean rated = view.limit().starts() > 0;
        return new LimitJson(view.name().value(),
                view.limit().concurrency() == 0 ? null : Integer.valueOf(view.limit().concurrency()),
                rated ? Integer.valueOf(view.limit().starts()) : null, rated ? view.limit().period() : null,
                view.queues().stream().map(QueueName::value).toList(), view.running(), view.started(),
                view.queues().stream().mapToLong(queue -> waiting.getOrDefault(queue, 0L)).sum(), view.next(),
                RestJson.of(view.rest()), Changed.of(override),
                view.limit().share() == 0 ? null : Integer.valueOf(view.limit().share()));
    }
}
