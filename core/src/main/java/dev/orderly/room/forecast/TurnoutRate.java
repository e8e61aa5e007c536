package dev.orderly.room.forecast;

import dev.orderly.room.PollPolicy;
import java.time.Duration;

/**
 * Which share of those who take a place come back to it, and which of them give up later: by what this gate saw of the
 * last minutes. Not thread-safe.
 */
final class TurnoutRate {
    private static final int COHORTS = 128;
    /** What is left of a count after a second, so that half is left after two minutes. */
    private static final double KEPT = Math.pow(0.5, 1 / 120.0);
    /** Old knowledge fades to no less than so many visitors. */
    private static final double REMEMBERED = 20;
    /** Seconds of waiting after which the share of those who give up is believed. */
    private static final double DOUBTED = 200;

    /** Who took a place in each of the last seconds, and came back to it. */
    private final int[] taken = new int[COHORTS];
    private final int[] back = new int[COHORTS];
    private final int ripe;
    private long second;
    private double takenBefore;
    private double backBefore;
    private double waited;
    private double gaveUp;
    private int late;

    /** @param first after which a visitor who took a place is told to ask; in whole seconds where it is told over HTTP */
    TurnoutRate(Duration first) {
        // The visitors of one second came up to a second apart, and their requests are under way for a moment.
        long back = first.plusMillis(999).toSeconds() + 2;
        ripe = (int) Math.clamp(back, PollPolicy.presence(first).plusMillis(999).toSeconds(), COHORTS - 1);
    }

    void taken(long now) {
        turn(now);
        taken[index(second)]++;
    }

    /** Somebody who took a place at that second asked for the first time since. */
    void back(long takenAt, long now) {
        turn(now);
        if (takenAt > second - COHORTS && takenAt <= second) {
            back[index(takenAt)]++;
        }
    }

    void late() {
        late++;
    }

    /** A second in which so many waited who had asked again, and so many were missed for the first time. */
    void waited(int present, int missed, long now) {
        turn(now);
        waited = waited * KEPT + present;
        gaveUp = Math.max(0, gaveUp * KEPT + missed - late);
        late = 0;
    }

    /** Seconds after which whoever did not come back yet is taken for absent. */
    int ripe() {
        return ripe;
    }

    /** The share of those who take a place and come back to it. */
    double share() {
        return (ripe(backBefore, back) + 0.5) / (known() + 0.5);
    }

    /** How many visitors that is known from. */
    double known() {
        return ripe(takenBefore, taken);
    }

    /** With those of the last minutes who would have come back by now. */
    private double ripe(double before, int[] counts) {
        double sum = before;
        for (long at = second - COHORTS + 1; at <= second - ripe; at++) {
            sum += counts[index(at)];
        }
        return sum;
    }

    /** The share of those who wait that gives up in a second. */
    double fading() {
        return gaveUp / (waited + DOUBTED);
    }

    private void turn(long now) {
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
