package dev.orderly.room.state;

import java.util.Map;
import java.util.TreeMap;

/**
 * A set of places that knows how many are before each, and which is the nth: one bit a place, in chunks with their
 * counts, so that of a million places a thousand counts are looked at. Not thread-safe.
 */
final class PlaceOrder {
    private static final int BITS = 10;
    private static final int MASK = (1 << BITS) - 1;

    private final TreeMap<Long, Chunk> chunks = new TreeMap<>();

    private static final class Chunk {
        final long[] bits = new long[(MASK + 1) >>> 6];
        int count;

        /** Set bits before this one. */
        int before(int bit) {
            int before = Long.bitCount(bits[bit >>> 6] & ((1L << bit) - 1));
            for (int i = 0; i < bit >>> 6; i++) {
                before += Long.bitCount(bits[i]);
            }
            return before;
        }

        /** The nth set bit, counted from 1. */
        int nth(int n) {
            int left = n;
            int word = 0;
            while (left > Long.bitCount(bits[word])) {
                left -= Long.bitCount(bits[word++]);
            }
            long rest = bits[word];
            while (--left > 0) {
                rest &= rest - 1;
            }
            return (word << 6) + Long.numberOfTrailingZeros(rest);
        }
    }

    void add(long place) {
        Chunk chunk = chunks.computeIfAbsent(place >>> BITS, _ -> new Chunk());
        int word = (int) (place & MASK) >>> 6;
        if ((chunk.bits[word] & (1L << place)) == 0) {
            chunk.bits[word] |= 1L << place;
            chunk.count++;
        }
    }

    void remove(long place) {
        Chunk chunk = chunks.get(place >>> BITS);
        int word = (int) (place & MASK) >>> 6;
        if (chunk != null && (chunk.bits[word] & (1L << place)) != 0) {
            chunk.bits[word] &= ~(1L << place);
            if (--chunk.count == 0) {
                chunks.remove(place >>> BITS);
            }
        }
    }

    void clear() {
        chunks.clear();
    }

    /** How many are lower than this one. */
    int before(long place) {
        int before = 0;
        for (Map.Entry<Long, Chunk> each : chunks.headMap(place >>> BITS, true).entrySet()) {
            boolean last = each.getKey() == place >>> BITS;
            before += last ? each.getValue().before((int) (place & MASK)) : each.getValue().count;
        }
        return before;
    }

    /** The nth, counted from 1; 0 if there are not so many. */
    long nth(int n) {
        int left = n;
        for (Map.Entry<Long, Chunk> each : chunks.entrySet()) {
            if (left <= each.getValue().count) {
                return (each.getKey() << BITS) + each.getValue().nth(left);
            }
            left -= each.getValue().count;
        }
        return 0;
    }
}
