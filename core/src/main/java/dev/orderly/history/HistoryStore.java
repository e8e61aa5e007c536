package dev.orderly.history;

import dev.orderly.text.StoredText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/**
 * Storage of figures over time, by minute and by hour: the port that every store of jobs implements. Each sentence
 * below is a test in the contract of the testkit.
 *
 * <p>All methods are thread-safe and block the caller until the store has answered. Every method throws {@link
 * dev.orderly.store.StoreException.Unavailable} if nothing was done and
 * {@link dev.orderly.store.StoreException.OutcomeUnknown} if the outcome is not known: every call may be repeated. An
 * answered change is as durable as the store's other data.
 */
public interface HistoryStore {
    /** The most parts of a call. */
    int PARTS_MAX = 1_000;

    /** The most spans of a call of {@link #read}. */
    int SPANS_MAX = 2_400;

    /** The most characters of a source. */
    int SOURCE_MAX = 120;

    /** The length of the spans. */
    enum Scale {
        MINUTE(Duration.ofMinutes(1)),
        HOUR(Duration.ofHours(1));

        private final Duration span;

        Scale(Duration span) {
            this.span = span;
        }

        public Duration span() {
            return span;
        }
    }

    /**
     * Adds the minutes of one source, and adds each to its hour, in one transaction. A minute that the source has added
     * before for the same subject changes nothing, neither the minute nor its hour. Minutes of several sources add up
     * as {@link HistoryFigures#plus} says, whichever comes first, and concurrent ones too.
     *
     * @param source unique for each process and each time its clock was set back
     * @param parts 1 to {@value #PARTS_MAX}, of different subjects or minutes
     */
    void append(String source, List<HistoryPart> parts);

    /**
     * The figures of a subject by the begin of their span, joined over all sources. A span without figures is absent.
     * The work is bounded by the number of spans times that of the sources.
     *
     * @param from the first moment, inclusive
     * @param until the end, exclusive; at most {@value #SPANS_MAX} spans later
     */
    NavigableMap<Instant, HistoryFigures> read(HistorySubject subject, Scale scale, Instant from, Instant until);

    /**
     * Deletes minutes and hours that began before a moment each, at most {@code limit} rows of each.
     *
     * @return the number of deleted rows
     */
    int prune(Instant minutesBefore, Instant hoursBefore, int limit);

    /** @throws IllegalArgumentException if source or parts break the rules of {@link #append} */
    static void check(String source, List<HistoryPart> parts) {
        StoredText.check("The source of a history", source);
        if (source.isEmpty() || source.length() > SOURCE_MAX) {
            throw new IllegalArgumentException("The source of a history has " + source.length()
                    + " characters: use 1 to " + SOURCE_MAX);
        }
        if (parts.isEmpty() || parts.size() > PARTS_MAX) {
            throw new IllegalArgumentException("A call with " + parts.size() + " parts of a history: use 1 to "
                    + PARTS_MAX);
        }
        Set<Map.Entry<HistorySubject, Instant>> seen = new HashSet<>();
        for (HistoryPart part : parts) {
            if (!seen.add(Map.entry(part.subject(), part.at()))) {
                throw new IllegalArgumentException("Two parts of " + part.subject().key() + " at " + part.at()
                        + " in one call: join them");
            }
        }
    }

    /** @throws IllegalArgumentException if the range breaks the rules of {@link #read} */
    static void check(Scale scale, Instant from, Instant until) {
        long spans = ChronoUnit.SECONDS.between(from, until) / scale.span().toSeconds();
        if (until.isBefore(from) || spans > SPANS_MAX) {
            throw new IllegalArgumentException("The history from " + from + " until " + until + " has " + spans
                    + " spans: use 0 to " + SPANS_MAX);
        }
    }
}
