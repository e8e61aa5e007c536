package dev.orderly.store.sqlite.file;

import dev.orderly.file.OwnerOnlyFiles;
import dev.orderly.store.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The files of a database, and a check that their names still lead to the open files. A file that was deleted or
 * replaced while in use accepts every write, and loses them all for the next process. A check takes a few microseconds.
 */
public final class DatabaseFiles {
    /** The smallest size of a database in bytes. */
    private static final long SMALLEST = 512;

    final Path database;
    final Path wal;
    private volatile @Nullable Object databaseKey;
    private volatile @Nullable Object walKey;
    private volatile long walSize;

    public DatabaseFiles(Path database) {
        this.database = database;
        this.wal = beside("-wal");
    }

    public Path beside(String suffix) {
        return database.resolveSibling(database.getFileName() + suffix);
    }

    /**
     * Creates an empty file for a new database, readable by its owner only.
     *
     * @param known the id of the earlier database at this path, from its {@link LockedJobsFile}
     * @throws StoreException.Unusable if an earlier database is missing, or the file has hard links
     */
    public void prepare(OptionalLong known) throws IOException {
        Path folder = Objects.requireNonNull(database.getParent(), "an absolute path");
        long size = Files.exists(database) ? Files.size(database) : -1;
        if (known.isPresent() && size < SMALLEST) {
            throw new StoreException.Unusable("The database " + database + (size < 0
                    ? " is missing"
                    : " was cut to "
                            + size + " bytes")
                    + ", though " + beside("-running") + " says that one was here: put it back,"
                    + " together with its -wal file. To begin with nothing, remove all files whose names begin with "
                    + database.getFileName(), null);
        }
        if (size > 0 && size < SMALLEST) {
            throw new StoreException.Unusable("The file " + database + " has " + size
                    + " bytes, too few for a SQLite database: restore a backup, or use another file", null);
        }
        if (size < 0) {
            try {
                Files.createFile(database, OwnerOnlyFiles.mode(folder));
            } catch (FileAlreadyExistsException _) {
                // created concurrently: use it
            }
        }
        refuseHardLinks(folder);
        FilePermissions.warn(folder, List.of(database, wal, beside("-shm"), beside("-running")));
    }

    /**
     * Refuses hard links. SQLite derives the name of its log from the database: under two names it would use two logs
     * and corrupt the database.
     */
    private void refuseHardLinks(Path folder) throws IOException {
        if (Files.getFileStore(folder).supportsFileAttributeView("unix")
                && Files.getAttribute(database, "unix:nlink") instanceof Integer links && links > 1) {
            throw new StoreException.Unusable("The database " + database + " has " + links + " names (hard links), and"
                    + " another process may use it by another one: remove the others, and copy with sqlite3's .backup",
                    null);
        }
    }

    /** Records the files that the names lead to now; later checks compare with them. */
    public void remember() throws IOException {
        databaseKey = key(database);
        walKey = key(wal);
        walSize = 0;
    }

    /** @throws StoreException.Unavailable if a name does not lead to the open file any more */
    void check() {
        checkDatabase();
        // SQLite reuses its log from the start, but never shortens it while it is open.
        walSize = check(wal, walKey, walSize);
    }

    /** As {@link #check}, for the database file only. */
    void checkDatabase() {
        check(database, databaseKey, SMALLEST);
    }

    /** The size of the file, at least {@code least}. */
    private static long check(Path file, @Nullable Object known, long least) {
        if (known == null) {
            return least;
        }
        String what;
        try {
            BasicFileAttributes now = attributes(file);
            if (known.equals(now.fileKey()) && now.size() >= least) {
                return now.size();
            }
            what = known.equals(now.fileKey()) ? "was cut to " + now.size() + " bytes" : "was replaced";
        } catch (NoSuchFileException _) {
            what = "was deleted or moved";
        } catch (IOException e) {
            what = "cannot be read (" + e + ")";
        }
        throw new StoreException.Unavailable("The file " + file + " " + what + " while it was in use: nothing more is"
                + " written until it is back. Put it back, or stop this process, restore a backup and start again",
                null);
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Identity of a file; null if the file system has none, or the file does not exist. */
    private static @Nullable Object key(Path file) throws IOException {
        return Files.exists(file) ? attributes(file).fileKey() : null;
    }
}
