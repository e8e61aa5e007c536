package dev.orderly.store.sqlite;

import dev.orderly.store.sqlite.file.ConnectionFactory;
import dev.orderly.store.sqlite.state.MemoryBounds;
import dev.orderly.testkit.jobsim.Step.DiskRoom;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A disk that is full at times: then a write to a database or its log fails with SQLITE_FULL, after the bytes for which
 * there is room. SQLite's own bound of pages would not do, since it bounds the database and not the log, to which all
 * writes go first.
 */
final class FullDisk {
    private final ModelledVfs vfs = new ModelledVfs(path -> new OpenFile(Path.of(path)));
    private volatile DiskRoom room = DiskRoom.ALL;
    private volatile Thread writer = Thread.currentThread();
    private long refused;

    FullDisk() throws SQLException {}

    /** A store on this disk. */
    SqliteStore open(Path file, Time time) {
        SqliteConnections connections = new SqliteConnections(Path.of("file:" + file + "?vfs=" + vfs.name()),
                SqliteOptions.DEFAULT);
        return SqliteStore.open(file, new Connections(connections), time, MemoryBounds.ofHeap());
    }

    /**
     * Fills it, or frees it. Waits until the store rests, which works on after its answers, so that the same seed is
     * the same history.
     */
    void leave(DiskRoom next) {
        while (!writer.equals(Thread.currentThread()) && writer.isAlive()
                && writer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        room = next;
    }

    /** Number of writes that failed. */
    long refused() {
        return refused;
    }

    private final class OpenFile implements ModelledVfs.Handle {
        private final Path path;

        OpenFile(Path path) {
            this.path = path;
        }

        @Override
        public ModelledVfs.Written write(long at, int length) {
            writer = Thread.currentThread();
            int bytes = switch (room) {
                case ALL -> length;
                case OVERWRITES -> Math.clamp(size() - at, 0, length);
                case NOTHING -> 0;
            };
            if (bytes == length) {
                return ModelledVfs.Written.all(length);
            }
            refused++;
            return ModelledVfs.Written.full(bytes);
        }

        private long size() {
            try {
                return Files.size(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean truncate(long size) {
            return true;
        }

        @Override
        public boolean sync() {
            return true;
        }
    }

    private final class Connections implements ConnectionFactory {
        private final SqliteConnections real;

        Connections(SqliteConnections real) {
            this.real = real;
        }

        @Override
        public Connection writer() throws SQLException {
            return real.writer();
        }

        @Override
        public Connection reader() throws SQLException {
            return real.reader();
        }

        @Override
        public FileChannel openLog(Path log) throws IOException {
            return new ModelledChannel(real.openLog(log), new OpenFile(log));
        }
    }
}
