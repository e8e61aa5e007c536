package dev.orderly.history;

import dev.orderly.Internal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The history of a subject as points of equal length.
 *
 * @param begin of the first point
 * @param points as many as the range has, the oldest first; null where no node has recorded anything
 */
@Internal(to = "dev.orderly")
public record HistorySeries(HistorySubject subject, HistoryRange range, Instant begin,
        List<@Nullable HistoryFigures> points) {
    public HistorySeries {
        points = Collections.unmodifiableList(new ArrayList<>(points));
    }

    /** The series that ends with the last whole point before a moment. Reads the store once; blocks. */
    public static HistorySeries read(HistoryStore store, HistorySubject subject, HistoryRange range, Instant now) {
        Instant begin = range.begin(now);
        Instant end = range.end(now);
        NavigableMap<Instant, HistoryFigures> spans = store.read(subject, range.scale(), begin, end);
        List<@Nullable HistoryFigures> points = new ArrayList<>();
        for (Instant at = begin; at.isBefore(end); at = at.plus(range.step())) {
            points.add(
                    spans.subMap(at, true, at.plus(range.step()), false).values().stream().reduce(HistoryFigures::plus)
                            .orElse(null));
        }
        return new HistorySeries(subject, range, begin, points);
    }

    /** All points joined. */
    public HistoryFigures total() {
        HistoryFigures total = HistoryFigures.NONE;
        for (HistoryFigures point : points) {
            total = point == null ? total : total.plus(point);
        }
        return total;
    }
}
