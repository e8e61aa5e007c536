package dev.orderly.schedule;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The pause of a schedule.
 *
 * @param at its begin, in milliseconds
 * @param by the identity behind it
 */
public record SchedulePause(Instant at, String by) {
    public SchedulePause {
        at = at.truncatedTo(ChronoUnit.MILLIS);
    }
}
