package dev.orderly.telemetry.metrics;

import dev.orderly.Internal;
import dev.orderly.telemetry.metrics.Metric.Kind;
import dev.orderly.telemetry.metrics.Metric.Scope;
import java.util.List;

/** The page of all metrics, as Markdown. */
@Internal(to = "dev.orderly")
public final class MetricsReference {
    private static final String HEAD = """
            # Metrics

            Written by `orderly config metrics` from the catalogue in the code; a test scrapes a running server and finds
            each of these names, and no other. [monitoring.md](monitoring.md) says how to scrape, and has a dashboard and
            alert rules.

            - **Scope**: a value of the *node* is that of one process; add up the nodes for the whole. A value of the *cluster*
              describes the store, and every node reports the same: take `max by (queue)` or `max by (room)`, never `sum`.
            - **Histograms** have `_bucket`, `_count` and `_sum`, and `_max`, the largest value of about the last two minutes.
            - **Labels** are bounded: queues, schedules and rooms have the names of the configuration, and queues beyond the
              first 200 are counted as `other`. No label has an id, an address or a path.
            - **Store away**: a scrape takes two seconds at most. What only the store knows is absent then, and
              `orderly_store_up` is 0.
            """;

    private MetricsReference() {}

    public static String markdown() {
        StringBuilder page = new StringBuilder(HEAD);
        for (MetricCatalogue.Section section : MetricCatalogue.sections()) {
            page.append("\n## ").append(section.title()).append("\n\n");
            page.append("| metric | type | unit | labels | scope | meaning |\n|---|---|---|---|---|---|\n");
            section.metrics().forEach(metric -> page.append(row(metric)));
        }
        return page.toString();
    }

    private static String row(Metric metric) {
        String meaning = metric.help() + (metric.when().isEmpty() ? "" : " (" + metric.when() + ")") + ".";
        return "| " + String.join(" | ", List.of("`" + metric.name() + "`", kind(metric.kind()), unit(metric),
                labels(metric.labels()), metric.scope() == Scope.NODE ? "node" : "cluster", meaning)) + " |\n";
    }

    private static String kind(Kind kind) {
        return switch (kind) {
            case COUNTER -> "counter";
            case GAUGE -> "gauge";
            case CALLS, JOBS, VISITS -> "histogram";
            case PAUSES -> "summary";
        };
    }

    private static String unit(Metric metric) {
        return switch (metric.kind()) {
            case CALLS, JOBS, VISITS, PAUSES -> "seconds";
            case COUNTER, GAUGE -> metric.unit() == null ? "" : metric.unit();
        };
    }

    private static String labels(List<String> labels) {
        return labels.isEmpty() ? "" : "`" + String.join("`, `", labels) + "`";
    }
}
