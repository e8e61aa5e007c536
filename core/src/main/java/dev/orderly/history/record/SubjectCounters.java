package dev.orderly.history.record;

import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The figures of a subject since the last cut. Adding is thread-safe and never blocks; {@link #cut} is called by one
 * thread at a time. Counters are never reset: a cut takes the difference to the cut before, so that no concurrent
 * addition is lost or counted twice.
 */
final class SubjectCounters {
    private static final List<HistoryFigure> SUMS = Stream.of(HistoryFigure.values()).filter(figure -> !figure.isPeak())
            .toList();

    private static final int CODES = SUMS.stream().mapToInt(figure -> figure.code(0) + figure.width()).max().orElse(0);

    private final LongAdder[] counters = Stream.generate(LongAdder::new).limit(CODES).toArray(LongAdder[]::new);
    private final long[] before = new long[CODES];
    private final Map<HistoryFigure, Long> peaks = new ConcurrentHashMap<>();
    private final Map<HistoryFigure, Long> totals = new EnumMap<>(HistoryFigure.class);

    void count(HistoryFigure figure) {
        add(figure, 1);
    }

    /** Most runs take less than a millisecond: adding their zero would cost as much as adding any number. */
    void add(HistoryFigure figure, long value) {
        if (value > 0) {
            counters[figure.code(0)].add(value);
        }
    }

    /** Adds a time to a histogram, and to the sum of its times. */
    void addTime(HistoryFigure histogram, HistoryFigure sum, long millis) {
        counters[histogram.code(histogram.part(millis))].increment();
        add(sum, millis);
    }

    void peak(HistoryFigure figure, long value) {
        peaks.merge(figure, Math.max(0, value), Math::max);
    }

    /** Adds the growth of a total that is counted elsewhere. Called by the thread that cuts. */
    void total(HistoryFigure figure, long total) {
        Long last = totals.put(figure, total);
        add(figure, total - (last == null ? 0 : last));
    }

    /** The figures since the last cut. */
    HistoryFigures cut() {
        HistoryFigures.Builder figures = new HistoryFigures.Builder();
        for (HistoryFigure figure : SUMS) {
            for (int part = 0; part < figure.width(); part++) {
                int code = figure.code(part);
                long sum = counters[code].sum();
                figures.add(figure, part, sum - before[code]);
                before[code] = sum;
            }
        }
        for (HistoryFigure figure : List.copyOf(peaks.keySet())) {
            Long peak = peaks.remove(figure);
            if (peak != null) {
                figures.peak(figure, peak);
            }
        }
        return figures.build();
    }
}
