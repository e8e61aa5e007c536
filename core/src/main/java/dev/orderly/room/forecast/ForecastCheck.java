package dev.orderly.room.forecast;

import org.jspecify.annotations.Nullable;

/**
 * Ratio of actual to forecast admissions, measured span by span: losses at the door lower admissions below what the
 * limits allow. Not thread-safe.
 */
final class ForecastCheck {
    /** Shortest span in seconds. */
    private static final int SPAN = 10;
    private static final double KEPT = 0.85;
    /** Weight of the initial ratio, in forecast admissions. */
    private static final double BEFORE = 8;
    private static final double USUAL = 0.98;
    private static final double LEAST = 0.6;
    private static final double MOST = 1.1;

    private @Nullable AdmissionCurve curve;
    private long begun;
    private double entered;
    private double forecast = BEFORE;
    private double actual = BEFORE * USUAL;

    /** Actual admissions per forecast admission. */
    double share() {
        return Math.clamp(actual / forecast, LEAST, MOST);
    }

    /**
     * Records a second.
     *
     * @param next forecast from now on, not yet multiplied by {@link #share}
     * @param entered admissions in the last second
     * @param contended whether visitors waited in that second, and all called visitors can be expected to be present
     * @param lumps seconds in which admissions may come all at once: shorter spans are not compared
     */
    void round(Forecast next, double entered, long second, boolean contended, double lumps) {
        AdmissionCurve last = curve;
        if (!contended || last == null) {
            curve = contended ? next.likely() : null;
            begun = second;
            this.entered = 0;
            return;
        }
        this.entered += entered;
        if (second - begun >= Math.max(SPAN, lumps)) {
            forecast = forecast * KEPT + Math.min(last.count((double) (second - begun)), 1_000_000);
            actual = actual * KEPT + this.entered;
            curve = next.likely();
            begun = second;
            this.entered = 0;
        }
    }
}
