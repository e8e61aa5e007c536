package dev.orderly.room.forecast;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.forecast.AdmissionCurve.Bounds;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Expected admissions as of one moment, in three variants. Computed when first asked for, since most rounds of a gate
 * with few visitors ask for none. Immutable, thread-safe.
 */
final class Forecast {
    private static final int ROUNDS = 5;
    /** Relative error of the count of visitors ahead, which is a second old. */
    private static final double SLACK = 0.02;

    private final RoomHistory.Recent history;
    private final Bounds likely;
    private final Bounds sooner;
    private final Bounds later;
    private final double error;
    private final double spread;
    private final ReentrantLock computing = new ReentrantLock();
    private volatile @Nullable Curves computed;

    /**
     * @param likely the most likely curve
     * @param sooner the curve if visitors leave faster, by the error of the measured stay
     * @param later the curve if visitors leave slower, by the same error
     */
    private record Curves(AdmissionCurve likely, AdmissionCurve sooner, AdmissionCurve later) {}

    /**
     * @param error deviation of the mean stay, as a logarithm
     * @param spread deviation of a single stay, as a share of the mean
     */
    private Forecast(RoomHistory history, Bounds likely, Bounds sooner, Bounds later, double error, double spread) {
        this.history = history.recent(later.memory());
        this.likely = likely;
        this.sooner = sooner;
        this.later = later;
        this.error = error;
        this.spread = spread;
    }

    /**
     * A predicted wait.
     *
     * @param seconds the most likely wait
     * @param doubt error by lack of knowledge: deviation as a share of the wait
     * @param chance error by chance, such as when single visitors leave: deviation as a share of the wait
     */
    record Wait(double seconds, double doubt, double chance) {}

    /**
     * The visitors ahead of a visitor.
     *
     * @param present expected number of visitors that come if called now
     * @param doubt its deviation
     * @param fading share of them who give up per second
     */
    record Ahead(double present, double doubt, double fading) {}

    /**
     * A forecast from what is known now.
     *
     * @param used share of the capacity that is usually in use while visitors wait
     */
    static Forecast of(RoomHistory history, Limits limits, double used, @Nullable StayLengthFit fit) {
        double capacity = limits.mostPasses().map(most -> most * used).orElse(Double.POSITIVE_INFINITY);
        Rate rate = limits.rate();
        if (Double.isInfinite(capacity) || fit == null) {
            Bounds full = new Bounds(capacity, rate, null);
            Bounds free = new Bounds(Double.POSITIVE_INFINITY, rate, null);
            return new Forecast(history, full, free, full, 0, 0);
        }
        double mean = fit.length().mean();
        double factor = Math.exp(fit.error());
        int shape = fit.length().shape();
        return new Forecast(history, new Bounds(capacity, rate, fit.length()),
                new Bounds(capacity, rate, new StayLength(mean / factor, shape)),
                new Bounds(capacity, rate, new StayLength(mean * factor, shape)), fit.error(), fit.length().spread());
    }

    private Curves curves() {
        Curves known = computed;
        if (known != null) {
            return known;
        }
        computing.lock();
        try {
            known = computed;
            if (known == null) {
                AdmissionCurve curve = AdmissionCurve.of(history, likely);
                AdmissionCurve other = later.equals(likely) ? curve : AdmissionCurve.of(history, later);
                AdmissionCurve first = sooner.equals(likely) ? curve : AdmissionCurve.of(history, sooner);
                known = new Curves(curve, first, other);
                computed = known;
            }
            return known;
        } finally {
            computing.unlock();
        }
    }

    /** The most likely curve. */
    AdmissionCurve likely() {
        return curves().likely();
    }

    /** The wait behind these visitors; empty if it cannot be predicted. */
    Optional<Wait> wait(Ahead ahead) {
        Curves curves = curves();
        double middle = when(curves.likely(), ahead, 0);
        double latest = when(curves.later(), ahead, 0);
        if (Double.isInfinite(middle) || Double.isInfinite(latest)) {
            return Optional.empty();
        }
        double leavers = Math.log((latest + 1) / (when(curves.sooner(), ahead, 0) + 1)) / 2;
        double most = when(curves.likely(), ahead, ahead.doubt());
        double least = when(curves.likely(), ahead, -ahead.doubt());
        double people = Math.log((most + 1) / (least + 1)) / 2;
        double byLeavers = error == 0 ? 0 : Math.min(1, leavers / error);
        // Where visitors leave all at once, a difference of one place can cost a whole stay.
        double slack = 1 + SLACK * ahead.present();
        double first = when(curves.likely(), ahead, -slack) + 1;
        double last = when(curves.likely(), ahead, slack) + 1;
        double turns = byLeavers == 0 ? 0 : byLeavers * Math.log(last / first) / 2;
        double seconds = byLeavers > 0.5 ? Math.sqrt(first * last) - 1 : middle;
        double chance = byLeavers * Math.max(0.4, spread) / Math.sqrt(ahead.present() + 1);
        return Optional.of(new Wait(seconds, Math.hypot(leavers, people), Math.max(chance, turns)));
    }

    private static double when(AdmissionCurve curve, Ahead ahead, double more) {
        double present = Math.max(0, ahead.present() + more);
        double seconds = curve.when(present + 1);
        for (int round = 0; ahead.fading() > 0 && round < ROUNDS && !Double.isInfinite(seconds); round++) {
            double faded = ahead.fading() * seconds;
            double staying = faded < 1e-6 ? 1 : -Math.expm1(-faded) / faded;
            seconds = (seconds + curve.when(present * staying + 1)) / 2;
        }
        return seconds;
    }
}
