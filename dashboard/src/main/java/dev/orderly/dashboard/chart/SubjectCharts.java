package dev.orderly.dashboard.chart;

import dev.orderly.dashboard.chart.Chart.Line;
import dev.orderly.dashboard.chart.Chart.Unit;
import dev.orderly.dashboard.page.Figures;
import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistorySeries;
import dev.orderly.history.HistorySubject.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The charts of a queue or a room, made of its history. */
public record SubjectCharts(HistorySeries series, List<Chart> charts, List<Spread> spreads) {
    /** Of a histogram so many parts are shown, and those behind them up to the last one that is not empty. */
    private static final int PARTS_SHOWN = 10;

    public SubjectCharts {
        charts = List.copyOf(charts);
        spreads = List.copyOf(spreads);
    }

    /** The charts of the series' subject. */
    public static SubjectCharts of(HistorySeries series) {
        return series.subject().kind() == Kind.QUEUE ? queue(series) : room(series);
    }

    /** Whether nothing was recorded in the whole range. */
    public boolean isEmpty() {
        return series.total().isEmpty();
    }

    private static SubjectCharts queue(HistorySeries series) {
        Lines lines = new Lines(series);
        return new SubjectCharts(series,
                List.of(new Chart("Jobs a minute", Unit.COUNT,
                        List.of(lines.rate("Pushed", HistoryFigure.PUSHED), lines.rate("Done", HistoryFigure.DONE),
                                lines.rate("Failed attempts", HistoryFigure.FAILED))),
                        new Chart("Jobs waiting and running", Unit.COUNT,
                                List.of(lines.peak("Waiting", HistoryFigure.WAITING),
                                        lines.peak("Running", HistoryFigure.RUNNING),
                                        lines.peak("Delayed", HistoryFigure.DELAYED))),
                        new Chart("Age of the oldest waiting job", Unit.SECONDS,
                                List.of(lines.seconds("Oldest", HistoryFigure.OLDEST_MILLIS))),
                        new Chart("Mean wait and run", Unit.SECONDS,
                                List.of(lines.meanSeconds("Wait until the first run", HistoryFigure.WAIT_MILLIS,
                                        HistoryFigure.WAITS),
                                        lines.meanSeconds("Run", HistoryFigure.RUN_MILLIS, HistoryFigure.RUNS))),
                        new Chart("Dead letters", Unit.COUNT,
                                List.of(lines.peak("Kept", HistoryFigure.DEAD_LETTERS),
                                        lines.rate("New a minute", HistoryFigure.DEAD)))),
                List.of(spread("Waits until the first run", series, HistoryFigure.WAITS),
                        spread("Runs", series, HistoryFigure.RUNS)));
    }

    private static SubjectCharts room(HistorySeries series) {
        Lines lines = new Lines(series);
        return new SubjectCharts(series,
                List.of(new Chart("Visitors a minute", Unit.COUNT,
                        List.of(lines.rate("Arrivals", HistoryFigure.ARRIVALS),
                                lines.rate("Admitted", HistoryFigure.ADMITTED))),
                        new Chart("Length of the line", Unit.COUNT,
                                List.of(lines.peak("Waiting", HistoryFigure.IN_LINE),
                                        lines.peak("At the door", HistoryFigure.DOOR))),
                        new Chart("Inside against capacity", Unit.COUNT,
                                List.of(lines.peak("Inside", HistoryFigure.INSIDE),
                                        lines.peak("Capacity", HistoryFigure.CAPACITY))),
                        new Chart("Wait announced and wait that was", Unit.SECONDS,
                                List.of(lines.meanSeconds("Announced", HistoryFigure.ANNOUNCED_MILLIS,
                                        HistoryFigure.ANNOUNCED),
                                        lines.meanSeconds("Waited", HistoryFigure.FOLLOWED_MILLIS,
                                                HistoryFigure.ANNOUNCED))),
                        new Chart("Waits within the announced range", Unit.PERCENT,
                                List.of(lines.share("Kept", HistoryFigure.KEPT, HistoryFigure.ANNOUNCED))),
                        new Chart("Visitors who did not come", Unit.COUNT,
                                List.of(lines.peak("Called and absent", HistoryFigure.NO_SHOWS),
                                        lines.rate("Gave up a minute", HistoryFigure.BECAME_ABSENT))),
                        new Chart("Refused a minute", Unit.COUNT,
                                List.of(lines.rate("Tokens", HistoryFigure.TOKENS_REFUSED),
                                        lines.rate("For other reasons", HistoryFigure.REFUSED)))),
                List.of(spread("Waits of visitors who entered", series, HistoryFigure.ENTRY_WAITS)));
    }

    private static Spread spread(String title, HistorySeries series, HistoryFigure histogram) {
        HistoryFigures total = series.total();
        List<Spread.Part> parts = new ArrayList<>();
        for (int part = 0; part < histogram.width(); part++) {
            List<Long> bounds = histogram.boundsMillis();
            String label = part < bounds.size()
                    ? "up to " + Figures.duration(Duration.ofMillis(bounds.get(part)))
                    : "more than " + Figures.duration(Duration.ofMillis(bounds.getLast()));
            parts.add(new Spread.Part(label, total.sum(histogram, part)));
        }
        while (parts.size() > PARTS_SHOWN && parts.getLast().count() == 0) {
            parts.removeLast();
        }
        return new Spread(title, parts);
    }

    /** Makes the lines of a series. */
    private record Lines(HistorySeries series) {
        private Line line(String label, Function<HistoryFigures, @Nullable Double> value) {
            List<@Nullable Double> values = new ArrayList<>();
            for (HistoryFigures point : series.points()) {
                values.add(point == null ? null : value.apply(point));
            }
            return new Line(label, values);
        }

        Line rate(String label, HistoryFigure figure) {
            double minutes = series.range().step().toSeconds() / 60.0;
            return line(label, point -> point.sum(figure) / minutes);
        }

        Line peak(String label, HistoryFigure figure) {
            return line(label, point -> scaled(point.peak(figure), 1));
        }

        Line seconds(String label, HistoryFigure millis) {
            return line(label, point -> scaled(point.peak(millis), 1_000));
        }

        Line meanSeconds(String label, HistoryFigure millis, HistoryFigure of) {
            return line(label, point -> ratio(point.sum(millis) / 1_000.0, number(point, of)));
        }

        Line share(String label, HistoryFigure part, HistoryFigure whole) {
            return line(label, point -> ratio(100.0 * point.sum(part), number(point, whole)));
        }

        private static double number(HistoryFigures point, HistoryFigure figure) {
            double sum = 0;
            for (int part = 0; part < figure.width(); part++) {
                sum += point.sum(figure, part);
            }
            return sum;
        }

        private static @Nullable Double scaled(OptionalLong value, double unit) {
            return value.isEmpty() ? null : (Double) (value.getAsLong() / unit);
        }

        private static @Nullable Double ratio(double part, double whole) {
            return whole == 0 ? null : (Double) (part / whole);
        }
    }
}
