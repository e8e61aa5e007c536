package dev.orderly.telemetry.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The values of a label that names something, bounded in number: the first 200 names stand for themselves, all further
 * names for {@value #OTHER}. A name keeps its value. Thread-safe.
 */
final class BoundedNames {
    static final String OTHER = "other";
    static final int MOST = 200;

    private final Map<String, String> values = new ConcurrentHashMap<>();
    private final AtomicInteger taken = new AtomicInteger();

    String of(String name) {
        String known = values.get(name);
        if (known != null) {
            return known;
        }
        return taken.get() >= MOST
                ? OTHER
                : values.computeIfAbsent(name, each -> taken.getAndIncrement() < MOST ? each : OTHER);
    }
}
