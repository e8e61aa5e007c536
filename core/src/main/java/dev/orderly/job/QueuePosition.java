package dev.orderly.job;

import dev.orderly.job.store.JobViews;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a waiting job stands, out of date as soon as it is made.
 *
 * @param ahead how many jobs stand before it, as {@link JobViews#ahead} counts them
 * @param more whether there are more than {@code ahead}
 * @param estimate about how long until it starts; null if nothing is known of how fast its line moves
 */
public record QueuePosition(int ahead, boolean more, @Nullable Wait estimate) {
    /**
     * A range, since nobody knows the future: from a little optimistic to quite pessimistic.
     *
     * @param low in whole seconds
     * @param high in whole seconds, at least {@code low}
     */
    public record Wait(Duration low, Duration high) {
        private static final double OPTIMISM = 0.7;
        private static final double CAUTION = 1.5;

        /** The wait behind jobs that run one after the other, each for so many seconds. */
        public static Wait of(int ahead, double secondsEach) {
            return new Wait(Duration.ofSeconds((long) Math.floor(OPTIMISM * ahead * secondsEach)),
                    Duration.ofSeconds((long) Math.ceil(CAUTION * (ahead + 1) * secondsEach)));
        }
    }
}
