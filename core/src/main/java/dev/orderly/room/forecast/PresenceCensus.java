package dev.orderly.room.forecast;

import dev.orderly.room.RoomState;

/** The number of visitors present at this gate before each place, counted once a round. Immutable when counted. */
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
    private final int[] asked;
    private final int[] fresh;
    private int missed;

    private PresenceCensus(RoomState.Line line) {
        base = Math.max(0, line.cursor() - BEHIND);
        last = line.length();
        int bits = 0;
        while ((last - base) >> bits > BLOCKS - 3) {
            bits++;
        }
        shift = bits;
        int blocks = (int) ((last - base) >> shift) + 3;
        asked = new int[blocks];
        fresh = new int[blocks];
    }

    static PresenceCensus of(RoomState.Line line, PresenceTable presence, long now) {
        PresenceCensus census = new PresenceCensus(line);
        presence.count(now, census);
        int before = 0;
        int freshBefore = 0;
        for (int block = 0; block < census.asked.length; block++) {
            int here = census.asked[block];
            int freshHere = census.fresh[block];
            census.asked[block] = before;
            census.fresh[block] = freshBefore;
            before += here;
            freshBefore += freshHere;
        }
        return census;
    }

    @Override
    public void present(long place, boolean back) {
        int[] counts = back ? asked : fresh;
        counts[place < base ? 0 : (int) Math.min(counts.length - 2, ((place - base) >> shift) + 1)]++;
    }

    @Override
    public void missed() {
        missed++;
    }

    /** Visitors who became absent since the last census. */
    int missedNow() {
        return missed;
    }

    /** The last place of the line when it was counted. */
    long last() {
        return last;
    }

    int askedInAll() {
        return asked[asked.length - 1];
    }

    /** Visitors before this place who asked again since they took their place. */
    double asked(long place) {
        return before(asked, place);
    }

    /** Visitors before this place who did not ask again yet. */
    double fresh(long place) {
        return before(fresh, place);
    }

    private double before(int[] counts, long place) {
        if (place <= base) {
            return 0;
        }
        double at = (place - base) / (double) (1L << shift) + 1;
        int block = (int) Math.min(counts.length - 2, at);
        return counts[block] + Math.min(1, at - block) * (counts[block + 1] - counts[block]);
    }
}
