package dev.orderly.web.report;

import dev.orderly.history.RoomReport;
import dev.orderly.history.RoomReport.Point;
import dev.orderly.history.RoomReport.TierVisitors;
import dev.orderly.history.RoomReport.Total;
import dev.orderly.text.DurationText;
import dev.orderly.web.report.SvgChart.Axis;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A report about a room for people: its sums as words, one HTML file that needs no network, and its course as CSV.
 *
 * @param zone in which moments are shown
 */
public record RoomReportPage(RoomReport report, ZoneId zone) {
    /** What the page may do: show its own style. */
    public static final String CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

    /** The heading of {@link #tiers}. */
    public static final List<String> TIER_HEADING = List.of("tier", "arrivals", "invitations used", "entered",
            "wait p50", "wait p95", "waits within the announced range");

    private static final int PLOTS = 3;

    /** The sums, by their names in order. */
    public Map<String, String> facts() {
        Total total = report.total();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("arrivals", count(total.arrivals()));
        facts.put("entered", count(total.entered()));
        facts.put("gave up while they waited", count(total.gaveUp()));
        facts.put("called and absent, most at once", count(total.noShows()));
        facts.put("longest line", count(total.longestLine()));
        facts.put("mean wait", time(total.meanWaitMillis()));
        facts.put("wait p50", time(total.waitP50Millis()));
        facts.put("wait p95", time(total.waitP95Millis()));
        facts.put("waits within the announced range", share(total.kept(), total.announced()));
        facts.put("requests with invalid tickets or passes", count(total.tokensRefused()));
        facts.put("requests refused for other reasons", count(total.refused()));
        total.refusals().forEach(refused -> facts.put("refused by " + refused.cause().replace('-', ' '),
                count(refused.count())));
        RoomReport.Places places = total.places();
        facts.put("the first 10 places of a network in two hours", part(places.upTo10(), places));
        facts.put("the 11th to 100th place of a network", part(places.upTo100(), places));
        facts.put("the 101st to 1,000th place of a network", part(places.upTo1000(), places));
        facts.put("places of a network beyond 1,000", part(places.more(), places));
        return facts;
    }

    /** A row for each tier with visitors, at last one for those of no tier; empty if no visitor had a tier. */
    public List<List<String>> tiers() {
        return report.tiers().stream().map(tier -> List.of(name(tier), count(tier.arrivals()), count(tier.invited()),
                count(tier.entered()), time(tier.waitP50Millis()), time(tier.waitP95Millis()),
                share(tier.kept(), tier.announced()))).toList();
    }

    private static String name(TierVisitors tier) {
        return tier.tier() == null ? "no tier" : tier.tier();
    }

    private static String share(long kept, long announced) {
        return announced == 0 ? "-" : Math.round(100.0 * kept / announced) + " % of " + count(announced);
    }

    private static String part(long places, RoomReport.Places all) {
        return all.all() == 0 ? "-" : count(places) + " (" + Math.round(100.0 * places / all.all()) + " %)";
    }

    public String title() {
        return "Room " + report.room() + ", " + moment(report.from()) + " to " + moment(report.until());
    }

    /** One file with the sums and a picture of the course. */
    public String html() {
        String rows = facts().entrySet().stream()
                .map(fact -> "<tr><th scope=\"row\">" + SvgChart.escaped(fact.getKey()) + "</th><td>"
                        + SvgChart.escaped(fact.getValue()) + "</td></tr>")
                .collect(Collectors.joining("\n"));
        String scope = "Over all gates, in " + zone + ". Waits are known to about 20 %."
                + " A network is an IPv4 /24 or an IPv6 /48; no address is kept in the history.";
        return """
                <!doctype html>
                <html lang="en">
                <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title>
                <style>
                body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
                  color: #222; background: #fff }
                table { border-collapse: collapse; width: 100%% } th { text-align: left; font-weight: normal }
                th, td { padding: .3rem .6rem; border-bottom: 1px solid #ddd } td { text-align: right }
                svg { width: 100%%; height: auto } p { color: #555 }
                .tiers th:not(:first-child) { text-align: right } div { overflow-x: auto }
                @media print { body { margin: 0; max-width: none } }
                </style></head>
                <body>
                <h1>%s</h1>
                <p>%s</p>
                <table>
                %s
                </table>
                %s%s</body>
                </html>
                """.formatted(SvgChart.escaped(title()), SvgChart.escaped(title()), SvgChart.escaped(scope), rows,
                tierTable(), svg());
    }

    private String tierTable() {
        return report.tiers().isEmpty()
                ? ""
                : "<h2>Tiers</h2>\n<div><table class=\"tiers\">\n" + row(TIER_HEADING, "col")
                        + tiers().stream().map(tier -> row(tier, "row")).collect(Collectors.joining())
                        + "</table></div>\n";
    }

