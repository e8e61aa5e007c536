package dev.orderly.store.sqlite.file;

import dev.orderly.file.OwnerOnlyFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running jobs, in a small memory-mapped file beside the database, so that they are known after a crash of the
 * process. Writing a slot is a memory write; the operating system keeps it when the process dies. A power failure may
 * lose it: then no crash is counted, rightly, since the job did not cause it.
 *
 * <p>Header: magic, salt of the database, the latest moments of calls about jobs and rooms in Unix milliseconds, by
 * which a clock that was set back between two processes is detected, and whether another program has written the
 * database file, so that its log may not belong to it. Then slots: a sequence number (0 is free), an
 * attempt number and a hash of the node, which groups jobs that ran on the same node. Not thread-safe: the writer owns
 * it.
 */
public final class LockedJobsFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockedJobsFile.class);

    private static final long MAGIC = 0x4F72_6465_726C_7932L;
    private static final int SALT = 8;
    private static final int JOBS_LATEST = 16;
    private static final int ROOMS_LATEST = 24;
    private static final int TORN = 32;
    private static final int HEADER = 64;
    private static final int SLOT = 16;
    private static final int FIRST_SLOTS = 1_024;

    private final FileChannel channel;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private Arena arena;
    /** A buffer of the memory: to reach a word through a layout costs a start the classes of method handles. */
    private MappedByteBuffer map;
    private int slots;

    /** An occupied slot. */
    public record Entry(long sequence, int attempt, int node, int slot) {}

    /** The salt of the earlier database at this path, if known. */
    public static OptionalLong knownSalt(Path file) throws IOException {
        if (Files.notExists(file)) {
            return OptionalLong.empty();
        }
        ByteBuffer head = head(file);
        return head.getLong(0) == MAGIC ? OptionalLong.of(head.getLong(SALT)) : OptionalLong.empty();
    }

    /** Whether {@link #markTorn} was called since a process opened the file. */
    static boolean isTorn(Path file) throws IOException {
        return Files.exists(file) && head(file).getLong(TORN) != 0;
    }

    private static ByteBuffer head(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer head = ByteBuffer.allocate(HEADER).order(ByteOrder.nativeOrder());
            channel.read(head, 0);
            return head;
        }
    }

    /** Records that another program has written the database file while it was in use. */
    static void markTorn(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(1).flip(), TORN);
            channel.force(false);
        } catch (IOException e) {
            LOG.warn("The next start does not refuse the database, since {} cannot be written: {}", file,
                    e.toString());
        }
    }

    /** What an earlier process left, read without a change of the file; empty without a file. */
    public record Left(Map<Long, Integer> attempts, Instant roomsLatest) {
        public Left {
            attempts = Map.copyOf(attempts);
        }
    }

    /** Reads the attempts of the jobs that ran, by sequence number. */
    public static Left read(Path file) throws IOException {
        if (knownSalt(file).isEmpty()) {
            return new Left(Map.of(), Instant.EPOCH);
        }
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        Map<Long, Integer> attempts = new HashMap<>();
        for (int slot = HEADER; slot + SLOT <= all.limit(); slot += SLOT) {
            if (all.getLong(slot) != 0) {
                attempts.put(all.getLong(slot), (int) all.getLong(slot + Long.BYTES));
            }
        }
        return new Left(attempts, Instant.ofEpochMilli(all.getLong(ROOMS_LATEST)));
    }

    /** @param salt salt of the database; the content about another database is discarded */
    public static LockedJobsFile open(Path file, long salt) throws IOException {
        FileChannel channel = FileChannel.open(file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                OwnerOnlyFiles.mode(Objects.requireNonNull(file.getParent(), "an absolute path")));
        try {
            return new LockedJobsFile(channel, salt);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private LockedJobsFile(FileChannel channel, long salt) throws IOException {
        this.channel = channel;
        long size = channel.size();
        int found = (int) Math.min((Integer.MAX_VALUE - HEADER) / SLOT, Math.max(0, size - HEADER) / SLOT);
        slots = Math.max(FIRST_SLOTS, found);
        extend(size, slots);
        arena = Arena.ofShared();
        map = map();
        map.putLong(TORN, 0);
        if (word(0) != MAGIC || word(SALT) != salt) {
            for (int word = 0; word < map.limit(); word += Long.BYTES) {
                map.putLong(word, 0);
            }
            map.putLong(0, MAGIC);
            map.putLong(SALT, salt);
        }
        for (int slot = slots - 1; slot >= 0; slot--) {
            if (word(at(slot)) == 0) {
                free.push(slot);
            }
        }
    }

    /** The jobs that ran when an earlier process died, oldest first. */
    public List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
            long sequence = word(at(slot));
            if (sequence != 0) {
                long run = word(at(slot) + Long.BYTES);
                entries.add(new Entry(sequence, (int) run, (int) (run >> Integer.SIZE), slot));
            }
        }
        entries.sort((one, other) -> Long.compare(one.sequence, other.sequence));
        return entries;
    }

    /** Records a running job and returns its slot. */
    public int enter(long sequence, int attempt, int node) throws IOException {
        if (free.isEmpty()) {
            grow();
        }
        int slot = free.pop();
        map.putLong(at(slot) + Long.BYTES, (long) node << Integer.SIZE | Integer.toUnsignedLong(attempt));
        map.putLong(at(slot), sequence);
        return slot;
    }

    public void clear(int slot) {
        map.putLong(at(slot), 0);
        free.push(slot);
    }

    /** The bytes of the file. */
    public byte[] content() {
        byte[] content = new byte[map.limit()];
        map.get(0, content);
        return content;
    }

    public Instant jobsLatest() {
        return Instant.ofEpochMilli(word(JOBS_LATEST));
    }

    public Instant roomsLatest() {
        return Instant.ofEpochMilli(word(ROOMS_LATEST));
    }

    public void note(Instant jobsLatest, Instant roomsLatest) {
        map.putLong(JOBS_LATEST, jobsLatest.toEpochMilli());
        map.putLong(ROOMS_LATEST, roomsLatest.toEpochMilli());
    }

    /** Makes the file unknown, so that a process that finds it begins it anew. */
    public void forgetDatabase() {
        map.putLong(0, 0);
        map.force();
    }

    /** Makes the file known again, for a database with this salt. */
    public void rememberDatabase(long salt) {
        map.putLong(SALT, salt);
        map.putLong(0, MAGIC);
        map.force();
    }

    private long word(int offset) {
        return map.getLong(offset);
    }

    private static int at(int slot) {
        return Math.addExact(HEADER, Math.multiplyExact(slot, SLOT));
    }

    private void grow() throws IOException {
        int more = Math.multiplyExact(slots, 2);
        extend(at(slots), more);
        arena.close();
        arena = Arena.ofShared();
        int before = slots;
        slots = more;
        map = map();
        for (int slot = more - 1; slot >= before; slot--) {
            free.push(slot);
        }
    }

    /** Writes zeros instead of a hole: access to a hole of a mapped file on a full disk would kill the process. */
    private void extend(long size, int wanted) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate((int) Math.max(0, at(wanted) - size));
        for (long position = size; zeros.hasRemaining();) {
            position += channel.write(zeros, position);
        }
    }

    private MappedByteBuffer map() throws IOException {
        ByteBuffer mapped = channel.map(MapMode.READ_WRITE, 0, at(slots), arena).asByteBuffer();
        return (MappedByteBuffer) mapped.order(ByteOrder.nativeOrder());
    }

    @Override
    public void close() throws IOException {
        arena.close();
        channel.close();
    }
}
