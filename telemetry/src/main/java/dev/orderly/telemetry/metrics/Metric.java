package dev.orderly.telemetry.metrics;

import dev.orderly.Internal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A metric of the catalogue.
 *
 * @param meter Micrometer's name, with dots
 * @param unit base unit; null for a plain number. Timers are in seconds
 * @param labels the names of its labels, each with a bounded number of values
 * @param help one sentence without a full stop
 * @param when in which case the metric is there; empty for always
 */
@Internal(to = "dev.orderly")
public record Metric(String meter, Kind kind, @Nullable String unit, List<String> labels, Scope scope, String help,
        String when) {
    public Metric {
        labels = List.copyOf(labels);
    }

    /** The kind of a metric. */
    public enum Kind {
        COUNTER, GAUGE,
        /** A histogram of calls and answers: a millisecond to a minute. */
        CALLS,
        /** A histogram of jobs: ten milliseconds to a day. */
        JOBS,
        /** A histogram of visitors' waits: a second to four hours. */
        VISITS,
        /** Count and sum of times, without buckets. */
        PAUSES;

        /** The upper bounds of a histogram of times; empty for other kinds. */
        List<Duration> buckets() {
            return switch (this) {
                case CALLS -> millis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000);
                case JOBS -> millis(10, 50, 250, 1_000, 5_000, 15_000, 60_000, 300_000, 1_200_000, 3_600_000,
                        21_600_000, 86_400_000);
                case VISITS -> millis(1_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000,
                        1_800_000, 3_600_000, 7_200_000, 14_400_000);
                case COUNTER, GAUGE, PAUSES -> List.of();
            };
        }

        private static List<Duration> millis(long... bounds) {
            return Arrays.stream(bounds).mapToObj(Duration::ofMillis).toList();
        }

        private boolean isHistogram() {
            return this != COUNTER && this != GAUGE;
        }
    }

    /** What a metric describes. */
    public enum Scope {
        /** This process: add up the nodes. */
        NODE,
        /** All nodes of the store: each node reports the same value, so never add them up. */
        CLUSTER
    }

    /** Whether the metric is a histogram, which comes with the largest value of the last minutes as {@code _max}. */
    public boolean isHistogram() {
        return kind.isHistogram();
    }

    /** The name in Prometheus: of a histogram without {@code _bucket}, {@code _count}, {@code _sum}, {@code _max}. */
    public String name() {
        String plain = meter.replace('.', '_');
        String suffix = kind.isHistogram() ? "seconds" : unit;
        String named = suffix == null || plain.endsWith("_" + suffix) ? plain : plain + "_" + suffix;
        return kind == Kind.COUNTER ? named + "_total" : named;
    }
}
