package dev.orderly.job.settings;

import dev.orderly.job.Limit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What operators have set for one key of a standard queue, or for one group of a FIFO queue, on all nodes. At most
 * {@value #MOST} keys or groups of a queue have settings that are not {@linkplain #isEmpty empty}.
 *
 * @param paused whether no job of it starts
 * @param bounds of this key alone, which replace those of {@code per-key}; {@linkplain LimitOverride#isEmpty empty} for
 *     a group. Their identity and moment are those of the last change, also if that was a pause
 */
public record KeySettings(boolean paused, LimitOverride bounds) {
    /** The largest number of keys or groups of one queue that have settings. */
    public static final int MOST = 10_000;
    /** Nothing is set. */
    public static final KeySettings NONE = new KeySettings(false, LimitOverride.NONE);

    public KeySettings {
        Objects.requireNonNull(bounds, "bounds");
    }

    /** The same settings, paused or not. */
    public KeySettings withPaused(boolean value) {
        return new KeySettings(value, bounds);
    }

    /** The same settings with other bounds. */
    public KeySettings withBounds(LimitOverride value) {
        Objects.requireNonNull(value, "value");
        return new KeySettings(paused, value);
    }

    /** The same settings with the last change; {@link #NONE} if nothing is set. */
    public KeySettings changed(String by, Instant at) {
        Objects.requireNonNull(by, "by");
        Objects.requireNonNull(at, "at");
        return isEmpty() ? NONE : new KeySettings(paused, bounds.changed(by, at.truncatedTo(ChronoUnit.MILLIS)));
    }

    /** Whether nothing is set. */
    public boolean isEmpty() {
        return !paused && bounds.isEmpty();
    }

    /**
     * The limit in force.
     *
     * @param declared the limit that each key has; null for none
     */
    public @Nullable Limit limit(@Nullable Limit declared) {
        return declared == null ? bounds.alone() : bounds.over(declared);
    }

    /** One line for the audit log: {@code paused, concurrency 10}. */
    public String text() {
        return (paused ? "paused" : "running") + (bounds.isEmpty() ? "" : ", " + bounds.text());
    }
}
