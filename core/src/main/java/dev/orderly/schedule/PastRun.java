package dev.orderly.schedule;

import dev.orderly.job.JobId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One of the last runs of a schedule. Moments are in milliseconds.
 *
 * @param instant the instant that fired or was skipped; null for a run by hand
 * @param at moment of the push, or of the skip
 * @param job the pushed job; null if the instant was skipped
 * @param endedAt end of the job; null before, and where it is not known
 * @param skips number of instants in a row that were skipped, of which this is the last; 0 for a run
 */
public record PastRun(@Nullable Instant instant, Instant at, @Nullable JobId job, Outcome outcome,
        @Nullable Instant endedAt, int skips) {
    /** What became of a run. */
    public enum Outcome {
        /** Its job has not ended, as far as was recorded. */
        UNDER_WAY,
        /** Its job was done. */
        DONE,
        /** Its job is a dead letter. */
        DEAD,
        /** Its job was cancelled. */
        CANCELLED,
        /** The run before had not ended: nothing was pushed. */
        SKIPPED,
        /** Its job was forgotten before its end was recorded. */
        UNKNOWN;

        /** The outcome in the API: {@code under-way}. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public PastRun {
        instant = instant == null ? null : instant.truncatedTo(ChronoUnit.MILLIS);
        at = at.truncatedTo(ChronoUnit.MILLIS);
        endedAt = endedAt == null ? null : endedAt.truncatedTo(ChronoUnit.MILLIS);
    }

    static PastRun of(@Nullable Instant instant, Instant now, @Nullable JobId pushed) {
        return new PastRun(instant, now, pushed, Outcome.UNDER_WAY, null, 0);
    }

    static PastRun skipped(Instant instant, Instant now) {
        return new PastRun(instant, now, null, Outcome.SKIPPED, null, 1);
    }

    /** The run with its end. */
    public PastRun ended(Outcome how, @Nullable Instant when) {
        return new PastRun(instant, at, job, how, when, skips);
    }
}
