package dev.orderly.dashboard.job;

import dev.orderly.dashboard.page.Figures;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.present.JobTimeline.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The course of a job as bars, from its push to its end or to now. Bars have a least width, so that short runs between
 * long waits are seen.
 */
public record TimelinePicture(List<Bar> bars) {
    /** The width of the picture, in its own units. */
    public static final int WIDTH = 1_000;

    private static final double LEAST = 6;

    /**
     * A bar.
     *
     * @param kind class of the bar
     * @param title what it shows, in words
     */
    public record Bar(String kind, String title, double x, double width) {
        /** The place as an attribute of SVG. */
        public String left() {
            return Double.toString(Math.round(x * 10) / 10.0);
        }

        /** The width as an attribute of SVG. */
        public String size() {
            return Double.toString(Math.round(width * 10) / 10.0);
        }
    }

    static TimelinePicture of(List<Span> spans, Instant now) {
        List<Long> lengths = spans.stream().map(span -> length(span, now)).toList();
        double total = Math.max(1, lengths.stream().mapToLong(Long::longValue).sum());
        double free = Math.max(0, WIDTH - LEAST * spans.size());
        List<Bar> bars = new ArrayList<>();
        double x = 0;
        for (int n = 0; n < spans.size(); n++) {
            double width = LEAST + free * lengths.get(n) / total;
            bars.add(new Bar(kind(spans.get(n)), title(spans.get(n), lengths.get(n)), x, width));
            x += width;
        }
        return new TimelinePicture(List.copyOf(bars));
    }

    private static long length(Span span, Instant now) {
        Instant to = span.to() == null || span.to().isAfter(now) ? now : span.to();
        return Math.max(0, Duration.between(span.from(), to).toMillis());
    }

    private static String kind(Span span) {
        JobAttempt attempt = span.attempt();
        if (attempt == null) {
            return span.activity().text();
        }
        return attempt.end() == null
                ? "running"
                : attempt.end() == JobAttempt.End.DONE
                        ? "done"
                        : attempt.failure() == null
                                ? "other"
                                : "failed";
    }

    private static String title(Span span, long millis) {
        JobAttempt attempt = span.attempt();
        String what = attempt == null
                ? span.activity().text()
                : "attempt " + attempt.number() + ", " + (attempt.end() == null ? "running" : attempt.end().text());
        return what + ": " + Figures.duration(Duration.ofMillis(millis));
    }

    /** The whole course in words. */
    public String words() {
        return "The course of the job: " + String.join("; ", bars.stream().map(Bar::title).toList());
    }
}
