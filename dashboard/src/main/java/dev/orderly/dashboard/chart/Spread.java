package dev.orderly.dashboard.chart;

import java.util.List;

/** The distribution of times over a range: how many were within each bound. */
public record Spread(String title, List<Part> parts) {
    public Spread {
        parts = List.copyOf(parts);
    }

    /** @param label the upper bound in words */
    public record Part(String label, long count) {}

    /** All times. */
    public long total() {
        return parts.stream().mapToLong(Part::count).sum();
    }
}
