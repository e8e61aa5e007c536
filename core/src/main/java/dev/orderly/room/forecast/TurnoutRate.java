package dev.orderly.room.forecast;

import dev.orderly.room.PollPolicy;
import java.time.Duration;

/**
 * The share of visitors who come back after taking a place, and the share of waiting visitors who give up later, as
 * seen at this gate in the last minutes. Not thread-safe.
 */
final class TurnoutRate {
    private static final int COHORTS = 128;
    /** Decay of a count per second; half is left after two minutes. */
    private static final double KEPT = Math.pow(0.5, 1 / 120.0);
    /** Counts do not decay below this many visitors. */
    private static final double REMEMBERED = 20;
    /** Seconds of waiting by which the estimate of visitors who give up is damped at the start. */
    private static final double DOUBTED = 200;

    /** Visitors who took a place in each of the last seconds, and those of them who came back. */
    private final int[] taken = new int[COHORTS];
    private final int[] back = new int[COHORTS];
    private final int ripe;
    private long second;
    private double takenBefore;
    private double backBefore;
    private double waited;
    private double gaveUp;
    private int late;

    /**
     * @param first interval until the first request of a visitor who took a place, rounded to whole seconds over HTTP
     */
    TurnoutRate(Duration first) {
        // The visitors of one second came up to a second apart, and a request takes a moment to arrive.
        long back = first.plusMillis(999).toSeconds() + 2;
        ripe = (int) Math.clamp(back, PollPolicy.presence(first).plusMillis(999).toSeconds(), COHORTS - 1);
    }

    void taken(long now) {
        advance(now);
        taken[index(second)]++;
    }

    /** Records the first request of a visitor who took a place at that second. */
    void back(long takenAt, long now) {
        advance(now);
        if (takenAt > second - COHORTS && takenAt <= second) {
            back[index(takenAt)]++;
        }
    }

    void late() {
        late++;
    }

    /**
     * Records a second.
     *
     * @param present waiting visitors who have asked again
     * @param missed visitors who became absent
     */
    void waited(double present, int missed, long now) {
        advance(now);
        waited = waited * KEPT + present;
        gaveUp = Math.max(0, gaveUp * KEPT + missed - late);
        late = 0;
    }

    /** Seconds after which a visitor who has not come back counts as absent. */
    int ripe() {
        return ripe;
    }

    /** The share of visitors who come back after taking a place. */
    double share() {
        return (ripe(backBefore, back) + 0.5) / (known() + 0.5);
    }

    /** The number of visitors on which {@link #share} is based. */
    double known() {
        return ripe(takenBefore, taken);
    }

    /** The count with the visitors of the last minutes who would have come back by now. */
    private double ripe(double before, int[] counts) {
        double sum = before;
        for (long at = second - COHORTS + 1; at <= second - ripe; at++) {
            sum += counts[index(at)];
        }
        return sum;
    }

    /** The share of waiting visitors who give up per second. */
    double fading() {
        return gaveUp / (waited + DOUBTED);
    }

    private void advance(long now) {
        for (long next = Math.max(second, now - COHORTS) + 1; next <= now; next++) {
            int index = index(next);
            double keep = takenBefore + taken[index] <= REMEMBERED ? 1 : KEPT;
            takenBefore = takenBefore * keep + taken[index];
            backBefore = backBefore * keep + Math.min(back[index], taken[index]);
            taken[index] = 0;
            back[index] = 0;
        }
        second = Math.max(second, now);
    }

    private static int index(long second) {
        return (int) Math.floorMod(second, (long) COHORTS);
    }
}
