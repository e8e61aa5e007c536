package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.QueueView;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.job.settings.QueueOverride;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue. */
@Doc(name = "Queue")
record QueueJson(String queue, boolean fifo, boolean paused,
        @Doc("Whether this node has a handler for the queue.") boolean handled,
        @Doc("Counts by state, which may lag by a second. `done` includes cancelled jobs; only FIFO queues have"
                + " `haltedGroups`.") Jobs jobs,
        @Doc("The push time of the oldest waiting job.") @Nullable Instant oldestPushedAt,
        @Doc(value = "Rate of final outcomes on this node, over about the last minute.",
                facets = "minimum: 0") double drainedPerSecond,
        @Doc("The time to drain the waiting jobs at that rate; null if no job ends.") @Nullable Duration drainTime,
        @Doc("The settings in force. Null for a queue that has jobs but is not declared on this"
                + " node.") @Nullable Options options,
        @Doc("The settings without those that operators have changed.") @Nullable Options configured,
        @Nullable Changed override) {
    /** All queues. */
    @Doc(name = "Queues")
    record All(List<QueueJson> queues) {}

    /** The jobs of a queue. */
    record Jobs(long waiting, long delayed, long running,
            @Doc("Running jobs that workers elsewhere have.") long leased, long dead, long done,
            @OmitNull @Nullable Long haltedGroups) {}

    /** Settings. */
    @Doc(name = "QueueOptions")
    record Options(@Doc(facets = "minimum: 1") int concurrency, Duration timeout, OnDead onDead,
            @Doc("FIFO queues only: whether a push without a dedupe id is a duplicate of an equal"
                    + " job of its group.") boolean contentDedupe,
            @Doc(value = "Bytes.", facets = "minimum: 1") int maxPayload,
            @Doc(facets = "minimum: 1") long maxPending, @Doc(facets = "minimum: 1") long maxLeased, Retry retry) {
        private static @Nullable Options of(@Nullable QueueOptions options) {
            return options == null
                    ? null
                    : new Options(options.concurrency(), options.timeout(), options.onDead(), options.contentDedupe(),
                            options.maxPayload(), options.maxPending(), options.maxLeased(), Retry.of(options.retry()));
        }
    }

    /** When failed attempts are repeated. */
    @Doc(name = "Retry")
    record Retry(@Doc(facets = "minimum: 1") int attempts, Duration base, double factor, Duration max,
            double jitter) {
        private static Retry of(RetryPolicy retry) {
            return new Retry(retry.attempts(), retry.base(), retry.factor(), retry.max(), retry.jitter());
        }
    }

    /** What operators have changed. */
    @Doc(name = "QueueOverride", value = "Settings in place of the configured ones, on all nodes; null where the"
            + " configured value is in force.")
    record Changed(@Doc(value = CONCURRENCY, facets = CONCURRENCY_BOUNDS) @Nullable Integer concurrency,
            @Doc(TIMEOUT) @Nullable Duration timeout, @Doc(facets = "minimum: 1") @Nullable Long maxPending,
            @Doc(facets = "minimum: 1") @Nullable Long maxLeased, String changedBy, Instant changedAt) {
        static final String CONCURRENCY = "Handlers at once, on each node.";
        static final String CONCURRENCY_BOUNDS = "minimum: 1, maximum: 100000";
        static final String TIMEOUT = "The longest attempt, 1 ms to 7 days. Jobs that run keep theirs.";

        private static @Nullable Changed of(QueueOverride override) {
            return override.isEmpty()
                    ? null
                    : new Changed(override.concurrency(), override.timeout(), override.maxPending(),
                            override.maxLeased(), override.by(), override.at());
        }
    }

    /** A queue that was paused or resumed. */
    @Doc(name = "Paused")
    record Paused(String queue, boolean paused) {}

    /** A queue that was forgotten. */
    @Doc(name = "ForgottenQueue")
    record Forgotten(String queue, boolean forgotten) {}

    /** The end of a redrive. */
    @Doc(name = "Redriven")
    record Redriven(String queue, int redriven) {}

    static QueueJson of(QueueStatus status) {
        QueueView view = status.view();
        Jobs jobs = new Jobs(view.waiting(), view.delayed(), view.running(), view.leased(), view.dead(), view.done(),
                view.queue().isFifo() ? Long.valueOf(view.halted()) : null);
        return new QueueJson(view.queue().value(), view.queue().isFifo(), view.paused(), status.handled(), jobs,
                view.oldestPushedAt(), status.drainedPerSecond(), status.drainTime(), Options.of(status.options()),
                Options.of(status.configured()), Changed.of(status.override()));
    }
}
