package dev.orderly.room.forecast;

import dev.orderly.room.Rate;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How many visitors can have been admitted by when, if somebody always waits: what the limits leave, played forward from
 * what happened lately. Immutable.
 */
final class AdmissionCurve {
    private static final int STEPS = 192;
    private static final double SHORTEST = 0.5;
    private static final double MEANS_AHEAD = 3;

    /** Seconds a step takes. */
    private final double step;
    /** By step: admissions until its end. */
    private final double[] admitted;
    /** How it goes on behind the last step: so many in each span of so many seconds, in lumps or evenly. */
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
     * What bounds admissions.
     *
     * @param capacity how many are inside at once as a rule, {@link Double#POSITIVE_INFINITY} without a bound
     * @param rate null without a bound
     * @param stay how long visitors stay; null if nobody is expected to leave, or it bounds nothing
     */
    record Bounds(double capacity, @Nullable Rate rate, @Nullable StayLength stay) {
        private boolean isFree() {
            return rate == null && Double.isInfinite(capacity);
        }

        private double horizon() {
            double stays = stay == null ? 1 : MEANS_AHEAD * stay.mean();
            return Math.max(stays, rate == null ? 1 : rate.period().toMillis() / 1_000.0 + 1);
        }
    }

    static AdmissionCurve of(RoomHistory history, Bounds bounds) {
        if (bounds.isFree()) {
            return new AdmissionCurve(1, new double[]{Integer.MAX_VALUE}, 1, 1, false);
        }
        double step = Math.max(SHORTEST, bounds.horizon() / STEPS);
        double[] each = new Play(history, bounds, step).play();
        double[] sum = each.clone();
        Arrays.parallelPrefix(sum, Double::sum);
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

    /** Seconds until so many have been admitted; {@link Double#POSITIVE_INFINITY} if they never are. */
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

    /** How many have been admitted after so many seconds. */
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

    /** One run of it, step by step. */
    private static final class Play {
        private final RoomHistory history;
        private final Bounds bounds;
        private final double step;
        private final double[] each = new double[STEPS];
        /** Visitors inside by the time since they entered: how many, and how many half steps before now. */
        private final double[] inside = new double[2 * STEPS];
        private final int[] age = new int[2 * STEPS];
        private int cohorts;
        /** By half steps: the share of stays that are over by then. */
        private final double[] over;
        /** By seconds back: admissions since then. */
        private final double[] since;
        /** Of those who entered before that. */
        private double rest;

        Play(RoomHistory history, Bounds bounds, double step) {
            this.history = history;
            this.bounds = bounds;
            this.step = step;
            Rate rate = bounds.rate();
            this.since = new double[rate == null ? 1 : (int) rate.period().toSeconds() + 2];
            for (int back = 1; back < since.length; back++) {
                since[back] = since[back - 1] + history.admitted(back - 1);
            }
            StayLength stay = bounds.stay();
            over = stay == null
                    ? new double[0]
                    : IntStream.rangeClosed(0, 4 * STEPS).mapToDouble(half -> stay.over(half * step / 2)).toArray();
            if (stay != null) {
                recall(stay);
            }
        }

        /** Those inside by when they seem to have entered; together as many as there are. */
        private void recall(StayLength stay) {
            int seconds = Math.max(1, (int) Math.ceil(MEANS_AHEAD * stay.mean() / STEPS));
            double known = 0;
            for (int back = 0; cohorts < STEPS && back < Math.max(1, history.span()); back += seconds) {
                double count = 0;
                for (int i = 0; i < seconds; i++) {
                    count += history.admitted(back + i);
                }
                double middle = back + seconds / 2.0;
                if (count > 0 && stay.over(middle) < 1) {
                    inside[cohorts] = count;
                    age[cohorts++] = (int) Math.round(2 * middle / step);
                    known += count * (1 - stay.over(middle));
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
            double brief = stay == null ? 0 : stay.over(step / 2); // who leaves in the step of the entry makes room again
            for (int n = 0; n < STEPS; n++) {
                active -= leaving(n);
                double free = Math.max(0, bounds.capacity() - active);
                each[n] = Math.min(free / (1 - brief), allowed(n));
                active += each[n] * (1 - brief);
                if (stay != null) {
                    inside[cohorts] = each[n];
                    age[cohorts++] = -(2 * n + 1);
                }
            }
            return each;
        }

        /** Visitors who leave in a step. */
        private double leaving(int n) {
            StayLength stay = bounds.stay();
            if (stay == null) {
                return 0;
            }
            double leaving = rest * (stay.restOver((n + 1) * step) - stay.restOver(n * step));
            int last = over.length - 1;
            for (int i = 0; i < cohorts; i++) {
                int begin = age[i] + 2 * n;
                leaving += inside[i] * (over[Math.min(last, begin + 2)] - over[Math.min(last, begin)]);
            }
            return leaving;
        }

        /** What the rate leaves for a step. */
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
