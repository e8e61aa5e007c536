package dev.orderly.room.forecast;

import dev.orderly.room.Rate;
import org.jspecify.annotations.Nullable;

/**
 * Expected admissions over time while visitors always wait: the limits, simulated forward from recent admissions and
 * departures. Immutable.
 */
final class AdmissionCurve {
    private static final int STEPS = 192;
    private static final double SHORTEST = 0.5;
    private static final double MEANS_AHEAD = 3;

    /** Length of a step in seconds. */
    private final double step;
    /** Admissions until the end of each step. */
    private final double[] admitted;
    /**
     * Continuation behind the last step: this many admissions in each span of this many seconds, in lumps or evenly.
     */
    private final double moreAdmitted;
    private final double moreSeconds;
    private final boolean lumps;

    private AdmissionCurve(double step, double[] admitted, double moreAdmitted, double moreSeconds, boolean lumps) {
        this.step = step;
        this.admitted = admitted;
        this.moreAdmitted = moreAdmitted;
        this.moreSeconds = moreSeconds;
        this.lumps = lumps;
    }

    /**
     * The bounds of admissions.
     *
     * @param capacity usual number of visitors inside; {@link Double#POSITIVE_INFINITY} without a bound
     * @param rate null without a bound
     * @param stay length of stays; null if no visitor is expected to leave, or if stays bound nothing
     */
    record Bounds(double capacity, @Nullable Rate rate, @Nullable StayLength stay) {
        private boolean isFree() {
            return rate == null && Double.isInfinite(capacity);
        }

        private double horizon() {
            double stays = stay == null ? 1 : MEANS_AHEAD * stay.mean();
            return Math.max(stays, rate == null ? 1 : rate.period().toMillis() / 1_000.0 + 1);
        }

        /** Seconds of past admissions on which the curve depends. */
        double memory() {
            double inside = stay == null ? 0 : stay.longest() + cohort(stay);
            return Math.max(inside, rate == null ? 0 : rate.period().toSeconds() + 1.0);
        }
    }

    /** Length of a cohort of past admissions, in seconds. */
    private static int cohort(StayLength stay) {
        return Math.max(1, (int) Math.ceil(MEANS_AHEAD * stay.mean() / STEPS));
    }

    /** @param history at least as long as {@link Bounds#memory} */
    static AdmissionCurve of(RoomHistory.Recent history, Bounds bounds) {
        if (bounds.isFree()) {
            return new AdmissionCurve(1, new double[]{Integer.MAX_VALUE}, 1, 1, false);
        }
        double step = Math.max(SHORTEST, bounds.horizon() / STEPS);
        double[] sum = new Play(history, bounds, step).play();
        // In this order on every machine: a forecast can depend on the last bit, and a parallel sum on the cores.
        for (int n = 1; n < sum.length; n++) {
            sum[n] += sum[n - 1];
        }
        Rate rate = bounds.rate();
        double byRate = rate == null ? Double.POSITIVE_INFINITY : rate.perSecond();
        double byLeavers = Double.isInfinite(bounds.capacity())
                ? Double.POSITIVE_INFINITY
                : bounds.stay() == null ? 0 : bounds.capacity() / bounds.stay().mean();
        if (rate != null && byRate <= byLeavers) {
            return new AdmissionCurve(step, sum, rate.admissions(), rate.period().toMillis() / 1_000.0, true);
        }
        return new AdmissionCurve(step, sum, byLeavers, 1, false);
    }

    /** Seconds until this many visitors have been admitted; {@link Double#POSITIVE_INFINITY} if never. */
    double when(double visitors) {
        double last = admitted[admitted.length - 1];
        if (visitors <= last) {
            return within(visitors);
        }
        if (moreAdmitted <= 0) {
            return Double.POSITIVE_INFINITY;
        }
        double behind = visitors - last;
        if (!lumps) {
            return admitted.length * step + behind / moreAdmitted * moreSeconds;
        }
        double spans = Math.ceil(behind / moreAdmitted);
        return within(Math.max(0, visitors - spans * moreAdmitted)) + spans * moreSeconds;
    }

    /** Visitors admitted after this many seconds. */
    double count(double seconds) {
        int full = (int) (seconds / step);
        if (full >= admitted.length) {
            return admitted[admitted.length - 1] + moreAdmitted * (seconds - admitted.length * step) / moreSeconds;
        }
        double before = full == 0 ? 0 : admitted[full - 1];
        return before + (admitted[full] - before) * (seconds / step - full);
    }

    private double within(double visitors) {
        int low = 0;
        int high = admitted.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (admitted[middle] >= visitors) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        double before = low == 0 ? 0 : admitted[low - 1];
        double more = admitted[low] - before;
        return step * (low + (more <= 0 ? 0 : Math.clamp((visitors - before) / more, 0, 1)));
    }

