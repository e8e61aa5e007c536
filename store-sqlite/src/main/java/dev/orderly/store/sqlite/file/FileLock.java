package dev.orderly.store.sqlite.file;

import dev.orderly.file.OwnerOnlyFiles;
import dev.orderly.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;

/**
 * Exclusive ownership of a database: an operating system lock on a file beside it, which the system releases when the
 * process dies. The file is never deleted: after a deletion two processes could lock two files.
 */
public final class FileLock implements AutoCloseable {
    private final FileChannel channel;

    private FileLock(FileChannel channel) {
        this.channel = channel;
    }

    /** @throws StoreException.Unavailable if the database has another owner, or the lock file cannot be written */
    public static FileLock take(Path database) {
        Path file = database.resolveSibling(database.getFileName() + "-lock");
        try {
            FileChannel channel = FileChannel.open(file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    OwnerOnlyFiles.mode(Objects.requireNonNull(database.getParent(), "an absolute path")));
            if (locked(channel)) {
                return new FileLock(channel);
            }
            channel.close();
        } catch (IOException e) {
            throw new StoreException.Unavailable("Cannot lock " + file + " (" + e + "): make the folder and the file"
                    + " writable for this user, on a file system with locks", e);
        }
        throw new StoreException.Unavailable("Another Orderly process, or another store in this one, has " + database
                + " open: stop that one, or use another file; several processes need the PostgreSQL store", null);
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
