package dev.orderly.store.sqlite.state;

/**
 * Bloom filter over dedupe keys: answers "certainly absent" without a read of the disk. About one absent key of a
 * hundred passes; more pass after each {@link #halve}. Not thread-safe.
 */
final class KeyFilter {
    private static final int BITS_PER_KEY = 10;
    private static final int PROBES = 3;

    private long[] words;

    KeyFilter(int keys) {
        words = new long[(int) Math.min(1 << 28, Math.max(1, Long.highestOneBit((long) keys * BITS_PER_KEY) / 32))];
    }

    /** @param hash uniform bits of the key */
    void add(long hash) {
        for (int probe = 0; probe < PROBES; probe++) {
            long bit = bit(hash, probe);
            words[word(bit)] |= 1L << bit;
        }
    }

    boolean mayContain(long hash) {
        for (int probe = 0; probe < PROBES; probe++) {
            long bit = bit(hash, probe);
            if ((words[word(bit)] & (1L << bit)) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Halves the memory. What was contained stays contained, since a bit's position keeps its lower digits. */
    void halve() {
        long[] half = new long[words.length / 2];
        for (int i = 0; i < half.length; i++) {
            half[i] = words[i] | words[i + half.length];
        }
        words = half;
    }

    boolean canHalve() {
        return words.length > 1;
    }

    long bytes() {
        return (long) words.length * Long.BYTES;
    }

    private static long bit(long hash, int probe) {
        return hash + probe * ((hash >>> Integer.SIZE) | 1);
    }

    private int word(long bit) {
        return (int) (bit >>> 6) & (words.length - 1);
    }
}
