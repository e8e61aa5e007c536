package dev.orderly.history;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * The figures of a subject in a minute or an hour.
 *
 * @param at begin of the span: a whole minute
 */
public record HistoryPart(HistorySubject subject, Instant at, HistoryFigures figures) {
    /** @throws IllegalArgumentException if the begin is no whole minute */
    public HistoryPart {
        Objects.requireNonNull(figures, "figures");
        Objects.requireNonNull(subject, "subject");
        if (!at.equals(at.truncatedTo(ChronoUnit.MINUTES))) {
            throw new IllegalArgumentException("A part of a history begins at a whole minute, not at " + at);
        }
    }

    /** The whole hour that has this part. */
    public Instant hour() {
        return at.truncatedTo(ChronoUnit.HOURS);
    }
}
