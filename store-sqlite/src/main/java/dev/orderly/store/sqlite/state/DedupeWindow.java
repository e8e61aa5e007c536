package dev.orderly.store.sqlite.state;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.store.JobSequence;
import dev.orderly.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dedupe keys of the last minutes, with the sequence number of the first push. The newest are in memory: a hash
 * table for each slice of the window, about 40 bytes per key. Beyond a bound the older ones are moved to a scratch
 * file, at 1.3 to 2.6 bytes of memory per key, and to fewer if their filters reach a bound too; an absent key then
 * rarely costs a read. Tables and files whose slice is over are dropped. Sequence numbers contain the time, so an
 * expired key does not match. Not thread-safe: the writer owns it.
 */
public final class DedupeWindow implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DedupeWindow.class);
    private static final int SLICES = 6;

    private final Duration window;
    private final long slice;
    private final Path path;
    /** Bounds of the memory of all tables, of one table, and of all filters. The rest is for keys on their way. */
    private final long tableBytes;
    private final int slotsMax;
    private final long filterBytes;
    /** Newest first, as the next two. */
    private final ArrayDeque<KeyTable> tables = new ArrayDeque<>();
    private final ArrayDeque<StoredKeys> stored = new ArrayDeque<>();
    private final ArrayDeque<KeyFile> files = new ArrayDeque<>();
    private int created;

    /**
     * @param bytes bound of its memory
     * @param path scratch files have this name with a number
     */
    public DedupeWindow(Duration window, long bytes, Path path) {
        this.window = window;
        this.path = path;
        slice = JobSequence.startOf(Instant.ofEpochMilli(Math.max(1, window.toMillis() / SLICES)));
        tableBytes = bytes / 3;
        slotsMax = Math.clamp(Long.highestOneBit(bytes / 8 / KeyTable.ENTRY_BYTES), KeyTable.SLOTS_MIN, 1 << 26);
        filterBytes = bytes / 4;
    }

    /** The smallest sequence number whose key is within its window at this moment. */
    long floor(Instant now) {
        return JobSequence.startOf(now.minus(window).plusMillis(1));
    }

    /**
     * The sequence number of the push that started the window of this key; zero if none did within the window.
     *
     * @throws StoreException.Unavailable if the scratch file cannot be read
     */
    public long find(DedupeKey key, Instant now) {
        long floor = floor(now);
        for (KeyTable table : tables) {
            long found = table.find(key.high(), key.low());
            if (found >= floor && found != 0) {
                return found;
            }
        }
        return stored.isEmpty() ? 0 : findStored(key, floor);
    }

    private long findStored(DedupeKey key, long floor) {
        try {
            for (StoredKeys keys : stored) {
                long found = keys.end > floor ? keys.find(key.high(), key.low()) : 0;
                if (found >= floor && found != 0) {
                    return found;
                }
            }
            return 0;
        } catch (IOException e) {
            throw new StoreException.Unavailable("The dedupe keys of the last minutes cannot be read from their file"
                    + " beside the database (" + e + "): check the disk", e);
        }
    }

    /** Adds a key. Sequence numbers must grow. */
    public void add(DedupeKey key, long sequence) {
        KeyTable newest = tables.peekFirst();
        if (newest == null || sequence >= newest.end || newest.isFull()) {
            newest = new KeyTable(sliceEnd(sequence), slots(newest == null ? 0 : newest.size()), slotsMax);
            tables.addFirst(newest);
            try {
                makeRoom();
            } catch (StoreException.Unavailable e) {
                LOG.debug("Keys stay in memory until the next push with a key, which is refused", e);
            }
        }
        newest.put(key.high(), key.low(), sequence);
    }

    private long sliceEnd(long sequence) {
        return sequence - Math.floorMod(sequence, slice) + slice;
    }

    private int slots(int keys) {
        return Math.min(slotsMax, Integer.highestOneBit(Math.max(512, keys)) * 2);
    }

    /**
     * Moves keys to the disk if those in memory are beyond their bound.
     *
     * @throws StoreException.Unavailable if the scratch file cannot be written; then all keys are still known
     */
    public void makeRoom() {
        if (tables.size() < 2 || sum(tables, KeyTable::bytes) <= tableBytes) {
            return;
        }
        List<KeyTable> older = new ArrayList<>(tables);
        older.removeFirst();
        try {
            stored.addFirst(StoredKeys.write(older, fileFor(older.getFirst())));
        } catch (IOException e) {
            throw new StoreException.Unavailable("Dedupe keys beyond " + tableBytes + " bytes cannot be written to "
                    + path + " (" + e + "): free disk space, or make the folder writable for this user", e);
        }
        tables.removeAll(older);
        shrinkFilters();
    }

    /** A file has the keys of about a slice, so that the disk space of older ones is freed. */
    private KeyFile fileFor(KeyTable newest) throws IOException {
        KeyFile known = files.peekFirst();
        if (known == null || newest.end > known.end) {
            known = KeyFile.create(newest.end, path.resolveSibling(path.getFileName() + "-" + created++));
            files.addFirst(known);
        }
        return known;
    }

    /** Halves the largest filters, older ones first, until they take no more than their bound. */
    private void shrinkFilters() {
        KeyFilter largest = largestFilter();
        while (largest != null && sum(stored, keys -> keys.filter.bytes()) > filterBytes) {
            largest.halve();
            largest = largestFilter();
        }
    }

    private @Nullable KeyFilter largestFilter() {
        KeyFilter largest = null;
        for (StoredKeys keys : stored) {
            if (keys.filter.canHalve() && (largest == null || keys.filter.bytes() >= largest.bytes())) {
                largest = keys.filter;
            }
        }
        return largest;
    }

    /** Drops keys whose slices are over. */
    public void expire(Instant now) {
        dropBefore(floor(now));
    }

    private void dropBefore(long floor) {
        while (!tables.isEmpty() && tables.getLast().end <= floor) {
            tables.removeLast();
        }
        while (!stored.isEmpty() && stored.getLast().end <= floor) {
            stored.removeLast();
        }
        while (!files.isEmpty() && files.getLast().end <= floor) {
            try {
                files.removeLast().close();
            } catch (IOException e) {
                LOG.warn("Closing a file of dedupe keys: {}", e.toString());
            }
        }
    }

    public int size() {
        return (int) (sum(tables, KeyTable::size) + sum(stored, StoredKeys::size));
    }

    /** Number of keys on the disk. */
    public int stored() {
        return (int) sum(stored, StoredKeys::size);
    }

    /** Memory of tables and filters in bytes. */
    public long bytes() {
        return sum(tables, KeyTable::bytes) + sum(stored, keys -> keys.filter.bytes());
    }

    private static <T> long sum(ArrayDeque<T> all, ToLongFunction<T> part) {
        long sum = 0;
        for (T each : all) {
            sum += part.applyAsLong(each);
        }
        return sum;
    }

    /** Forgets all keys. */
    @Override
    public void close() {
        dropBefore(Long.MAX_VALUE);
    }
}
