package dev.orderly.dashboard.chart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines over time that share an axis.
 *
 * @param title what is shown, with its unit
 */
public record Chart(String title, Unit unit, List<Line> lines) {
    public Chart {
        lines = List.copyOf(lines);
    }

    /** How values are written. */
    public enum Unit {
        COUNT,
        SECONDS,
        PERCENT
    }

    /**
     * A line.
     *
     * @param values one for each point; null where nothing was recorded, or where a mean has no values
     */
    public record Line(String label, List<@Nullable Double> values) {
        public Line {
            values = Collections.unmodifiableList(new ArrayList<>(values));
        }
    }
}
