package dev.orderly.store.sqlite.state;

/**
 * Hash table of dedupe keys with the sequence numbers of their pushes, up to a fixed number of slots. Open addressing
 * with linear probing: three longs per entry, so that a probe touches one cache line or two. Not thread-safe.
 */
final class KeyTable {
    static final int WIDTH = 3;
    static final int ENTRY_BYTES = WIDTH * Long.BYTES;
    static final int SLOTS_MIN = 16;

    /** Sequence numbers from here on belong into another table. */
    final long end;
    private final int slotsMax;
    private long[] table;
    private int mask;
    private int size;

    /** @param slots initial number of slots, and {@code slotsMax} the largest: powers of two */
    KeyTable(long end, int slots, int slotsMax) {
        this.end = end;
        this.slotsMax = slotsMax;
        table = new long[slots * WIDTH];
        mask = slots - 1;
    }

    /** The sequence number of a key; zero for none. */
    long find(long high, long low) {
        return table[place(table, mask, high, low) + 2];
    }

    void put(long high, long low, long sequence) {
        int place = place(table, mask, high, low);
        size += table[place + 2] == 0 ? 1 : 0;
        fill(table, place, high, low, sequence);
        if (isCrowded() && mask + 1 < slotsMax) {
            grow();
        }
    }

    /** Whether the next key belongs into another table, because this table would be slow with it. */
    boolean isFull() {
        return mask + 1 >= slotsMax && isCrowded();
    }

    private boolean isCrowded() {
        return size * 3L > (mask + 1) * 2L;
    }

    int size() {
        return size;
    }

    long bytes() {
        return (long) table.length * Long.BYTES;
    }

    /** Passes each entry to the sink, in no order. */
    void forEach(Sink sink) {
        for (int i = 0; i < table.length; i += WIDTH) {
            if (table[i + 2] != 0) {
                sink.accept(table[i], table[i + 1], table[i + 2]);
            }
        }
    }

    /** Receives entries. */
    @FunctionalInterface
    interface Sink {
        void accept(long high, long low, long sequence);
    }

    private void grow() {
        long[] larger = new long[Math.multiplyExact(table.length, 2)];
        int largerMask = mask * 2 + 1;
        forEach((high, low, sequence) -> fill(larger, place(larger, largerMask, high, low), high, low, sequence));
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
