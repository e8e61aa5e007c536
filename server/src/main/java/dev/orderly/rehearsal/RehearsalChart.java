package dev.orderly.rehearsal;

import dev.orderly.web.report.SvgChart;
import dev.orderly.web.report.SvgChart.Axis;
import dev.orderly.web.report.SvgChart.Point;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Rehearsals of the same crowd as one picture: the line over time, and below it the waits by arrival. The lines of the
 * second room are dashed.
 */
public final class RehearsalChart {
    private static final int PLOTS = 2;
    private static final String BLACK = "#222";

    private RehearsalChart() {}

    /** @param name of the room's configuration */
    public record Line(String name, RehearsalReport report) {}

    /** @param lines one or two */
    public static String svg(String title, List<Line> lines) {
        SvgChart chart = new SvgChart(title, PLOTS, lines.size());
        Axis time = Axis.ofTime(longest(lines, RehearsalReport::end));
        Axis line = Axis.ofVisitors(lines.stream().mapToInt(each -> each.report.longest().waiting()).max().orElse(0));
        chart.plot(0, "visitors in line", time, line);
        Axis arrival = Axis.ofTime(lines.getFirst().report.crowd().over());
        Axis wait = Axis.ofTime(longest(lines, report -> report.everybody().quantile(1)));
        chart.plot(1, "wait by arrival: the median (blue), and what 95 % do not exceed (brown)", arrival, wait);
        for (int n = 0; n < lines.size(); n++) {
            RehearsalReport report = lines.get(n).report;
            String dash = n == 0 ? "" : SvgChart.DASHED;
            chart.path(0, SvgChart.BLUE, dash, report.minutes().stream()
                    .map(at -> new Point(time.share(at.at().toMillis() / 1e3), line.share(at.waiting()))).toList());
            chart.path(1, SvgChart.BLUE, dash, waits(report, 0.5, arrival, wait));
            chart.path(1, SvgChart.BROWN, dash, waits(report, 0.95, arrival, wait));
            chart.legend(PLOTS, n, lines.get(n).name, BLACK, dash);
        }
        return chart.end();
    }

    private static List<Point> waits(RehearsalReport report, double share, Axis arrival, Axis wait) {
        return report.slots().stream().filter(slot -> !slot.waits().isEmpty()).flatMap(slot -> {
            double y = wait.share(slot.quantile(share).toMillis() / 1e3);
            return Stream.of(new Point(arrival.share(slot.from().toMillis() / 1e3), y),
                    new Point(arrival.share(slot.to().toMillis() / 1e3), y));
        }).toList();
    }

    private static Duration longest(List<Line> lines, Function<RehearsalReport, Duration> of) {
        return lines.stream().map(line -> of.apply(line.report)).max(Duration::compareTo).orElse(Duration.ZERO);
    }
}
