package dev.orderly.rehearsal;

import dev.orderly.rehearsal.RehearsalReport.Slot;
import dev.orderly.rehearsal.RehearsalReport.TierWaits;
import dev.orderly.web.report.SvgChart;
import dev.orderly.web.report.SvgChart.Axis;
import dev.orderly.web.report.SvgChart.Point;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Rehearsals of the same crowd as one picture: the line over time, below it the waits by arrival, and those of each
 * tier. The lines of the second room are dashed.
 */
public final class RehearsalChart {
    private static final String BLACK = "#222";
    /** Of tiers in their order, and of the visitors of no tier. */
    private static final List<String> COLOURS = List.of(SvgChart.BLUE, SvgChart.BROWN, SvgChart.GREEN, "#6b2fa0",
            "#7a5c00", "#00656f", "#a8004f", "#4a4a4a", BLACK);

    private RehearsalChart() {}

    /** @param name of the room's configuration */
    public record Line(String name, RehearsalReport report) {}

    /** @param lines one or two */
    public static String svg(String title, List<Line> lines) {
        List<Optional<String>> tiers = lines.stream().flatMap(each -> each.report.tiers().stream())
                .map(each -> Optional.ofNullable(each.tier())).distinct()
                .sorted(Comparator.comparing(Optional::isEmpty)).toList();
        int plots = tiers.isEmpty() ? 2 : 3;
        int names = lines.size() == 1 ? 0 : lines.size();
        SvgChart chart = new SvgChart(title, plots, names + tiers.size());
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
            chart.path(1, SvgChart.BLUE, dash, waits(report.slots(), 0.5, arrival, wait));
            chart.path(1, SvgChart.BROWN, dash, waits(report.slots(), 0.95, arrival, wait));
            if (names > 0) {
                chart.legend(plots, n, lines.get(n).name, BLACK, dash);
            }
        }
        if (!tiers.isEmpty()) {
            chart.plot(2, "wait by arrival that 95 % of each tier do not exceed", arrival, wait);
        }
        for (int tier = 0; tier < tiers.size(); tier++) {
            String colour = COLOURS.get(tier % COLOURS.size());
            for (int n = 0; n < lines.size(); n++) {
                List<Slot> slots = lines.get(n).report.tier(tiers.get(tier).orElse(null)).map(TierWaits::slots)
                        .orElse(List.of());
                chart.path(2, colour, n == 0 ? "" : SvgChart.DASHED, waits(slots, 0.95, arrival, wait));
            }
            chart.legend(plots, names + tier, tiers.get(tier).orElse("no tier"), colour, "");
        }
        return chart.end();
    }

    private static List<Point> waits(List<Slot> slots, double share, Axis arrival, Axis wait) {
        return slots.stream().filter(slot -> !slot.waits().isEmpty()).flatMap(slot -> {
            double y = wait.share(slot.quantile(share).toMillis() / 1e3);
            return Stream.of(new Point(arrival.share(slot.from().toMillis() / 1e3), y),
                    new Point(arrival.share(slot.to().toMillis() / 1e3), y));
        }).toList();
    }

    private static Duration longest(List<Line> lines, Function<RehearsalReport, Duration> of) {
        return lines.stream().map(line -> of.apply(line.report)).max(Duration::compareTo).orElse(Duration.ZERO);
    }
}
