package dev.orderly.room.crowd;

import dev.orderly.Internal;

/**
 * Places by how many their network had taken before: the first ten, the next up to a hundred, up to a thousand, and
 * more. A network is that of {@link PlaceCounts}, and counts from the begin of the former hour.
 */
@Internal(to = "dev.orderly")
public enum PlaceBand {
    UP_TO_10(10), UP_TO_100(100), UP_TO_1000(1_000), MORE(Long.MAX_VALUE);

    private final long last;

    PlaceBand(long last) {
        this.last = last;
    }

    /** The band of the n-th place of a network, from 1 on. */
    static PlaceBand of(long nth) {
        for (PlaceBand band : values()) {
            if (nth <= band.last) {
                return band;
            }
        }
        return MORE;
    }
}
