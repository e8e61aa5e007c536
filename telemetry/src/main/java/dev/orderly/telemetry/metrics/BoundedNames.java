package dev.orderly.telemetry.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The values of a label, bounded in number: the first {@value #MOST} names are values of their own, each further name
 * has the value {@value #OTHER}. A name keeps its value. Thread-safe.
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
