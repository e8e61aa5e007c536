package dev.orderly.store.sqlite.state;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.store.JobSequence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/**
 * The dedupe keys of the last minutes, with the sequence number of the first push: hash tables of primitives, one for
 * each slice of the window; a table whose slice is over is dropped. Sequence numbers contain the time, so an expired
 * key in a table does not match. About 40 bytes per key. Not thread-safe: the writer owns it.
 */
public final class DedupeWindow {
    private static final int SLICES = 6;

    private final Duration window;
    private final long sliceMillis;
    private final ArrayDeque<Slice> slices = new ArrayDeque<>();

    public DedupeWindow(Duration window) {
        this.window = window;
        sliceMillis = Math.max(1, window.toMillis() / SLICES);
    }

    /** The smallest sequence number whose key is within its window at this moment. */
    long floor(Instant now) {
        return JobSequence.startOf(now.minus(window).plusMillis(1));
    }

    /** The sequence number of the push that started the window of this key; zero if none did within the window. */
    public long find(DedupeKey key, Instant now) {
        long floor = floor(now);
        for (Slice slice : slices) {
            long found = slice.find(key.high(), key.low());
            if (found >= floor && found != 0) {
                return found;
            }
        }
        return 0;
    }

    /** Adds a key. Sequence numbers must grow. */
    public void add(DedupeKey key, long sequence) {
        Slice newest = slices.peekFirst();
        if (newest == null || sequence >= newest.end) {
            long start = sequence - Math.floorMod(sequence, JobSequence.startOf(Instant.ofEpochMilli(sliceMillis)));
            newest = new Slice(start + JobSequence.startOf(Instant.ofEpochMilli(sliceMillis)),
                    newest == null ? 0 : newest.size);
            slices.addFirst(newest);
        }
        newest.put(key.high(), key.low(), sequence);
    }

    /** Drops slices that are over. */
    public void expire(Instant now) {
        long floor = floor(now);
        while (!slices.isEmpty() && slices.getLast().end <= floor) {
            slices.removeLast();
        }
    }

    public int size() {
        return slices.stream().mapToInt(slice -> slice.size).sum();
    }

    /**
     * Hash table with open addressing and linear probing: three longs per entry, so that a probe touches one cache line
     * or two.
     */
    private static final class Slice {
        private static final int WIDTH = 3;
        private final long end;
        private long[] table;
        private int mask;
        private int size;

        Slice(long end, int expected) {
            this.end = end;
            int capacity = Integer.highestOneBit(Math.max(512, expected)) * 2;
            table = new long[capacity * WIDTH];
            mask = capacity - 1;
        }

        long find(long high, long low) {
            return table[place(table, mask, high, low) + 2];
        }

        void put(long high, long low, long sequence) {
            int place = place(table, mask, high, low);
            size += table[place + 2] == 0 ? 1 : 0;
            fill(table, place, high, low, sequence);
            if (size * 3L > (mask + 1) * 2L) {
                grow();
            }
        }

        private void grow() {
            long[] larger = new long[Math.multiplyExact(table.length, 2)];
            int largerMask = mask * 2 + 1;
            for (int i = 0; i < table.length; i += WIDTH) {
                if (table[i + 2] != 0) {
                    fill(larger, place(larger, largerMask, table[i], table[i + 1]), table[i], table[i + 1],
                            table[i + 2]);
                }
            }
            table = larger;
            mask = largerMask;
        }

        /** The position of this key, or the free position for it. The key is a hash already. */
        private static int place(long[] table, int mask, long high, long low) {
            int slot = (int) high & mask;
            while (true) {
                int at = slot * WIDTH;
                if (table[at + 2] == 0 || (table[at] == high && table[at + 1] == low)) {
                    return at;
                }
                slot = (slot + 1) & mask;
            }
        }

        private static void fill(long[] table, int at, long high, long low, long sequence) {
            table[at] = high;
            table[at + 1] = low;
            table[at + 2] = sequence;
        }
    }
}
