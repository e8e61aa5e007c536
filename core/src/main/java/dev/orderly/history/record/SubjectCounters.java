package dev.orderly.history.record;

import dev.orderly.history.Figure;
import dev.orderly.history.Figures;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The figures of a subject since the last cut. Adding is thread-safe and never blocks; {@link #cut} is called by one
 * thread at a time. Counters are never reset: a cut takes the difference to the cut before, so that no concurrent
 * addition is lost or counted twice.
 */
final class SubjectCounters {
    private static final int FIGURES = Figure.values().length;

    private final LongAdder[][] counters = new LongAdder[FIGURES][];
    private final long[][] before = new long[FIGURES][];
    private final Map<Figure, Long> peaks = new ConcurrentHashMap<>();
    private final Map<Figure, Long> totals = new EnumMap<>(Figure.class);

    SubjectCounters() {
        for (Figure figure : Figure.values()) {
            if (!figure.isPeak()) {
                LongAdder[] parts = new LongAdder[figure.width()];
                for (int part = 0; part < parts.length; part++) {
                    parts[part] = new LongAdder();
                }
                counters[figure.ordinal()] = parts;
                before[figure.ordinal()] = new long[parts.length];
            }
        }
    }

    void count(Figure figure) {
        add(figure, 1);
    }

    void add(Figure figure, long value) {
        counters[figure.ordinal()][0].add(Math.max(0, value));
    }

    /** Adds a time to a histogram, and to the sum of its times. */
    void addTime(Figure histogram, Figure sum, long millis) {
        counters[histogram.ordinal()][Figure.part(millis)].increment();
        add(sum, millis);
    }

    void peak(Figure figure, long value) {
        peaks.merge(figure, Math.max(0, value), Math::max);
    }

    /** Adds the growth of a total that is counted elsewhere. Called by the thread that cuts. */
    void total(Figure figure, long total) {
        Long last = totals.put(figure, total);
        add(figure, total - (last == null ? 0 : last));
    }

    /** The figures since the last cut. */
    Figures cut() {
        Figures.Builder figures = new Figures.Builder();
        for (Figure figure : Figure.values()) {
            if (figure.isPeak()) {
                Long peak = peaks.remove(figure);
                if (peak != null) {
                    figures.peak(figure, peak);
                }
            } else {
                cut(figure, figures);
            }
        }
        return figures.build();
    }

    private void cut(Figure figure, Figures.Builder figures) {
        LongAdder[] parts = counters[figure.ordinal()];
        long[] last = before[figure.ordinal()];
        for (int part = 0; part < parts.length; part++) {
            long sum = parts[part].sum();
            figures.add(figure, part, sum - last[part]);
            last[part] = sum;
        }
    }
}
