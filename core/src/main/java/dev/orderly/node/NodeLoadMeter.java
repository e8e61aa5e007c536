package dev.orderly.node;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures the load of this process. One thread calls {@link #measure}. */
final class NodeLoadMeter {
    /** Shortest time over which the use of the cores is measured. */
    private static final Duration SPAN = Duration.ofSeconds(1);

    private final Time time;
    private long measuredAt;
    private @Nullable Duration used;
    private @Nullable Double cpu;

    NodeLoadMeter(Time time) {
        this.time = time;
        this.measuredAt = time.nanos();
        this.used = used();
    }

    NodeLoad measure() {
        Runtime runtime = Runtime.getRuntime();
        int cores = runtime.availableProcessors();
        long now = time.nanos();
        if (now - measuredAt >= SPAN.toNanos()) {
            Duration before = used;
            Duration total = used();
            cpu = before == null || total == null
                    ? null
                    : Double.valueOf(Math.clamp(
                            (double) total.minus(before).toNanos() / (now - measuredAt) / cores, 0, 1));
            used = total;
            measuredAt = now;
        }
        return new NodeLoad(cores, runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory(), cpu, List.of(),
                null, null);
    }

    /** The processor time of this process; null where the system does not tell. */
    private static @Nullable Duration used() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(null);
    }
}
