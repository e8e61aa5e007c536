package dev.orderly.store.sqlite;

import dev.orderly.store.sqlite.file.ConnectionFactory;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A model of a disk behind the page cache of an operating system, for one database and its log. The files themselves
 * are the cache, as processes see it; what a power failure would leave is in memory. All writes are followed: SQLite's
 * through a VFS, those of the store through the channel of the log.
 *
 * <p>A sync that fails loses the pages written since the last one, marks them clean, so that no later sync writes them
 * unless they are written again, and is reported once to each open file: as Linux does. Their content in the cache
 * stays (ext4, XFS), or is that of the disk again (btrfs).
 */
public final class PowerLossDisk implements ConnectionFactory {
    private static final int PAGE = 4_096;
    private static final int SECTOR = 512;

    /** What a failing sync does to the pages that it did not write. */
    public enum Lost {
        STAYS_IN_CACHE, IS_READ_FROM_THE_DISK
    }

    /** How one write, truncation or sync fails; a failing sync loses its pages as {@link Lost#STAYS_IN_CACHE}. */
    public enum Refusal {
        /** Nothing is written, since the disk is full. */
        FULL,
        /** Nothing is written. */
        ERROR,
        /** Half of the bytes are written. */
        TORN
    }

    /** Held by the test's thread and the store's, also while a power failure at an operation is modelled. */
    private final ReentrantLock lock = new ReentrantLock();
    private final Path file;
    private final Random random;
    private final SqliteConnections connections;
    private final Map<String, CachedFile> files = new LinkedHashMap<>();
    private @Nullable Failure failure;
    private long operations;
    private long cutAt = Long.MAX_VALUE;
    private Runnable atCut = () -> {};
    private long refusedAt = Long.MAX_VALUE;
    private Refusal refusal = Refusal.FULL;

    /** @param of suffix of the file whose next sync fails */
    private record Failure(String of, Lost lost) {}

    public PowerLossDisk(Path file, Random random) throws SQLException {
        this.file = file;
        this.random = random;
        ModelledVfs vfs = new ModelledVfs(path -> file(path).opened());
        connections = new SqliteConnections(Path.of("file:" + file + "?vfs=" + vfs.name()), SqliteOptions.DEFAULT);
    }

    /** A store on this disk. */
    public SqliteStore open() {
        return SqliteStore.open(file, this);
    }

    /** As {@link #open()}, with a clock and tiny bounds of memory. */
    public SqliteStore open(Time time) {
        return SqliteStore.open(file, this, time, Places.TINY);
    }

    public Path file() {
        return file;
    }

    /** Makes the next sync of a file with this suffix ("-wal", or "db" for the database) fail if it has to write. */
    public void failNextSync(String of, Lost lost) {
        locked(() -> {
            failure = new Failure(of, lost);
            return failure;
        });
    }

    /** Number of writes, truncations and syncs. */
    public long operations() {
        return locked(() -> operations);
    }

    /** Has an action run on the thread of the store, before the operation of this number. */
    public void at(long operation, Runnable action) {
        locked(() -> {
            cutAt = operation;
            atCut = action;
            return action;
        });
    }

    /** Makes the operation of this number fail. */
    public void refuse(long operation, Refusal how) {
        locked(() -> {
            refusedAt = operation;
            refusal = how;
            return how;
        });
    }

    /**
     * The database as a power failure at this moment leaves it: pages that were not synced are old, new or torn between
     * sectors.
     */
    public Path afterPowerFailure(Path folder) {
        return locked(() -> copied(folder, CachedFile::afterPowerFailure));
    }

    /** The database as kill -9 at this moment leaves it, on this disk: the cache stays. */
    public PowerLossDisk afterKill(Path folder) throws SQLException {
        PowerLossDisk next = new PowerLossDisk(locked(() -> copied(folder, CachedFile::cached)), random);
        return locked(() -> {
            files.forEach((suffix, each) -> next.files.put(suffix, next.new CachedFile(next.path(suffix), each)));
            return next;
        });
    }

    private interface Content {
        /** Null for a file that is deleted. */
        byte @Nullable [] of(CachedFile file) throws IOException;
    }

