package dev.orderly.dashboard.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryRange;
import dev.orderly.history.HistorySeries;
import dev.orderly.history.HistorySubject;
import dev.orderly.history.HistorySubject.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SubjectChartsTest {
    @Test
    void countsArePerMinutePeaksAsTheyAreAndGapsStayGaps() {
        SubjectCharts charts = charts(Kind.ROOM, HistoryRange.DAY, new HistoryFigures.Builder()
                .add(HistoryFigure.ARRIVALS, 50).add(HistoryFigure.ANNOUNCED, 4).add(HistoryFigure.KEPT, 3)
                .add(HistoryFigure.ANNOUNCED_MILLIS, 8_000).peak(HistoryFigure.INSIDE, 7).build());
        assertThat(line(charts, "Arrivals").values()).startsWith(null, 10.0).endsWith((Double) null);
        assertThat(line(charts, "Inside").values().get(1)).isEqualTo(7.0);
        assertThat(line(charts, "Capacity").values()).containsOnlyNulls();
        assertThat(line(charts, "Announced").values().get(1)).isEqualTo(2.0);
        assertThat(line(charts, "Kept").values().get(1)).isEqualTo(75.0);
    }

    @Test
    void aMeanWithoutValuesIsAGapAndTimesAreSpreadOverTheirBounds() {
        SubjectCharts charts = charts(Kind.QUEUE, HistoryRange.HOUR,
                new HistoryFigures.Builder().add(HistoryFigure.PUSHED, 6).add(HistoryFigure.RUNS, 2, 3)
                        .add(HistoryFigure.RUN_MILLIS, 1_500).build());
        assertThat(line(charts, "Pushed").values().get(1)).isEqualTo(6.0);
        assertThat(line(charts, "Wait until the first run").values()).containsOnlyNulls();
        assertThat(line(charts, "Run").values().get(1)).isEqualTo(0.5);
        assertThat(charts.spreads().get(1).parts().get(2)).isEqualTo(new Spread.Part("up to 1 s", 3));
        assertThat(charts(Kind.QUEUE, HistoryRange.HOUR, null).isEmpty()).isTrue();
    }

    /** A series whose second point is the only one with figures. */
    @SuppressWarnings("NullAway") // class files lose the annotation within a record's component
    private static SubjectCharts charts(Kind kind, HistoryRange range, @Nullable HistoryFigures second) {
        List<@Nullable HistoryFigures> points = new ArrayList<>();
        for (int i = 0; i < range.points(); i++) {
            points.add(i == 1 ? second : null);
        }
        return SubjectCharts.of(new HistorySeries(new HistorySubject(kind, "sale"), range, Instant.EPOCH, points));
    }

    private static Chart.Line line(SubjectCharts charts, String label) {
        return charts.charts().stream().flatMap(chart -> chart.lines().stream())
                .filter(line -> line.label().equals(label)).findFirst().orElseThrow();
    }
}
