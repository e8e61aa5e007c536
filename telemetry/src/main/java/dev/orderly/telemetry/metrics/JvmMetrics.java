package dev.orderly.telemetry.metrics;

import dev.orderly.telemetry.metrics.Metric.Kind;
import dev.orderly.telemetry.metrics.Metric.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The metrics of Micrometer about the JVM and the process. */
final class JvmMetrics {
    private static final String BYTES = "bytes";
    private static final String THREADS = "threads";
    private static final String CLASSES = "classes";
    private static final String COLLECTORS = "with some collectors";
    private static final String COLLECTED = "once there was a pause";

    static final List<Metric> ALL = List.of(
            gauge("jvm.memory.used", BYTES, "Memory in use", "area", "id"),
            gauge("jvm.memory.committed", BYTES, "Memory that the JVM has from the system", "area", "id"),
            gauge("jvm.memory.max", BYTES, "Memory that the JVM may use; -1 without a bound", "area", "id"),
            gauge("jvm.buffer.count", "buffers", "Buffers outside the heap", "id"),
            gauge("jvm.buffer.memory.used", BYTES, "Memory of these buffers", "id"),
            gauge("jvm.buffer.total.capacity", BYTES, "Capacity of these buffers", "id"),
            new Metric("jvm.gc.pause", Kind.PAUSES, null, List.of("action", "cause", "gc"), Scope.NODE,
                    "Pauses of the garbage collector; without buckets", COLLECTED),
            new Metric("jvm.gc.concurrent.phase.time", Kind.PAUSES, null, List.of("action", "cause", "gc"), Scope.NODE,
                    "Times in which the collector runs beside the program; without buckets", COLLECTORS),
            counter("jvm.gc.memory.allocated", BYTES, "Heap that was allocated", COLLECTORS),
            counter("jvm.gc.memory.promoted", BYTES, "Heap that became old", COLLECTORS),
            new Metric("jvm.gc.live.data.size", Kind.GAUGE, BYTES, List.of(), Scope.NODE,
                    "Old heap after the last collection", COLLECTORS),
            new Metric("jvm.gc.max.data.size", Kind.GAUGE, BYTES, List.of(), Scope.NODE, "The most old heap",
                    COLLECTORS),
            gauge("jvm.threads.live", THREADS, "Platform threads"),
            gauge("jvm.threads.daemon", THREADS, "Daemon threads of these"),
            gauge("jvm.threads.peak", THREADS, "The most platform threads since the start"),
            gauge("jvm.threads.states", THREADS, "Platform threads by state", "state"),
            counter("jvm.threads.started", THREADS, "Platform threads that were started", ""),
            gauge("jvm.classes.loaded", CLASSES, "Loaded classes"),
            counter("jvm.classes.loaded.count", CLASSES, "Classes that were loaded", ""),
            counter("jvm.classes.unloaded", CLASSES, "Classes that were unloaded", ""),
            gauge("process.cpu.usage", null, "Share of all cores that the process uses"),
            counter("process.cpu.time", "ns", "Time of cores that the process used", ""),
            gauge("process.files.open", "files", "Open file handles"),
            gauge("process.files.max", "files", "The most file handles; the limit of connections follows from it"),
            gauge("process.start.time", "seconds", "Start of the process, as Unix time"),
            gauge("process.uptime", "seconds", "Time since then"),
            gauge("system.cpu.count", null, "Cores that the process may use"),
            gauge("system.cpu.usage", null, "Share of all cores that the machine uses"),
            gauge("system.load.average.1m", null, "Threads that run or wait for a core, over the last minute"));

    private JvmMetrics() {}

    private static Metric gauge(String meter, @Nullable String unit, String help, String... labels) {
        return new Metric(meter, Kind.GAUGE, unit, List.of(labels), Scope.NODE, help, "");
    }

    private static Metric counter(String meter, String unit, String help, String when) {
        return new Metric(meter, Kind.COUNTER, unit, List.of(), Scope.NODE, help, when);
    }
}
