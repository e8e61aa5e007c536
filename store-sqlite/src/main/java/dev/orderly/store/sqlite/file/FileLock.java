package dev.orderly.store.sqlite.file;

import dev.orderly.file.OwnerOnlyFiles;
import dev.orderly.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive ownership of a database: an operating system lock on a file beside it, which the system releases when the
 * process dies. The file is never deleted: after a deletion two processes could lock two files.
 */
public final class FileLock implements AutoCloseable {
    /** Null on a medium without a lock file, which no process can have opened for writing. */
    private final @Nullable FileChannel channel;

    private FileLock(@Nullable FileChannel channel) {
        this.channel = channel;
    }

    /** @throws StoreException.Unavailable if the database has another owner, or the lock file cannot be written */
    public static FileLock take(Path database) {
        Path file = database.resolveSibling(database.getFileName() + "-lock");
        try {
            FileChannel channel = FileChannel.open(file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    OwnerOnlyFiles.mode(Objects.requireNonNull(database.getParent(), "an absolute path")));
            if (locked(channel, false)) {
                return new FileLock(channel);
            }
            channel.close();
        } catch (IOException e) {
            throw new StoreException.Unavailable("Cannot lock " + file + " (" + e + "): make the folder and the file"
                    + " writable for this user, on a file system with locks", e);
        }
        throw owned(database);
    }

    private static StoreException.Unavailable owned(Path database) {
        return new StoreException.Unavailable("Another Orderly process, or another store in this one, has " + database
                + " open: stop that one, or use another file; several processes need the PostgreSQL store", null);
    }

    /**
     * As {@link #take}, for a process that only reads: where the lock file cannot be written it is shared with other
     * readers, and where there is none nothing is locked.
     */
    public static FileLock forReading(Path database) {
        Path file = database.resolveSibling(database.getFileName() + "-lock");
        Path folder = Objects.requireNonNull(database.getParent(), "an absolute path");
        return Files.isWritable(Files.exists(file) ? file : folder) ? take(database) : share(database, file);
    }

    static FileLock share(Path database, Path file) {
        if (Files.notExists(file)) {
            return new FileLock(null);
        }
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
            if (locked(channel, true)) {
                return new FileLock(channel);
            }
            channel.close();
        } catch (IOException e) {
            throw new StoreException.Unavailable("Cannot lock " + file + " (" + e + "): let this user read it", e);
        }
        throw owned(database);
    }

    private static boolean locked(FileChannel channel, boolean shared) throws IOException {
        try {
            return channel.tryLock(0, Long.MAX_VALUE, shared) != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