    /** @param scope that of the first cell; in a heading, that of all */
    private static String row(List<String> cells, String scope) {
        StringBuilder row = new StringBuilder("<tr>");
        for (int n = 0; n < cells.size(); n++) {
            String tag = n == 0 || scope.equals("col") ? "th" : "td";
            row.append('<').append(tag).append(tag.equals("th") ? " scope=\"" + scope + '"' : "").append('>')
                    .append(SvgChart.escaped(cells.get(n))).append("</").append(tag).append('>');
        }
        return row.append("</tr>\n").toString();
    }

    /** The course as one picture: visitors by minute, the line and what is inside, waits. */
    public String svg() {
        SvgChart chart = new SvgChart("", PLOTS, 0);
        Axis clock = Axis.ofClock(report.from(), report.until(), zone);
        Axis visitors = Axis.ofVisitors((long) Math.ceil(
                most(point -> Math.max(aMinute(point, point.arrivals()), aMinute(point, point.entered())))));
        chart.plot(0, "visitors a minute: arrivals (blue), entered (brown)", clock, visitors);
        line(chart, 0, SvgChart.BLUE, clock, visitors, point -> aMinute(point, point.arrivals()));
        line(chart, 0, SvgChart.BROWN, clock, visitors, point -> aMinute(point, point.entered()));
        Axis places = Axis.ofVisitors((long) Math.ceil(Math.max(most(point -> number(point.waiting())),
                Math.max(most(point -> number(point.inside())), most(point -> number(point.capacity()))))));
        chart.plot(1, "waiting (blue), inside (brown), capacity (dashed)", clock, places);
        line(chart, 1, SvgChart.BLUE, clock, places, point -> number(point.waiting()));
        line(chart, 1, SvgChart.BROWN, clock, places, point -> number(point.inside()));
        chart.path(1, SvgChart.GREEN, SvgChart.DASHED, points(clock, places, point -> number(point.capacity())));
        Axis waits = Axis.ofTime(Duration.ofMillis((long) most(point -> number(point.waitP95Millis()))));
        chart.plot(2, "wait of those who entered: the median (blue), and what 95 % did not exceed (brown)", clock,
                waits);
        line(chart, 2, SvgChart.BLUE, clock, waits, point -> seconds(point.waitP50Millis()));
        line(chart, 2, SvgChart.BROWN, clock, waits, point -> seconds(point.waitP95Millis()));
        return chart.end();
    }

    /**
     * The course with a line for each point, and a heading. Times in seconds; empty where nothing was recorded. If
     * visitors had tiers, a last column names the tier: empty for all visitors, {@code -} for those of no tier.
     */
    public String csv() {
        boolean named = !report.tiers().isEmpty();
        List<String> lines = new ArrayList<>();
        lines.add("at,arrivals,entered,gave_up,waiting,inside,capacity,wait_p50,wait_p95" + (named ? ",tier" : ""));
        report.points().forEach(point -> lines.add(line(point) + (named ? "," : "")));
        report.tiers().forEach(tier -> tier.points().forEach(point -> lines.add(line(point) + "," + name(tier))));
        return String.join("\r\n", lines) + "\r\n";
    }

    private static String line(Point point) {
        return Stream.of(point.at(), point.arrivals(), point.entered(), point.gaveUp(), point.waiting(),
                point.inside(), point.capacity(), seconds(point.waitP50Millis()), seconds(point.waitP95Millis()))
                .map(value -> Objects.toString(value, "")).collect(Collectors.joining(","));
    }

    private void line(SvgChart chart, int plot, String colour, Axis x, Axis y,
            Function<Point, @Nullable Double> value) {
        chart.path(plot, colour, "", points(x, y, value));
    }

    private List<SvgChart.Point> points(Axis x, Axis y, Function<Point, @Nullable Double> value) {
        List<SvgChart.Point> points = new ArrayList<>();
        for (Point point : report.points()) {
            Double known = value.apply(point);
            if (known != null) {
                double at = Duration.between(report.from(), point.at()).toSeconds() + seconds(point) / 2.0;
                points.add(new SvgChart.Point(x.share(at), y.share(known)));
            }
        }
        return points;
    }

    /** The length of a point: the last one may end before its step. */
    private long seconds(Point point) {
        return Math.min(report.stepSeconds(), Duration.between(point.at(), report.until()).toSeconds());
    }

    private double aMinute(Point point, long count) {
        return count * 60.0 / seconds(point);
    }

    private double most(Function<Point, @Nullable Double> value) {
        double most = 0;
        for (Point point : report.points()) {
            Double known = value.apply(point);
            most = known == null ? most : Math.max(most, known);
        }
        return most;
    }

    private static @Nullable Double number(@Nullable Long value) {
        return value == null ? null : value.doubleValue();
    }

    private static @Nullable Double seconds(@Nullable Long millis) {
        return millis == null ? null : millis / 1e3;
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String time(@Nullable Long millis) {
        return millis == null ? "-" : DurationText.rounded(Duration.ofMillis(millis));
    }

    private String moment(Instant at) {
        return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(zone).format(at);
    }
}
