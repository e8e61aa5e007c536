package dev.orderly.room.state;

import java.util.Map;
import java.util.TreeMap;

/**
 * An ordered set of places with counts of lower places and access by rank. It has one bit a place, in chunks with their
 * counts, so that a search among a million places reads a thousand counts. Not thread-safe.
 */
final class PlaceOrder {
    private static final int BITS = 10;
    private static final int MASK = (1 << BITS) - 1;

    private final TreeMap<Long, Chunk> chunks = new TreeMap<>();

    private static final class Chunk {
        final long[] bits = new long[(MASK + 1) >>> 6];
        int count;

        /** Number of set bits before this bit. */
        int before(int bit) {
            int before = Long.bitCount(bits[bit >>> 6] & ((1L << bit) - 1));
            for (int i = 0; i < bit >>> 6; i++) {
                before += Long.bitCount(bits[i]);
            }
            return before;
        }

        /** Index of the nth set bit, counted from 1. */
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

    /** Number of places lower than this place. */
    int before(long place) {
        int before = 0;
        for (Map.Entry<Long, Chunk> each : chunks.headMap(place >>> BITS, true).entrySet()) {
            boolean last = each.getKey() == place >>> BITS;
            before += last ? each.getValue().before((int) (place & MASK)) : each.getValue().count;
        }
        return before;
    }

    /** The nth place, counted from 1; 0 if there are fewer. */
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
