package dev.orderly.web.report;

import dev.orderly.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/**
 * Plots below each other as one SVG picture. It names nothing outside itself, and is readable in print. Not
 * thread-safe.
 */
public final class SvgChart {
    public static final String BLUE = "#0b57a4";
    public static final String BROWN = "#a33b00";
    public static final String GREEN = "#1c6b2d";
    public static final String DASHED = "8 5";

    private static final int WIDTH = 960;
    private static final int LEFT = 90;
    private static final int PLOT_WIDTH = WIDTH - LEFT - 50;
    private static final int PLOT_HEIGHT = 200;
    private static final int FIRST = 70;
    private static final int PITCH = 290;
    private static final int LEGEND = 22;

    private final StringBuilder svg = new StringBuilder();

    /** A point, from 0 to 1 in both directions. */
    public record Point(double x, double y) {}

    /**
     * An axis from 0 to a whole number of steps that a person reads at once.
     *
     * @param step in seconds, or visitors
     * @param label of a value
     */
    public record Axis(double step, int ticks, DoubleFunction<String> label) {
        private static final int TICKS_MAX = 5;
        private static final List<Integer> TIMES = List.of(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600,
                7_200, 14_400, 21_600, 43_200, 86_400, 172_800);
        private static final List<Double> COUNTS = List.of(1.0, 2.0, 5.0);

        public static Axis ofTime(Duration most) {
            double seconds = Math.max(1, most.toMillis() / 1e3);
            double step = TIMES.stream().filter(each -> each * TICKS_MAX >= seconds).findFirst()
                    .orElse(TIMES.getLast());
            return new Axis(step, (int) Math.ceil(seconds / step),
                    value -> value == 0 ? "0" : DurationText.of(Duration.ofSeconds((long) value)));
        }

        public static Axis ofVisitors(long most) {
            double power = Math.pow(10, Math.max(0, Math.floor(Math.log10((double) Math.max(1, most))) - 1));
            double step = Stream.iterate(power, each -> each * 10).flatMap(ten -> COUNTS.stream().map(n -> n * ten))
                    .filter(each -> each * TICKS_MAX >= (double) most).findFirst().orElseThrow();
            return new Axis(step, Math.max(1, (int) Math.ceil(most / step)),
                    value -> String.format(Locale.ROOT, "%,.0f", value));
        }

        /** The time of day, with the day where the span has several. */
        public static Axis ofClock(Instant from, Instant until, ZoneId zone) {
            Duration span = Duration.between(from, until);
            DateTimeFormatter format = DateTimeFormatter
                    .ofPattern(span.compareTo(Duration.ofDays(1)) > 0 ? "d MMM HH:mm" : "HH:mm", Locale.ENGLISH)
                    .withZone(zone);
            return new Axis(span.toSeconds() / (double) TICKS_MAX, TICKS_MAX,
                    value -> format.format(from.plusSeconds((long) value)));
        }

        /** The place of a value on the axis, from 0 to 1. */
        public double share(double value) {
            return value / (step * ticks);
        }
    }

    /**
     * Begins a picture.
     *
     * @param plots their number
     * @param legends lines below them
     */
    public SvgChart(String title, int plots, int legends) {
        add(String.format(Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                        + " font-family=\"sans-serif\" font-size=\"14\" fill=\"#222\">",
                WIDTH, top(plots) - 20 + LEGEND * legends));
        add(String.format(Locale.ROOT, "<title>%s</title><rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>",
                escaped(title)));
        text(LEFT, 24, "start", title);
    }

    /** The picture. */
    public String end() {
        return svg.append("</svg>\n").toString();
    }

    private static int top(int plot) {
        return FIRST + PITCH * plot;
    }

    /** Draws the axes of a plot, from 0 on. */
    public void plot(int number, String name, Axis x, Axis y) {
        int top = top(number);
        text(LEFT, top - 12, "start", name);
        for (int tick = 0; tick <= y.ticks; tick++) {
            double at = top + PLOT_HEIGHT * (1 - (double) tick / y.ticks);
            add(String.format(Locale.ROOT, "<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/>", LEFT, at, PLOT_WIDTH));
            text(LEFT - 8, at + 5, "end", y.label.apply(y.step * tick));
        }
        for (int tick = 0; tick <= x.ticks; tick++) {
            text(LEFT + (double) tick * PLOT_WIDTH / x.ticks, top + PLOT_HEIGHT + 20, "middle",
                    x.label.apply(x.step * tick));
        }
    }

    /**
     * Draws a line in a plot, or a dot if there is one point.
     *
     * @param dash lengths of strokes and gaps; empty for a whole line
     */
    public void path(int plot, String colour, String dash, List<Point> points) {
        int bottom = top(plot) + PLOT_HEIGHT;
        StringBuilder path = new StringBuilder();
        for (Point point : points) {
            path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L",
                    LEFT + point.x * PLOT_WIDTH, bottom - point.y * PLOT_HEIGHT));
        }
        String dot = points.size() == 1 ? "h0\" stroke-linecap=\"round" : "";
        add(String.format(Locale.ROOT, "<path d=\"%s%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%d\"%s/>", path,
                dot,
                colour, dot.isEmpty() ? 2 : 5, stroke(dash)));
    }

    /**
     * Explains a line below the plots.
     *
     * @param plots their number
     */
    public void legend(int plots, int number, String name, String colour, String dash) {
        int y = top(plots) - 20 + LEGEND * number - 10;
        add(String.format(Locale.ROOT, "<path d=\"M%d %dh40\" stroke=\"%s\" stroke-width=\"2\"%s/>", LEFT, y, colour,
                stroke(dash)));
        text(LEFT + 50, y + 5, "start", name);
    }

    private static String stroke(String dash) {
        return dash.isEmpty() ? "" : " stroke-dasharray=\"" + dash + "\"";
    }

    private void text(double x, double y, String anchor, String text) {
        add(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor,
                escaped(text)));
    }

    private void add(String element) {
        svg.append(element).append('\n');
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
