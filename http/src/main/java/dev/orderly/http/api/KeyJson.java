package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.job.Limit;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.store.KeyView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key of a queue. */
@Doc(name = "Key")
record KeyJson(@Doc("The key; of a FIFO queue a group.") String key,
        @Doc("Whether no job of it starts, by the hand of an operator.") boolean paused,
        @Doc(value = "The most jobs of the key that run at once; null for any number.",
                facets = "minimum: 1") @Nullable Integer concurrency,
        @Doc("Running jobs of the key.") int running,
        @Doc(value = "The most jobs of the key that start in any span of `period`; null for any number.",
                facets = "minimum: 1") @Nullable Integer starts,
        @Nullable Duration period,
        @Doc("Starts that count towards the rate; 0 without `starts`.") int started,
        @Doc("From when its rate and its rest allow another start; null if they allow one"
                + " now.") @Nullable Instant next,
        @Nullable RestJson rest,
        @Doc("When the oldest of its waiting jobs was pushed; null if none waits.") @Nullable Instant oldest,
        @Nullable Changed override) {
    /** Keys of a queue. */
    @Doc(name = "Keys")
    record All(List<KeyJson> keys) {}

    /** What operators have set. */
    @Doc(name = "KeyOverride", value = "What an operator has set for the key; null where the bound of each key is in"
            + " force. The last change may be that of `paused`.")
    record Changed(
            @Doc(value = LimitJson.Changed.CONCURRENCY,
                    facets = LimitJson.Changed.CONCURRENCY_BOUNDS) @Nullable Integer concurrency,
            @Doc(value = LimitJson.Changed.STARTS, facets = LimitJson.Changed.STARTS_BOUNDS) @Nullable Integer starts,
            @Doc(LimitJson.Changed.PERIOD) @Nullable Duration period, String changedBy, Instant changedAt) {
        private static @Nullable Changed of(KeySettings settings) {
            LimitOverride bounds = settings.bounds();
            return settings.isEmpty()
                    ? null
                    : new Changed(bounds.concurrency(), bounds.starts(), bounds.period(), bounds.by(), bounds.at());
        }
    }

    static KeyJson of(KeyView view) {
        Limit limit = view.limit();
        boolean rated = limit != null && limit.starts() > 0;
        return new KeyJson(view.key(), view.settings().paused(),
                limit == null || limit.concurrency() == 0 ? null : Integer.valueOf(limit.concurrency()),
                view.running(), limit != null && rated ? Integer.valueOf(limit.starts()) : null,
                limit != null && rated ? limit.period() : null, view.started(), view.next(),
                RestJson.of(view.rest()), view.oldest(), Changed.of(view.settings()));
    }
}
