package dev.orderly.job.store;

import dev.orderly.job.JobId;
import dev.orderly.job.Throttled;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a key or of a limit, of which no job starts before its end.
 *
 * @param until by the store's clock
 * @param job the job that said so
 * @param attempt the number of its attempt
 */
public record Rest(Instant until, JobId job, int attempt) {
    /**
     * How far ahead a rest may end. An hour more than the longest, so that a clock that is corrected, and a statement
     * that read it a moment earlier, end no rest.
     */
    public static final Duration AHEAD_MAX = Throttled.REST_MAX.plusHours(1);

    /** The rest that ends later; of two that end together the first. */
    public static Rest later(@Nullable Rest one, Rest other) {
        return one != null && !other.until.isAfter(one.until) ? one : other;
    }

    /** The rest if it is not over; null if it is, or for none. */
    public static @Nullable Rest present(@Nullable Rest rest, long now) {
        return end(rest, now) > now ? rest : null;
    }

    /**
     * The end of a rest in Unix milliseconds; {@code now} for none, and if it is over. A rest beyond
     * {@link #AHEAD_MAX} is of a clock that was set back, and over.
     */
    public static long end(@Nullable Rest rest, long now) {
        long end = rest == null ? now : rest.until.toEpochMilli();
        return end > now && end <= now + AHEAD_MAX.toMillis() ? end : now;
    }
}
