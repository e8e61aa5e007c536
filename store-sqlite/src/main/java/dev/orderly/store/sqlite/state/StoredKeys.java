package dev.orderly.store.sqlite.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Dedupe keys on disk, never changed: the entries in buckets of about a hundred by the first bits of the key. In memory
 * are a filter and the position of each bucket, 1.3 to 2.6 bytes a key. A key that is absent costs a read of one bucket
 * with one in a hundred.
 */
final class StoredKeys {
    private static final int KEYS_PER_BUCKET = 64;

    /** Sequence numbers of all keys are smaller. */
    final long end;
    private final KeyFile file;
    final KeyFilter filter;
    private final long start;
    private final int bucketBits;
    /** Index of the first entry of each bucket, and the number of entries. */
    private final int[] buckets;

    private StoredKeys(long end, KeyFile file, KeyFilter filter, int[] buckets) {
        this.end = end;
        this.file = file;
        this.filter = filter;
        this.start = file.size();
        this.bucketBits = Integer.numberOfTrailingZeros(buckets.length - 1);
        this.buckets = buckets;
    }

    /** Appends the keys of tables to a file. */
    static StoredKeys write(List<KeyTable> tables, KeyFile file) throws IOException {
        int size = tables.stream().mapToInt(KeyTable::size).sum();
        int bits = Integer.numberOfTrailingZeros(Math.max(1, Integer.highestOneBit(size / KEYS_PER_BUCKET)));
        int[] next = new int[(1 << bits) + 1];
        tables.forEach(table -> table.forEach((high, _, _) -> next[bucket(high, bits) + 1]++));
        for (int i = 1; i < next.length; i++) {
            next[i] += next[i - 1];
        }
        StoredKeys keys = new StoredKeys(tables.stream().mapToLong(table -> table.end).max().orElseThrow(), file,
                new KeyFilter(size), next.clone());
        long[] entries = new long[Math.multiplyExact(size, KeyTable.WIDTH)];
        tables.forEach(table -> table.forEach((high, low, sequence) -> {
            int at = next[bucket(high, bits)]++ * KeyTable.WIDTH;
            entries[at] = high;
            entries[at + 1] = low;
            entries[at + 2] = sequence;
            keys.filter.add(low);
        }));
        file.append(entries);
        return keys;
    }

    /** The largest sequence number of a key; zero for none. */
    long find(long high, long low) throws IOException {
        if (!filter.mayContain(low)) {
            return 0;
        }
        int bucket = bucket(high, bucketBits);
        long found = 0;
        long at = start + (long) buckets[bucket] * KeyTable.ENTRY_BYTES;
        long until = start + (long) buckets[bucket + 1] * KeyTable.ENTRY_BYTES;
        while (at < until) {
            ByteBuffer some = file.read(at, until);
            at += some.remaining();
            while (some.hasRemaining()) {
                long entryHigh = some.getLong();
                long entryLow = some.getLong();
                long sequence = some.getLong();
                if (entryHigh == high && entryLow == low) {
                    found = Math.max(found, sequence);
                }
            }
        }
        return found;
    }

    int size() {
        return buckets[buckets.length - 1];
    }

    /** In two shifts, since a shift by 64 would shift by nothing. */
    private static int bucket(long high, int bits) {
        return (int) (high >>> 1 >>> (Long.SIZE - 1 - bits));
    }
}
