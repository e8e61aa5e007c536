package dev.orderly.job;

import dev.orderly.job.store.JobViews;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The position of a waiting job; a copy, out of date at once.
 *
 * @param ahead number of jobs before it, as {@link JobViews#ahead} counts them
 * @param more whether there are more than {@code ahead}
 * @param estimate time until the job starts; null while this node has measured no rate for its queue
 */
public record QueuePosition(int ahead, boolean more, @Nullable Wait estimate) {
    /**
     * A range of waiting times: from 0.7 to about 1.5 times the time that the measured rate predicts.
     *
     * @param low in whole seconds
     * @param high in whole seconds, at least {@code low}
     */
    public record Wait(Duration low, Duration high) {
        public Wait {
            Objects.requireNonNull(high, "high");
            Objects.requireNonNull(low, "low");
        }

        private static final double OPTIMISM = 0.7;
        private static final double CAUTION = 1.5;

        /** The wait behind jobs that run one after the other, each for the given number of seconds. */
        public static Wait of(int ahead, double secondsEach) {
            return new Wait(Duration.ofSeconds((long) Math.floor(OPTIMISM * ahead * secondsEach)),
                    Duration.ofSeconds((long) Math.ceil(CAUTION * (ahead + 1) * secondsEach)));
        }
    }
}