    private Path copied(Path folder, Content content) {
        try {
            Path target = Files.createTempDirectory(folder, "next");
            for (CachedFile each : files.values()) {
                byte[] left = content.of(each);
                if (left != null) {
                    Files.write(target.resolve(each.path.getFileName()), left);
                }
            }
            Path running = file.resolveSibling(file.getFileName() + "-running");
            Files.copy(running, target.resolve(running.getFileName()));
            return target.resolve(file.getFileName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CachedFile file(String path) {
        String suffix = path.substring(file.toString().length());
        return locked(() -> files.computeIfAbsent(suffix, _ -> new CachedFile(path(suffix))));
    }

    private Path path(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Counts an operation; true if it is the one to fail. */
    private boolean isRefused() {
        long number = operations++;
        if (number == cutAt) {
            atCut.run();
        }
        return number == refusedAt;
    }

    @Override
    public Connection writer() throws SQLException {
        Connection opened = connections.writer();
        try (Statement statement = opened.createStatement()) {
            // A checkpoint need not wait for a reader.
            statement.execute("PRAGMA busy_timeout = 1");
        }
        return opened;
    }

    @Override
    public Connection reader() throws SQLException {
        return connections.reader();
    }

    @Override
    public FileChannel openLog(Path log) throws IOException {
        return new ModelledChannel(connections.openLog(log), file(log.toString()).opened());
    }

    /** A file in the cache and on the disk. */
    private final class CachedFile {
        private final Path path;
        private byte[] disk = new byte[0];
        /** Pages that a sync has to write. */
        private final BitSet dirty = new BitSet();
        /** The least size since the last sync. */
        private int least;
        private int errors;

        /** A file that is on the disk as it is found. */
        CachedFile(Path path) {
            this.path = path;
            try {
                disk = Files.exists(path) ? cached() : new byte[0];
                least = disk.length;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        CachedFile(Path path, CachedFile before) {
            this.path = path;
            disk = before.disk.clone();
            dirty.or(before.dirty);
            least = before.least;
        }

        byte[] cached() throws IOException {
            return Files.readAllBytes(path);
        }

        ModelledVfs.Handle opened() {
            return new ModelledVfs.Handle() {
                private int reported = errors;

                @Override
                public ModelledVfs.Written write(long at, int length) {
                    return locked(() -> {
                        boolean refused = isRefused();
                        int bytes = !refused ? length : refusal == Refusal.TORN ? length / 2 : 0;
                        if (bytes > 0) {
                            dirty.set((int) (at / PAGE), (int) ((at + bytes - 1) / PAGE) + 1);
                        }
                        return !refused
                                ? ModelledVfs.Written.all(length)
                                : refusal == Refusal.FULL
                                        ? ModelledVfs.Written.full(bytes)
                                        : ModelledVfs.Written.failed(bytes);
                    });
                }

                @Override
                public boolean truncate(long size) {
                    return locked(() -> {
                        if (isRefused()) {
                            return false;
                        }
                        least = (int) Math.min(least, size);
                        dirty.clear((int) ((size + PAGE - 1) / PAGE), Integer.MAX_VALUE);
                        return true;
                    });
                }

                @Override
                public boolean sync() {
                    return locked(() -> {
                        if (isRefused() && failure == null) {
                            failure = new Failure("", Lost.STAYS_IN_CACHE);
                        }
                        writeBack();
                        boolean succeeds = reported == errors;
                        reported = errors;
                        return succeeds;
                    });
                }
            };
        }

        private void writeBack() {
            try {
                byte[] cache = cached();
                Failure due = failure;
                if (due != null && path.toString().endsWith(due.of) && !dirty.isEmpty()) {
                    failure = null;
                    errors++;
                    if (due.lost == Lost.IS_READ_FROM_THE_DISK) {
                        revert();
                    }
                } else {
                    disk = Arrays.copyOf(Arrays.copyOf(disk, Math.min(least, disk.length)), cache.length);
                    dirty.stream().filter(page -> page * PAGE < cache.length).forEach(page -> copy(cache, page * PAGE,
                            Math.min(PAGE, cache.length - page * PAGE)));
                    least = cache.length;
                }
                dirty.clear();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void copy(byte[] cache, int at, int length) {
            System.arraycopy(cache, at, disk, at, length);
        }

        private void revert() throws IOException {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                for (int page : dirty.stream().toArray()) {
                    int length = (int) Math.min(PAGE, channel.size() - (long) page * PAGE);
                    byte[] old = new byte[Math.max(0, length)];
                    int known = Math.clamp(disk.length - (long) page * PAGE, 0, old.length);
                    System.arraycopy(disk, Math.min(page * PAGE, disk.length), old, 0, known);
                    channel.write(ByteBuffer.wrap(old), (long) page * PAGE);
                }
            }
        }

        /**
         * Each sector that was not synced is old or new; all of them are old if a truncation did not happen, or a
         * deletion, as when SQLite closes a log.
         */
        byte @Nullable [] afterPowerFailure() throws IOException {
            if (!Files.exists(path)) {
                return random.nextBoolean() ? disk.clone() : null;
            }
            byte[] cache = cached();
            if (least < disk.length && random.nextBoolean()) {
                return disk.clone();
            }
            byte[] image = Arrays.copyOf(Arrays.copyOf(disk, Math.min(least, disk.length)), cache.length);
            int luck = random.nextInt(3);
            dirty.stream().forEach(page -> {
                for (int at = page * PAGE; at < Math.min((page + 1) * PAGE, cache.length); at += SECTOR) {
                    if (luck == 2 || (luck == 1 && random.nextBoolean())) {
                        System.arraycopy(cache, at, image, at, Math.min(SECTOR, cache.length - at));
                    }
                }
            });
            return image;
        }
    }
}
