package dev.orderly.telemetry.metrics;

import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoreObserver;
import dev.orderly.store.StoreOperation;
import dev.orderly.store.StorePromise;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Records the calls of the store. */
final class StoreMeters implements StoreObserver {
    private static final Set<StoreOperation> OF_SEVERAL = EnumSet.of(StoreOperation.PUSH, StoreOperation.SETTLE,
            StoreOperation.PROGRESS, StoreOperation.JOIN, StoreOperation.ADMIT, StoreOperation.RENEW,
            StoreOperation.MOVE, StoreOperation.DEPART);

    /** A call that takes longer may end after the lease of its node. */
    private static final long BOUND_NANOS = NodeTimes.LEASE.toNanos();

    private final Meters meters;
    private final Map<StoreOperation, Timer> calls = new EnumMap<>(StoreOperation.class);
    private final Map<StoreOperation, Counter> late = new EnumMap<>(StoreOperation.class);
    private final Map<StorePromise, Counter> broken = new EnumMap<>(StorePromise.class);
    private final Map<StoreOperation, Counter> items = new EnumMap<>(StoreOperation.class);

    StoreMeters(Meters meters) {
        this.meters = meters;
        for (StoreOperation operation : StoreOperation.values()) {
            calls.put(operation, meters.timer(MetricCatalogue.CALL, name(operation)));
            late.put(operation, meters.counter(MetricCatalogue.CALLS_LATE, name(operation)));
        }
        for (StorePromise promise : StorePromise.values()) {
            broken.put(promise, meters.counter(MetricCatalogue.BROKEN, name(promise)));
        }
        OF_SEVERAL.forEach(operation -> items.put(operation, meters.counter(MetricCatalogue.ITEMS, name(operation))));
    }

    @Override
    public void called(StoreOperation operation, int count, long nanos, @Nullable StoreException failure) {
        Timer call = calls.get(operation);
        if (call != null) {
            call.record(nanos, TimeUnit.NANOSECONDS);
        }
        Counter beyond = late.get(operation);
        if (beyond != null && nanos > BOUND_NANOS) {
            beyond.increment();
        }
        Counter counted = items.get(operation);
        if (counted != null) {
            counted.increment(count);
        }
        if (failure != null) {
            meters.counter(MetricCatalogue.ERRORS, name(operation), switch (failure) {
                case StoreException.Blocked _ -> "blocked";
                case StoreException.Unavailable _ -> "unavailable";
                case StoreException.OutcomeUnknown _ -> "outcome_unknown";
                case StoreException.Unusable _ -> "unusable";
            }).increment();
        }
    }

    @Override
    public void broken(StorePromise promise, String answer) {
        Counter counted = broken.get(promise);
        if (counted != null) {
            counted.increment();
        }
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
