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
    /** Log-likelihood by which another shape must exceed shape 1. */
    private static final double CLEAR = 4;
    private static final double SPREAD_LEAST = 0.6;

    /** Counts in spans of equal length, the oldest first. */
    private static final class Observations {
        final int seconds;
        final int count;
        final double[] admitted;
        final double[] departed;
        /** Visitors inside at the begin of each span. */
        final double[] inside;
        double exposure;
        double left;

        Observations(int seconds, int count) {
            this.seconds = seconds;
            this.count = count;
            this.admitted = new double[count];
            this.departed = new double[count];
            this.inside = new double[count];
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
        Score random = best(plain, 1, seen);
        Score alike = random;
        for (int n = 1; n < StayLength.SHAPES.length; n++) {
            Score other = best(plain, StayLength.SHAPES[n], seen);
            alike = other.value() > alike.value() ? other : alike;
        }
        boolean clear = alike.value() > random.value() + CLEAR;
        Score best = clear ? alike : random;
        double spread = Math.max(SPREAD_LEAST, best.length().spread());
        return Optional.of(new StayLengthFit(best.length(), 0.02 + spread / Math.sqrt(seen.left)));
    }

    private static Score best(double plain, int shape, Observations seen) {
        Score best = new Score(new StayLength(plain, shape), Double.NEGATIVE_INFINITY);
        if (shape == 1) {
            return better(best, best.length(), seen);
        }
        for (int step = -STEPS_DOWN; step <= STEPS_UP; step++) {
            best = better(best, new StayLength(plain * Math.pow(STEP, step), shape), seen);
        }
        double middle = best.length().mean();
        for (int step = -2; step <= 2; step++) {
            best = better(best, new StayLength(middle * (1 + 0.03 * step), shape), seen);
        }
        return best;
    }

    private static Score better(Score best, StayLength length, Observations seen) {
        double value = likelihood(length, seen);
        return value > best.value() ? new Score(length, value) : best;
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
     * The log-likelihood of the departures as Poisson counts, given the ages of the visitors inside. A floor under the
     * expected counts keeps a single straggler from deciding the fit.
     */
    private static double likelihood(StayLength length, Observations seen) {
        int count = seen.count;
        double span = seen.seconds;
        double[] admitted = seen.admitted;
        // Of those who entered this many spans ago: who is there at the begin of a span, and who leaves in it.
        double[] thereAfter = new double[count + 1];
        double[] leavingAfter = new double[count + 1];
        double over = length.over(0.5 * span);
        double atOnce = over;
        for (int lag = 1; lag <= count; lag++) {
            double later = length.over((lag + 0.5) * span);
            thereAfter[lag] = 1 - over;
            leavingAfter[lag] = later - over;
            over = later;
        }
        double floor = 0.03 * seen.left / count + 0.01;
        double value = 0;
        for (int bucket = 0; bucket < count; bucket++) {
            double gone = length.restOver(bucket * span);
            double there = seen.inside[0] * (1 - gone);
            double leaving = seen.inside[0] * (length.restOver((bucket + 1) * span) - gone);
            for (int from = 0; from < bucket; from++) {
                there += admitted[from] * thereAfter[bucket - from];
                leaving += admitted[from] * leavingAfter[bucket - from];
            }
            double share = there > 1e-3 ? leaving / there : 1;
            double mixed = floor + 0.97 * (seen.inside[bucket] * share + admitted[bucket] * atOnce);
            value += seen.departed[bucket] * Math.log(mixed) - mixed;
        }
        return value;
    }
}
