package dev.orderly.room.state;

import java.util.HashMap;
import java.util.Map;

/** A set of places: one bit each, in chunks of {@code 2^15} places. Not thread-safe. */
public final class PlaceSet {
    private static final int BITS = 15;
    private static final int MASK = (1 << BITS) - 1;

    private final Map<Long, long[]> chunks = new HashMap<>();

    public boolean contains(long place) {
        long[] chunk = chunks.get(place >>> BITS);
        int bit = (int) (place & MASK);
        return chunk != null && (chunk[bit >>> 6] & (1L << bit)) != 0;
    }

    public void add(long place) {
        int bit = (int) (place & MASK);
        chunks.computeIfAbsent(place >>> BITS, _ -> new long[(MASK + 1) >>> 6])[bit >>> 6] |= 1L << bit;
    }

    void addAll(PlaceSet others) {
        others.chunks.forEach((number, bits) -> {
            long[] chunk = chunks.computeIfAbsent(number, _ -> new long[bits.length]);
            for (int i = 0; i < bits.length; i++) {
                chunk[i] |= bits[i];
            }
        });
    }

    void clear() {
        chunks.clear();
    }
}
