package dev.orderly.dashboard.chart;

import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.page.Link;
import dev.orderly.dashboard.page.Page;
import dev.orderly.history.HistorySubject.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The history of a queue or a room as tables, for readers without script.
 *
 * @param path of the page of the queue or room
 */
public record HistoryPage(String path, SubjectCharts charts) implements Page {
    @Override
    public String title() {
        return "History";
    }

    private String name() {
        return charts.series().subject().name();
    }

    @Override
    public List<Link> trail() {
        return charts.series().subject().kind() == Kind.QUEUE
                ? List.of(new Link("Queues", "/queues"), new Link(name(), path))
                : List.of(new Link("Rooms", "/rooms"), new Link(name(), path));
    }

    @Override
    public String template() {
        return "chart/history.jte";
    }

    /** The number of points. */
    public int points() {
        return charts.series().points().size();
    }

    /** The begin of a point, the newest first. */
    public Instant at(int row) {
        return charts.series().begin().plus(charts.series().range().step().multipliedBy(point(row)));
    }

    /** A value as a text, the newest first. */
    public String text(Chart chart, Chart.Line line, int row) {
        return text(chart.unit(), line.values().get(point(row)));
    }

    private int point(int row) {
        return points() - 1 - row;
    }

    static String text(Chart.Unit unit, @Nullable Double value) {
        if (value == null) {
            return Figures.NONE;
        }
        return switch (unit) {
            case COUNT -> Figures.rate(value);
            case SECONDS -> Figures.duration(Duration.ofMillis(Math.round(value * 1_000)));
            case PERCENT -> Figures.percent(value, 100);
        };
    }
}
