package dev.orderly.room.govern;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last value of an external signal that scales admission and that may fail or block. The value is kept for a
 * minute; after that the signal counts as 1, which slows no visitor. Thread-safe, never blocks, except in the
 * constructor.
 */
public final class CachedSignal {
    private static final Logger LOG = LoggerFactory.getLogger(CachedSignal.class);
    private static final Duration RETENTION = Duration.ofMinutes(1);
    /** A value up to this age counts as fresh: a refresh takes a moment, so a value may be older than a round. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final String name;
    private final DoubleSupplier source;
    private final Time time;
    private final Executor executor;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile Reading last;
    private volatile SignalHealth health = SignalHealth.FRESH;

    /** @param at in nanoseconds of the clock */
    private record Reading(double value, long at) {}

    /**
     * Reads the first value. Blocks.
     *
     * @param name prefix of log lines
     */
    public CachedSignal(String name, DoubleSupplier source, Time time, Executor executor) {
        this.name = name;
        this.source = source;
        this.time = time;
        this.executor = executor;
        this.last = new Reading(1, time.nanos());
        refresh();
    }

    /** The last known value. Starts a refresh in the background unless one is running. */
    public double value() {
        if (refreshing.compareAndSet(false, true)) {
            try {
                executor.execute(() -> {
                    try {
                        refresh();
                    } finally {
                        refreshing.set(false);
                    }
                });
            } catch (RejectedExecutionException e) {
                refreshing.set(false);
            }
        }
        Reading known = last;
        Duration age = Duration.ofNanos(time.nanos() - known.at());
        if (age.compareTo(RETENTION) > 0) {
            degrade(SignalHealth.LOST, "has been unknown for a minute: it slows no visitor until it is known again");
            return 1;
        }
        if (age.compareTo(FRESH) > 0) {
            degrade(SignalHealth.HELD, "is unknown: its last value counts for a minute");
        }
        return known.value();
    }

    public SignalHealth health() {
        return health;
    }

    private void refresh() {
        try {
            last = new Reading(source.getAsDouble(), time.nanos());
            if (health != SignalHealth.FRESH) {
                LOG.info("{} is known again", name);
                health = SignalHealth.FRESH;
            }
        } catch (RuntimeException e) {
            if (health == SignalHealth.FRESH) {
                degrade(SignalHealth.HELD, "is unknown (" + e + "): its last value counts for a minute");
            }
        }
    }

    /** Logs each degradation once; a lost signal does not become held. */
    private void degrade(SignalHealth value, String text) {
        if (health.compareTo(value) < 0) {
            health = value;
            LOG.warn("{} {}", name, text);
        }
    }
}
