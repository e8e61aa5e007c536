package dev.orderly.job;

import dev.orderly.text.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A bound on jobs over all nodes that share a store: how many run at once, how many start within a time, or both.
 * Immutable.
 *
 * {@snippet :
 * orderly.limit("crm-api", Limit.concurrency(20).rate(100, Duration.ofSeconds(10)));
 * orderly.queue("exports", Export.class, options -> options.withLimit("crm-api"));
 * }
 *
 * @param concurrency the most jobs that run at once, leased jobs among them; 0 for any number, at most
 *     {@value #CONCURRENCY_MAX}
 * @param starts the most jobs that start in any span of the period, wherever it begins; 0 for any number, at most
 *     {@value #STARTS_MAX}
 * @param period 1 s to 31 days in whole milliseconds; zero if and only if {@code starts} is 0
 * @param share of each key only: the percentage of the slots of the queue's limit that its running jobs have at most
 *     while a job of another key could start, 1 to 100, rounded down to one slot or more; 0 for none
 */
public record Limit(int concurrency, int starts, Duration period, int share) {
    /** The largest bound on jobs that run at once. */
    public static final int CONCURRENCY_MAX = 10_000;
    /** The largest number of starts. */
    public static final int STARTS_MAX = 1_000_000;
    /** The shortest period. */
    public static final Duration PERIOD_MIN = Duration.ofSeconds(1);
    /** The longest period. */
    public static final Duration PERIOD_MAX = Duration.ofDays(31);

    /** @throws IllegalArgumentException if a number is out of its bounds; the message names it */
    public Limit {
        Objects.requireNonNull(period, "period");
        if (concurrency < 0 || concurrency > CONCURRENCY_MAX) {
            throw new IllegalArgumentException(
                    "A limit with concurrency " + concurrency + ": use 1 to " + CONCURRENCY_MAX);
        }
        if (starts < 0 || starts > STARTS_MAX) {
            throw new IllegalArgumentException("A limit of " + starts + " starts: use 1 to " + STARTS_MAX);
        }
        if (starts > 0 && (period.compareTo(PERIOD_MIN) < 0 || period.compareTo(PERIOD_MAX) > 0
                || !period.equals(period.truncatedTo(ChronoUnit.MILLIS)))) {
            throw new IllegalArgumentException("A limit of starts per " + DurationText.of(period)
                    + ": use a period of 1 s to 31 days, in whole milliseconds");
        }
        if (starts == 0 && !period.isZero()) {
            throw new IllegalArgumentException("A limit has a period and no starts: give both or none");
        }
        if (share < 0 || share > 100) {
            throw new IllegalArgumentException("A share of " + share + " %: use 1 to 100");
        }
        if (concurrency == 0 && starts == 0 && share == 0) {
            throw new IllegalArgumentException("A limit bounds nothing: give it a concurrency, a rate or both");
        }
    }

    /** A limit without a share. */
    public Limit(int concurrency, int starts, Duration period) {
        this(concurrency, starts, period, 0);
    }

    /** A bound on each key of a queue whose limit has a concurrency: the largest share of its slots, 1 to 100. */
    public static Limit ofShare(int percent) {
        return new Limit(0, 0, Duration.ZERO, positive(percent, "share"));
    }

    /** The same limit of each key with a share, as of {@link #ofShare}. */
    public Limit share(int percent) {
        return new Limit(concurrency, starts, period, positive(percent, "share"));
    }

    /** A bound on the jobs that run at once: 1 to {@value #CONCURRENCY_MAX}. */
    public static Limit concurrency(int jobs) {
        return new Limit(positive(jobs, "concurrency"), 0, Duration.ZERO);
    }

    /** A bound on starts: at most {@code starts} in any span of the period. */
    public static Limit of(int starts, Duration period) {
        return new Limit(0, positive(starts, "starts"), period);
    }

    /** The same limit with a bound on starts: at most {@code starts} in any span of the period. */
    public Limit rate(int starts, Duration period) {
        return new Limit(concurrency, positive(starts, "starts"), period, share);
    }

    /** The most of some slots that its {@linkplain #ofShare share} lets a key have; all of them without a share. */
    public int shareOf(int slots) {
        return share == 0 ? slots : (int) Math.max(1, (long) slots * share / 100);
    }

    private static int positive(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException("A limit with " + name + " " + value + ": use 1 or more");
        }
        return value;
    }

    /** The rate in the form of the configuration, {@code 100 per 10s}; empty without one. */
    public String rateText() {
        long millis = period.toMillis();
        return starts == 0 ? "" : starts + " per " + (millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms");
    }

    /** The bounds for people: {@code concurrency 20, rate 100 per 10s, share 50%}. */
    @Override
    public String toString() {
        String most = concurrency == 0 ? "" : "concurrency " + concurrency;
        String rate = starts == 0 ? "" : "rate " + rateText();
        String part = share == 0 ? "" : "share " + share + "%";
        return Stream.of(most, rate, part).filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
    }
}
