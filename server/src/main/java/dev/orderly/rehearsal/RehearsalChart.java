package dev.orderly.rehearsal;

import dev.orderly.text.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Rehearsals of the same crowd as one SVG picture: the line over time, and below it the waits by arrival. It names
 * nothing outside itself, and is readable in print: the lines of the second room are dashed.
 */
public final class RehearsalChart {
    private static final int WIDTH = 960;
    private static final int LEFT = 90;
    private static final int PLOT_WIDTH = WIDTH - LEFT - 50;
    private static final int PLOT_HEIGHT = 200;
    private static final List<Integer> PLOTS = List.of(70, 360);
    private static final int HEIGHT = 640;
    private static final String BLUE = "#0b57a4";
    private static final String BROWN = "#a33b00";
    private static final List<String> DASHES = List.of("", " stroke-dasharray=\"8 5\"");

    private final StringBuilder svg = new StringBuilder();

    /** @param name of the room's configuration */
    public record Line(String name, RehearsalReport report) {}

    private record Point(double x, double y) {}

    /**
     * An axis from 0 to a whole number of steps that a person reads at once.
     *
     * @param step in seconds, or visitors
     */
    private record Axis(double step, int ticks, boolean time) {
        private static final int TICKS_MAX = 5;
        private static final List<Integer> TIMES = List.of(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600,
                7_200, 14_400, 21_600, 43_200, 86_400, 172_800);
        private static final List<Double> COUNTS = List.of(1.0, 2.0, 5.0);

        static Axis ofTime(Duration most) {
            double seconds = Math.max(1, most.toMillis() / 1e3);
            double step = TIMES.stream().filter(each -> each * TICKS_MAX >= seconds).findFirst()
                    .orElse(TIMES.getLast());
            return new Axis(step, (int) Math.ceil(seconds / step), true);
        }

        static Axis ofVisitors(int most) {
            double power = Math.pow(10, Math.max(0, Math.floor(Math.log10(Math.max(1, most))) - 1));
            double step = Stream.iterate(power, each -> each * 10).flatMap(ten -> COUNTS.stream().map(n -> n * ten))
                    .filter(each -> each * TICKS_MAX >= most).findFirst().orElseThrow();
            return new Axis(step, Math.max(1, (int) Math.ceil(most / step)), false);
        }

        double share(double value) {
            return value / (step * ticks);
        }

        String label(int tick) {
            double value = step * tick;
            return tick == 0
                    ? "0"
                    : time
                            ? DurationText.of(Duration.ofSeconds((long) value))
                            : String.format(Locale.ROOT, "%,.0f", value);
        }
    }

    private RehearsalChart() {}

    /** @param lines one or two */
    public static String svg(String title, List<Line> lines) {
        return new RehearsalChart().draw(title, lines);
    }

    private String draw(String title, List<Line> lines) {
        add(String.format(Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                        + " font-family=\"sans-serif\" font-size=\"14\" fill=\"#222\">",
                WIDTH, HEIGHT));
        add(String.format(Locale.ROOT, "<title>%s</title><rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>",
                escaped(title)));
        text(LEFT, 24, "start", title);
        Axis time = Axis.ofTime(longest(lines, RehearsalReport::end));
        Axis line = Axis.ofVisitors(lines.stream().mapToInt(each -> each.report.longest().waiting()).max().orElse(0));
        plot(PLOTS.getFirst(), "visitors in line", time, line);
        Axis arrival = Axis.ofTime(lines.getFirst().report.crowd().over());
        Axis wait = Axis.ofTime(longest(lines, report -> report.everybody().quantile(1)));
        plot(PLOTS.getLast(), "wait by arrival: the median (blue), and what 95 % do not exceed (brown)", arrival, wait);
        for (int n = 0; n < lines.size(); n++) {
            RehearsalReport report = lines.get(n).report;
            String dash = DASHES.get(n);
            path(PLOTS.getFirst(), BLUE, dash, report.minutes().stream()
                    .map(at -> new Point(time.share(at.at().toMillis() / 1e3), line.share(at.waiting()))).toList());
            waits(report, dash, BLUE, 0.5, arrival, wait);
            waits(report, dash, BROWN, 0.95, arrival, wait);
            legend(n, lines.get(n).name, dash);
        }
        return svg.append("</svg>\n").toString();
    }

    private void waits(RehearsalReport report, String dash, String colour, double share, Axis arrival, Axis wait) {
        path(PLOTS.getLast(), colour, dash, report.slots().stream().filter(slot -> !slot.waits().isEmpty())
                .flatMap(slot -> {
                    double y = wait.share(slot.quantile(share).toMillis() / 1e3);
                    return Stream.of(new Point(arrival.share(slot.from().toMillis() / 1e3), y),
                            new Point(arrival.share(slot.to().toMillis() / 1e3), y));
                }).toList());
    }

    private void plot(int top, String name, Axis x, Axis y) {
        text(LEFT, top - 12, "start", name);
        for (int tick = 0; tick <= y.ticks; tick++) {
            double at = top + PLOT_HEIGHT * (1 - (double) tick / y.ticks);
            add(String.format(Locale.ROOT, "<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/>", LEFT, at, PLOT_WIDTH));
            text(LEFT - 8, at + 5, "end", y.label(tick));
        }
        for (int tick = 0; tick <= x.ticks; tick++) {
            text(LEFT + (double) tick * PLOT_WIDTH / x.ticks, top + PLOT_HEIGHT + 20, "middle", x.label(tick));
        }
    }

    private void legend(int number, String name, String dash) {
        int y = HEIGHT - 40 + 22 * number;
        add(String.format(Locale.ROOT, "<path d=\"M%d %dh40\" stroke=\"#222\" stroke-width=\"2\"%s/>", LEFT, y, dash));
        text(LEFT + 50, y + 5, "start", name);
    }

    /** @param points from 0 to 1 in both directions */
    private void path(int top, String colour, String dash, List<Point> points) {
        int bottom = top + PLOT_HEIGHT;
        StringBuilder path = new StringBuilder();
        for (Point point : points) {
            path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L",
                    LEFT + point.x * PLOT_WIDTH, bottom - point.y * PLOT_HEIGHT));
        }
        add(String.format(Locale.ROOT, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>", path,
                colour, dash));
    }

    private void text(double x, double y, String anchor, String text) {
        add(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor,
                escaped(text)));
    }

    private void add(String element) {
        svg.append(element).append('\n');
    }

    private static Duration longest(List<Line> lines, Function<RehearsalReport, Duration> of) {
        return lines.stream().map(line -> of.apply(line.report)).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
