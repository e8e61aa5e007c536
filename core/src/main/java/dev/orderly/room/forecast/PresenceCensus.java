package dev.orderly.room.forecast;

import dev.orderly.room.RoomState;

/**
 * The number of present visitors before each place, counted once a round. Of the places behind {@code upTo} this gate
 * knows its own visitors only: each of them counts for several. Immutable when counted.
 */
final class PresenceCensus implements PresenceTable.Counter {
    private static final int BLOCKS = 2_048;
    /**
     * Called places further below the cursor than this are counted together: their visitors came back from an absence.
     */
    private static final int BEHIND = 256;

    private final long base;
    private final int shift;
    private final long last;
    /**
     * Counts by block while counting, then cumulated up to the begin of each block: visitors who asked again since they
     * took their place, and visitors who did not yet.
     */
    private final double[] asked;
    private final double[] fresh;
    private final long upTo;
    private final double weightBehind;
    private int missed;
    private int missedHere;

    private PresenceCensus(RoomState.Line line, long upTo, double weightBehind) {
        this.upTo = upTo;
        this.weightBehind = weightBehind;
        base = Math.max(0, line.cursor() - BEHIND);
        last = line.length();
        int bits = 0;
        while ((last - base) >> bits > BLOCKS - 3) {
            bits++;
        }
        shift = bits;
        int blocks = (int) ((last - base) >> shift) + 3;
        asked = new double[blocks];
        fresh = new double[blocks];
    }

    /**
     * Counts the present visitors.
     *
     * @param upTo the visitors of all gates are known up to this place
     * @param weightBehind visitors for which each one with a higher place counts
     */
    static PresenceCensus of(RoomState.Line line, PresenceTable presence, long upTo, double weightBehind, long now) {
        PresenceCensus census = new PresenceCensus(line, upTo, weightBehind);
        presence.count(now, census);
        double before = 0;
        double freshBefore = 0;
        for (int block = 0; block < census.asked.length; block++) {
            double here = census.asked[block];
            double freshHere = census.fresh[block];
            census.asked[block] = before;
            census.fresh[block] = freshBefore;
            before += here;
            freshBefore += freshHere;
        }
        return census;
    }

    @Override
    public void present(long place, boolean back) {
        double[] counts = back ? asked : fresh;
        int block = place < base ? 0 : (int) Math.min(counts.length - 2, ((place - base) >> shift) + 1);
        counts[block] += place <= upTo ? 1 : weightBehind;
    }

    /** Behind {@code upTo} a visitor may have asked another gate since. */
    @Override
    public void missed(long place, boolean here) {
        if (place <= upTo) {
            missed++;
            missedHere += here ? 1 : 0;
        }
    }

    /** Visitors who became absent since the last census. */
    int missedNow() {
        return missed;
    }

    /** Those of them who were seen at this gate last. */
    int missedHere() {
        return missedHere;
    }

    /** The last place of the line when it was counted. */
    long last() {
        return last;
    }

    /** Visitors who asked again and whose absence would be known. */
    double followed() {
        return asked(Math.min(upTo, last) + 1);
    }

    /** Visitors before this place who asked again since they took their place. */
    double asked(long place) {
        return before(asked, place);
    }

    /** Visitors before this place who did not ask again yet. */
    double fresh(long place) {
        return before(fresh, place);
    }

    /** Present visitors before this place. */
    double all(long place) {
        return asked(place) + fresh(place);
    }

    private double before(double[] counts, long place) {
        if (place <= base) {
            return 0;
        }
        double at = (place - base) / (double) (1L << shift) + 1;
        int block = (int) Math.min(counts.length - 2, at);
        return counts[block] + Math.min(1, at - block) * (counts[block + 1] - counts[block]);
    }
}
