package dev.orderly.dashboard.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HourTrendTest {
    @Test
    void bothLinesHaveOneScaleAndStayInTheBox() {
        HourTrend trend = new HourTrend(List.of(0L, 10L, 5L), List.of(0L, 0L, 20L));
        assertThat(trend.line()).isEqualTo("0.0,23.0 60.0,12.0 120.0,17.5");
        assertThat(trend.failedLine()).isEqualTo("0.0,23.0 60.0,23.0 120.0,1.0");
        assertThat(trend.failedShare()).startsWith("57");
        assertThat(trend.words("jobs done")).isEqualTo("15 jobs done in the last hour, 20 failed attempts");
    }

    @Test
    void withoutAHistoryNothingIsDrawn() {
        assertThat(HourTrend.NONE.isEmpty()).isTrue();
        assertThat(HourTrend.NONE.failedLine()).isEmpty();
        assertThat(new HourTrend(List.of(0L), List.of(0L)).failedShare()).isEqualTo("–");
    }
}
