package dev.orderly.trial;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The report about a trial for people: its counts, and one HTML file that needs no network. */
public final class TrialReport {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 160;
    private static final int BARS = 120;

    private TrialReport() {}

    /** The counts, by their names in order. */
    public static Map<String, String> facts(TrialResult result) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("jobs pushed", count(result.pushed()));
        facts.put("jobs accepted", count(result.accepted()));
        facts.put("accepted jobs without a good end", count(result.open()));
        facts.put("runs that ended well", count(result.ends().size()));
        facts.put("runs that failed on purpose", count(result.failedRuns()));
        facts.put("jobs that the cluster still holds", count(result.pending()));
        facts.put("dead letters", count(result.dead()));
        facts.put("disturbances", count(result.disturbances().size()));
        facts.put("disturbances whose command failed", count(result.failedCommands()));
        facts.put("longest time without a job that ended",
                String.format(Locale.ROOT, "%.1f s", result.longestPause().toMillis() / 1e3));
        return facts;
    }

    private static String count(long value) {
        return value < 0 ? "unknown" : String.format(Locale.ROOT, "%,d", value);
    }

    /**
     * The page.
     *
     * @param verdict what the referee printed
     */
    public static String html(TrialResult result, String verdict) {
        String rows = facts(result).entrySet().stream().map(fact -> row(fact.getKey(), fact.getValue()))
                .collect(Collectors.joining());
        String commands = result.disturbances().stream()
                .map(each -> row(each.command(), String.format(Locale.ROOT, "%.1f s to %.1f s, exit code %d",
                        each.from() / 1e6, each.until() / 1e6, each.exit())))
                .collect(Collectors.joining());
        return """
                <!doctype html>
                <html lang="en">
                <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Trial of a cluster</title>
                <style>
                :root { color-scheme: light dark; --ink: #222; --back: #fff; --soft: #555; --line: #ddd;
                  --bar: #0b57a4; --cut: #a33b00 }
                @media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --back: #16181b; --soft: #a8a8a8;
                  --line: #3a3d42; --bar: #6fb1f5; --cut: #f0925a } }
                body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
                  color: var(--ink); background: var(--back) }
                table { border-collapse: collapse; width: 100%% } th { text-align: left; font-weight: normal;
                  overflow-wrap: anywhere } th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line) }
                td { text-align: right } svg { width: 100%%; height: 10rem; display: block } p { color: var(--soft) }
                pre { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 4px solid var(--bar);
                  padding-left: 1rem } rect { fill: var(--bar) } .cut { fill: var(--cut); opacity: .45 }
                </style></head>
                <body>
                <h1>Trial of a cluster</h1>
                <h2>What the referee says</h2>
                <pre>%s</pre>
                <h2>What was counted</h2>
                <table>%s</table>
                <h2>Jobs done over time</h2>
                %s
                <p>Jobs that ended well (bars) and disturbances (behind them), over %.0f s.</p>
                <h2>Disturbances</h2>
                <table>%s</table>
                </body>
                </html>
                """.formatted(escaped(verdict), rows, chart(result), end(result) / 1e6,
                commands.isEmpty() ? row("none", "") : commands);
    }

    private static String row(String name, String value) {
        return "<tr><th scope=\"row\">" + escaped(name) + "</th><td>" + escaped(value)
                + "</td></tr>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static long end(TrialResult result) {
        long last = result.ends().isEmpty() ? 1 : result.ends().getLast();
        return Math.max(last + 1, result.disturbances().stream().mapToLong(TrialResult.Disturbance::until).max()
                .orElse(0));
    }

    private static String chart(TrialResult result) {
        double end = end(result);
        int[] bars = new int[BARS];
        result.ends().forEach(at -> bars[(int) (at / end * BARS)]++);
        int most = 1;
        for (int bar : bars) {
            most = Math.max(most, bar);
        }
        StringBuilder svg = new StringBuilder("<svg viewBox=\"0 0 " + WIDTH + " " + HEIGHT
                + "\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Jobs done over time\">");
        for (TrialResult.Disturbance each : result.disturbances()) {
            svg.append(rectangle(" class=\"cut\"", each.from() / end, Math.max(0.002, (each.until() - each.from())
                    / end), 1));
        }
        for (int n = 0; n < BARS; n++) {
            svg.append(rectangle("", n / (double) BARS, 0.8 / BARS, bars[n] / (double) most));
        }
        return svg.append("</svg>").toString();
    }

    private static String rectangle(String attributes, double left, double width, double height) {
        return String.format(Locale.ROOT, "<rect%s x=\"%.1f\" width=\"%.1f\" y=\"%.1f\" height=\"%.1f\"/>",
                attributes, left * WIDTH, width * WIDTH, HEIGHT * (1 - height), HEIGHT * height);
    }
}
