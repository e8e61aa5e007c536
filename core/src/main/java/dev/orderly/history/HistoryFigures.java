package dev.orderly.history;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of one span of time. Figures of parts, of nodes or of shorter spans, are joined by {@link #plus}:
 * sums are added, of peaks the largest stays. Joining is commutative and associative. Immutable.
 *
 * <p>The stored form is a list of codes with values, so that a version keeps, adds and joins the figures of later
 * versions without knowing them.
 */
public final class HistoryFigures {
    public static final HistoryFigures NONE = new HistoryFigures(new TreeMap<>());

    /** A pair of the longest code and value. */
    private static final int PAIR_MAX = 5 + 10;

    private final SortedMap<Integer, Long> values;

    private HistoryFigures(SortedMap<Integer, Long> values) {
        this.values = values;
    }

    /** Collects figures. Not thread-safe. */
    public static final class Builder {
        private final TreeMap<Integer, Long> values = new TreeMap<>();

        /**
         * Adds a value to a sum; nothing for zero.
         *
         * @throws IllegalArgumentException if the value is negative
         */
        public Builder add(HistoryFigure figure, int part, long value) {
            if (value > 0) {
                values.merge(figure.code(part), value, HistoryFigures::sum);
            }
            return checked(figure, value);
        }

        /** As {@link #add(HistoryFigure, int, long)}, for a figure that is no histogram. */
        public Builder add(HistoryFigure figure, long value) {
            return add(figure, 0, value);
        }

        /**
         * Raises a peak to at least this value; zero is a value too.
         *
         * @throws IllegalArgumentException if the value is negative
         */
        public Builder peak(HistoryFigure figure, long value) {
            values.merge(figure.code(0), value, Math::max);
            return checked(figure, value);
        }

        private Builder checked(HistoryFigure figure, long value) {
            if (value < 0) {
                throw new IllegalArgumentException("The figure " + figure + " is negative: " + value);
            }
            return this;
        }

        public HistoryFigures build() {
            return new HistoryFigures(new TreeMap<>(values));
        }
    }

    /** The value of a sum, or of a part of a histogram: 0 if nothing was counted. */
    public long sum(HistoryFigure figure, int part) {
        return values.getOrDefault(figure.code(part), 0L);
    }

    /** As {@link #sum(HistoryFigure, int)}, for a figure that is no histogram. */
    public long sum(HistoryFigure figure) {
        return sum(figure, 0);
    }

    /**
     * The time that a share of what a histogram counts does not exceed, evenly spread inside its parts; empty if
     * nothing was counted. In the last part it is the last bound, which it may exceed.
     *
     * @param share above 0, at most 1
     */
    public Optional<Duration> quantile(HistoryFigure histogram, double share) {
        List<Long> bounds = histogram.boundsMillis();
        long total = 0;
        for (int part = 0; part < histogram.width(); part++) {
            total += sum(histogram, part);
        }
        double left = total * share;
        for (int part = 0; part < bounds.size() && total > 0; part++) {
            long counted = sum(histogram, part);
            if (counted > 0 && left <= counted) {
                long below = part == 0 ? 0 : bounds.get(part - 1);
                return Optional.of(Duration.ofMillis(
                        below + Math.round((bounds.get(part) - below) * left / counted)));
            }
            left -= counted;
        }
        return total == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(bounds.getLast()));
    }

    /** The value of a peak; empty if nothing was measured. */
    public OptionalLong peak(HistoryFigure figure) {
        Long value = values.get(figure.code(0));
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** These figures joined with others. */
    public HistoryFigures plus(HistoryFigures other) {
        TreeMap<Integer, Long> joined = new TreeMap<>(values);
        other.values.forEach((code, value) -> joined.merge(code, value,
                code >= HistoryFigure.PEAKS ? Math::max : HistoryFigures::sum));
        return new HistoryFigures(joined);
    }

    /** The sums of these figures less those of a part of what they count; peaks are left out. */
    public HistoryFigures without(HistoryFigures part) {
        Objects.requireNonNull(part, "part");
        TreeMap<Integer, Long> rest = new TreeMap<>();
        values.headMap(HistoryFigure.PEAKS).forEach((code, value) -> {
            long left = value - part.values.getOrDefault(code, 0L);
            if (left > 0) {
                rest.put(code, left);
            }
        });
        return new HistoryFigures(rest);
    }

    /** The stored form, of at most {@value #PAIR_MAX} bytes for each value. */
    public byte[] stored() {
        ByteBuffer bytes = ByteBuffer.allocate(values.size() * PAIR_MAX);
        values.forEach((code, value) -> {
            write(bytes, code);
            write(bytes, value);
        });
        byte[] stored = new byte[bytes.position()];
        bytes.flip().get(stored);
        return stored;
    }

    /**
     * Figures in their stored form.
     *
     * @throws IllegalArgumentException if the bytes are not such a form
     */
    public static HistoryFigures read(byte[] stored) {
        Objects.requireNonNull(stored, "stored");
        TreeMap<Integer, Long> values = new TreeMap<>();
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        while (bytes.hasRemaining()) {
            values.put((int) number(bytes), number(bytes));
        }
        return new HistoryFigures(values);
    }

    /** Seven bits a byte, the lowest first; the highest bit of a byte says that another follows. */
    private static void write(ByteBuffer bytes, long number) {
        long rest = number;
        while (rest > 0x7f) {
            bytes.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        bytes.put((byte) rest);
    }

    private static long number(ByteBuffer bytes) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE && bytes.hasRemaining(); shift += 7) {
            byte next = bytes.get();
            number |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("Stored figures end within a number: the row was damaged");
    }

    private static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HistoryFigures figures && values.equals(figures.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** For messages: the codes with their values. */
    @Override
    public String toString() {
        return values.toString();
    }
}