    /** A simulation of admissions, step by step. */
    private static final class Play {
        private final RoomHistory.Recent history;
        private final Bounds bounds;
        private final double step;
        private final double[] each = new double[STEPS];
        /** Visitors inside in cohorts of equal age, the youngest first: their number, and their age in half steps. */
        private final double[] inside = new double[STEPS];
        private final int[] age = new int[STEPS];
        private int cohorts;
        /** Share of stays that end within a step, by age at its begin in half steps; 0 for older visitors. */
        private final double[] ending;
        /** Admissions in the last seconds, by number of seconds. */
        private final double[] since;
        /** Visitors inside whose time of entry is unknown. */
        private double rest;

        Play(RoomHistory.Recent history, Bounds bounds, double step) {
            this.history = history;
            this.bounds = bounds;
            this.step = step;
            Rate rate = bounds.rate();
            this.since = new double[rate == null ? 1 : (int) rate.period().toSeconds() + 2];
            for (int back = 1; back < since.length; back++) {
                since[back] = since[back - 1] + history.admitted(back - 1);
            }
            StayLength stay = bounds.stay();
            this.ending = stay == null ? new double[0] : ending(stay, step);
            if (stay != null) {
                recall(stay);
            }
        }

        private static double[] ending(StayLength stay, double step) {
            double[] over = new double[4 * STEPS];
            int half = 0;
            while (half < over.length && (half == 0 || over[half - 1] < 1)) {
                over[half] = stay.over(half * step / 2);
                half++;
            }
            double all = half < over.length ? 1 : stay.over(2 * STEPS * step);
            double[] ending = new double[half];
            for (int from = 0; from < half; from++) {
                ending[from] = (from + 2 < half ? over[from + 2] : all) - over[from];
            }
            return ending;
        }

        /** Reconstructs the visitors inside by time of entry, scaled to their actual number. */
        private void recall(StayLength stay) {
            int seconds = cohort(stay);
            double longest = Math.min(Math.max(1, history.span()), stay.longest());
            double known = 0;
            for (int back = 0; cohorts < STEPS && back < longest; back += seconds) {
                double count = 0;
                for (int i = 0; i < seconds; i++) {
                    count += history.admitted(back + i);
                }
                double middle = back + seconds / 2.0;
                double staying = count > 0 ? 1 - stay.over(middle) : 0;
                if (staying > 0) {
                    inside[cohorts] = count;
                    age[cohorts++] = (int) Math.round(2 * middle / step);
                    known += count * staying;
                }
            }
            double active = history.active();
            if (known < 0.5 * active) {
                rest = active - known;
            } else {
                for (int i = 0; i < cohorts; i++) {
                    inside[i] *= active / known;
                }
            }
        }

        double[] play() {
            double active = history.active();
            StayLength stay = bounds.stay();
            // Leavers in the step of their entry free their places again.
            double brief = stay == null ? 0 : stay.over(step / 2);
            for (int n = 0; n < STEPS; n++) {
                active -= leaving(n);
                double free = Math.max(0, bounds.capacity() - active);
                each[n] = Math.min(free / (1 - brief), allowed(n));
                active += each[n] * (1 - brief);
            }
            return each;
        }

        /** Expected departures in a step. */
        private double leaving(int n) {
            StayLength stay = bounds.stay();
            if (stay == null) {
                return 0;
            }
            double leaving = rest == 0 ? 0 : rest * (stay.restOver((n + 1) * step) - stay.restOver(n * step));
            double[] shares = ending;
            double[] known = inside;
            int[] ages = age;
            int oldest = shares.length - 2 * n;
            for (int i = 0; i < cohorts && ages[i] < oldest; i++) {
                leaving += known[i] * shares[ages[i] + 2 * n];
            }
            double[] entered = each;
            int last = 2 * n - 1; // visitors enter in the middle of a step
            for (int from = Math.max(0, n - shares.length / 2); from < n; from++) {
                leaving += entered[from] * shares[last - 2 * from];
            }
            return leaving;
        }

        /** Admissions that the rate allows in a step. */
        private double allowed(int n) {
            Rate rate = bounds.rate();
            if (rate == null) {
                return Integer.MAX_VALUE;
            }
            double period = rate.period().toMillis() / 1_000.0;
            double from = (n + 1) * step - period;
            double used = 0;
            for (int i = Math.max(0, (int) Math.ceil(from / step - 1e-9)); i < n; i++) {
                used += each[i];
            }
            if (from < 0) {
                used += since[Math.min(since.length - 1, (int) Math.ceil(-from))];
            }
            return Math.max(0, rate.admissions() - used);
        }
    }
}
