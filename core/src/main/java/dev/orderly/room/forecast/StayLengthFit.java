package dev.orderly.room.forecast;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The maximum-likelihood length of stays, over means and shapes. Visitors who came together and stay equally long leave
 * together; visitors who leave at random moments leave evenly from the start.
 *
 * @param length the best fit
 * @param error deviation of its mean, as a share of it
 */
record StayLengthFit(StayLength length, double error) {
    private static final int BUCKETS = 48;
    /** Departures needed for a fit. */
    private static final int LEAST = 4;
    private static final int ENOUGH = 120;
    private static final double STEP = 1.15;
    private static final int STEPS_DOWN = 20;
    private static final int STEPS_UP = 4;
    private static final int[] NEIGHBOURS = {-2, -1, 1, 2};
    /** Log-likelihood by which another shape must exceed shape 1. */
    private static final double CLEAR = 4;
    private static final double SPREAD_LEAST = 0.6;
    /** Far above the rounding errors of a log-likelihood. */
    private static final double ROUNDING = 1e-6;

    /** Counts in spans of equal length, the oldest first. */
    private static final class Observations {
        final int seconds;
        final int count;
        final double[] admitted;
        final double[] departed;
        /** Visitors inside at the begin of each span. */
        final double[] inside;
        /** Upper bound of the log-likelihood of the spans from each on. */
        final double[] most;
        double exposure;
        double left;
        /** Least expected departures of a span: a single straggler does not decide the fit. */
        double floor;

        Observations(int seconds, int count) {
            this.seconds = seconds;
            this.count = count;
            this.admitted = new double[count];
            this.departed = new double[count];
            this.inside = new double[count];
            this.most = new double[count + 1];
        }

        /** Bounds the likelihoods. A Poisson count is likeliest where as much is expected. */
        void bound() {
            floor = 0.03 * left / count + 0.01;
            for (int bucket = count - 1; bucket >= 0; bucket--) {
                double expected = Math.max(floor, departed[bucket]);
                most[bucket] = most[bucket + 1] + poisson(departed[bucket], expected);
            }
        }
    }

    private record Score(StayLength length, double value) {}

    /** @param before the previous fit; null if there was none */
    static Optional<StayLengthFit> of(RoomHistory history, @Nullable StayLengthFit before) {
        Observations seen = seen(history, before == null ? 0 : before.length().mean());
        if (seen.left < LEAST) {
            return Optional.empty();
        }
        double plain = Math.max(0.5, seen.exposure / seen.left);
        double guess = before == null ? plain : before.length().mean();
        Score random = best(plain, 1, guess, seen);
        Score alike = random;
        for (int n = 1; n < StayLength.SHAPES.length; n++) {
            Score other = best(plain, StayLength.SHAPES[n], guess, seen);
            alike = other.value() > alike.value() ? other : alike;
        }
        boolean clear = alike.value() > random.value() + CLEAR;
        Score best = clear ? alike : random;
        double spread = Math.max(SPREAD_LEAST, best.length().spread());
        return Optional.of(new StayLengthFit(best.length(), 0.02 + spread / Math.sqrt(seen.left)));
    }

    /** The likeliest mean of a shape. Tries the guess first: lengths that cannot reach it are given up early. */
    private static Score best(double plain, int shape, double guess, Observations seen) {
        if (shape == 1) {
            StayLength length = new StayLength(plain, shape);
            return new Score(length, likelihood(length, seen, Double.NEGATIVE_INFINITY));
        }
        int near = Math.clamp(Math.round(Math.log(guess / plain) / Math.log(STEP)), -STEPS_DOWN, STEPS_UP);
        Score best = score(plain * Math.pow(STEP, near), shape, seen, Double.NEGATIVE_INFINITY);
        int first = near;
        for (int step = -STEPS_DOWN; step <= STEPS_UP; step++) {
            if (step != near) {
                Score next = score(plain * Math.pow(STEP, step), shape, seen, best.value());
                // Of equal likelihoods the shorter mean.
                if (next.value() > best.value() || (next.value() == best.value() && step < first)) {
                    best = next;
                    first = step;
                }
            }
        }
        double middle = best.length().mean();
        for (int step : NEIGHBOURS) {
            Score next = score(middle * (1 + 0.03 * step), shape, seen, best.value());
            best = next.value() > best.value() ? next : best;
        }
        return best;
    }

    private static Score score(double mean, int shape, Observations seen, double least) {
        StayLength length = new StayLength(mean, shape);
        return new Score(length, likelihood(length, seen, least));
    }

    private static Observations seen(RoomHistory history, double mean) {
        int seconds = 1;
        while (BUCKETS * seconds < history.span() && (BUCKETS * seconds < 3 * mean
                || departures(history, BUCKETS * seconds) < ENOUGH)) {
            seconds *= 2;
        }
        int count = Math.clamp(history.span() / seconds, 1, BUCKETS);
        Observations seen = new Observations(seconds, count);
        double inside = history.active();
        for (int bucket = count - 1; bucket >= 0; bucket--) {
            for (int i = 0; i < seconds; i++) {
                int back = (count - 1 - bucket) * seconds + i;
                seen.admitted[bucket] += history.admitted(back);
                seen.departed[bucket] += history.departed(back);
                seen.exposure += inside;
                inside += history.departed(back) - history.admitted(back);
            }
            seen.inside[bucket] = Math.max(0, inside);
            seen.left += seen.departed[bucket];
        }
        seen.bound();
        return seen;
    }

    private static int departures(RoomHistory history, int seconds) {
        int count = 0;
        for (int back = 0; back < seconds; back++) {
            count += history.departed(back);
        }
        return count;
    }

    /**
     * The log-likelihood of the departures as Poisson counts, given the ages of the visitors inside; negative infinity
     * as soon as it is certain to be below {@code least}.
     */
    private static double likelihood(StayLength length, Observations seen, double least) {
        int count = seen.count;
        double span = seen.seconds;
        double[] admitted = seen.admitted;
        // Of those who entered this many spans ago: who is there at the begin of a span.
        double[] thereAfter = new double[count + 1];
        double over = length.over(0.5 * span);
        double atOnce = over;
        double first = seen.inside[0];
        double there = first;
        int longest = 0;
        double value = 0;
        for (int bucket = 0; bucket < count; bucket++) {
            if (over < 1) {
                longest = bucket + 1;
                thereAfter[longest] = 1 - over;
                over = length.over((bucket + 1.5) * span);
            }
            double next = first == 0 ? 0 : first * (1 - length.restOver((bucket + 1) * span));
            for (int from = Math.max(0, bucket + 1 - longest); from <= bucket; from++) {
                next += admitted[from] * thereAfter[bucket + 1 - from];
            }
            double leaving = there + admitted[bucket] * (1 - atOnce) - next;
            double share = there > 1e-3 ? leaving / there : 1;
            value += poisson(seen.departed[bucket],
                    seen.floor + 0.97 * (seen.inside[bucket] * share + admitted[bucket] * atOnce));
            if (value + seen.most[bucket + 1] < least - ROUNDING) {
                return Double.NEGATIVE_INFINITY;
            }
            there = next;
        }
        return value;
    }

    /** The log-likelihood of a count, without the term that depends on the count alone. */
    private static double poisson(double count, double expected) {
        return (count == 0 ? 0 : count * Math.log(expected)) - expected;
    }
}
