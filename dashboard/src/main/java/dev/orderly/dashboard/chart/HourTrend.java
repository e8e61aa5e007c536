package dev.orderly.dashboard.chart;

import dev.orderly.dashboard.page.Figures;
import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistorySeries;
import dev.orderly.history.HistorySubject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a queue or room did in each minute of the last hour.
 *
 * @param served jobs done, or visitors admitted, by minute; the oldest first
 * @param failed failed attempts by minute; zeros for a room
 */
public record HourTrend(List<Long> served, List<Long> failed) {
    /** No history. */
    public static final HourTrend NONE = new HourTrend(List.of(), List.of());

    private static final int WIDTH = 120;
    private static final int HEIGHT = 24;

    public HourTrend {
        served = List.copyOf(served);
        failed = List.copyOf(failed);
    }

    static HourTrend of(HistorySeries series) {
        boolean queue = series.subject().kind() == HistorySubject.Kind.QUEUE;
        List<Long> served = new ArrayList<>();
        List<Long> failed = new ArrayList<>();
        for (HistoryFigures point : series.points()) {
            served.add(sum(point, queue ? HistoryFigure.DONE : HistoryFigure.ADMITTED));
            failed.add(queue ? sum(point, HistoryFigure.FAILED) : 0);
        }
        return new HourTrend(served, failed);
    }

    private static long sum(@Nullable HistoryFigures point, HistoryFigure figure) {
        return point == null ? 0 : point.sum(figure);
    }

    /** Whether anything happened. */
    public boolean isEmpty() {
        return total(served) == 0 && total(failed) == 0;
    }

    /** The share of attempts that failed, in percent; empty for none. */
    public String failedShare() {
        long bad = total(failed);
        return bad == 0 ? Figures.NONE : Figures.percent((double) bad, (double) bad + total(served));
    }

    /** The text alternative of the line. */
    public String words(String what) {
        long bad = total(failed);
        return Figures.count(total(served)) + " " + what + " in the last hour"
                + (bad == 0 ? "" : ", " + Figures.count(bad) + " failed attempts");
    }

    /** The points of a line of what was served, in a box of 120 by 24. */
    public String line() {
        return line(served);
    }

    /** The points of a line of what failed, in the same box and scale; empty if nothing failed. */
    public String failedLine() {
        return total(failed) == 0 ? "" : line(failed);
    }

    private String line(List<Long> values) {
        double most = Math.max(1, Math.max(most(served), most(failed)));
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            points.append(i == 0 ? "" : " ").append(String.format(Locale.ROOT, "%.1f,%.1f",
                    values.size() < 2 ? 0 : (double) i * WIDTH / (values.size() - 1),
                    HEIGHT - 1 - values.get(i) / most * (HEIGHT - 2)));
        }
        return points.toString();
    }

    private static long most(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private static long total(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).sum();
    }
}
