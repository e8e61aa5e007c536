package dev.orderly.room.forecast;

import org.jspecify.annotations.Nullable;

/**
 * Compares what was forecast with what came, span by span, and says by what share admissions fall short: at the door
 * something is always lost that no limit explains. Not thread-safe.
 */
final class ForecastCheck {
    /** Seconds of a span, at least. */
    private static final int SPAN = 10;
    private static final double KEPT = 0.85;
    /** So many admissions as forecast are taken for granted before the first comparison. */
    private static final double BEFORE = 8;
    private static final double USUAL = 0.98;
    private static final double LEAST = 0.6;
    private static final double MOST = 1.1;

    private @Nullable AdmissionCurve curve;
    private long begun;
    private double entered;
    private double forecast = BEFORE;
    private double came = BEFORE * USUAL;

    /** Admissions that come for one that is forecast. */
    double share() {
        return Math.clamp(came / forecast, LEAST, MOST);
    }

    /**
     * A round.
     *
     * @param next what is forecast from now on, without {@link #share}
     * @param entered in the second that is over
     * @param contended whether somebody waited in it, and all who were called can be expected to be there
     * @param lumps seconds in which admissions may come all at once: shorter spans say nothing
     */
    void round(AdmissionCurve next, double entered, long second, boolean contended, double lumps) {
        AdmissionCurve last = curve;
        if (!contended || last == null) {
            curve = contended ? next : null;
            begun = second;
            this.entered = 0;
            return;
        }
        this.entered += entered;
        if (second - begun >= Math.max(SPAN, lumps)) {
            forecast = forecast * KEPT + Math.min(last.count((double) (second - begun)), 1_000_000);
            came = came * KEPT + this.entered;
            curve = next;
            begun = second;
            this.entered = 0;
        }
    }
}
