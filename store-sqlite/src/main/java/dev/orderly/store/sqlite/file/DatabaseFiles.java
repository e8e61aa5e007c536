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
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a database, and checks that their names still lead to the open files and that nobody else has written
 * the database file. A file that was deleted or replaced while in use accepts every write, and loses them all for the
 * next process. A check takes a few microseconds.
 *
 * <p>Nothing here opens the database file: closing it would release the locks of this process on it.
 */
public final class DatabaseFiles {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseFiles.class);

    /** The smallest size of a database in bytes. */
    private static final long SMALLEST = 512;
    /** The clock of a file system may be as coarse as two seconds. */
    private static final int COARSEST_MILLIS = 10_000;

    final Path database;
    final Path wal;
    private volatile @Nullable Object databaseKey;
    private volatile @Nullable Object walKey;
    private volatile long walSize;
    /** As this process left the database file; null if not known. */
    private @Nullable Content content;
    private volatile StoreException.@Nullable Unusable refusal;

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
        refuseTorn();
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
     * Refuses a log beside a database file that another program has written while both were in use: SQLite would write
     * the one into the other.
     *
     * @throws StoreException.Unusable with the remedy
     */
    public void refuseTorn() throws IOException {
        if (LockedJobsFile.isTorn(beside("-running")) && Files.exists(wal) && Files.size(wal) > 0) {
            throw new StoreException.Unusable("The database " + database + " was written by another program while it"
                    + " was in use, and its log may not belong to it any more. If a backup was copied over it, remove "
                    + wal.getFileName() + " and " + beside("-shm").getFileName() + ", copy the backup again and start;"
                    + " for other causes see \"by another program\" in docs/operations.md", null);
        }
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

    /** Records the files that the names lead to now; later checks compare with them. For the writer. */
    public void remember() throws IOException {
        BasicFileAttributes now = attributes(database);
        databaseKey = now.fileKey();
        // Without identities of files (Windows) a time of change may also come late.
        content = databaseKey == null ? null : Content.of(now);
        walKey = key(wal);
        walSize = 0;
    }

    /**
     * Whether the names lead to the open files. Called on any thread.
     *
     * @throws StoreException.Unavailable if a name does not lead to the open file any more
     * @throws StoreException.Unusable if the database was refused
     */
    void checkNames() {
        StoreException.Unusable reason = refusal;
        if (reason != null) {
            throw reason;
        }
        if (databaseKey != null) {
            found(database, databaseKey, SMALLEST);
        }
        checkLog();
    }

    /** As {@link #checkNames}, for the log only. */
    void checkLog() {
        if (walKey != null) {
            // SQLite reuses its log from the start, and shortens it to this size only.
            walSize = found(wal, walKey, Math.min(walSize, WriteAheadLog.SIZE)).size();
        }
    }

    /** Size of the log at the last check; zero if it is not known. */
    long logSize() {
        return walSize;
    }

    /**
     * Whether the database file is the open one, and as the last checkpoint of this process left it. For the writer.
     *
     * @throws StoreException.Unavailable if the name does not lead to the open file any more
     * @throws StoreException.Unusable if another program has written it
     */
    void checkContent() {
        if (databaseKey == null) {
            return;
        }
        BasicFileAttributes now = found(database, databaseKey, 0);
        Content known = content;
        if (known != null && !known.equals(Content.of(now))) {
            LockedJobsFile.markTorn(beside("-running"));
            throw new StoreException.Unusable("The file " + database + (now.size() < known.size
                    ? " was cut to " + now.size() + " bytes"
                    : " was written") + " by another program while it was in use: nothing more is stored. Stop this"
                    + " process. If a backup was copied over the file, remove " + wal.getFileName() + " and "
                    + beside("-shm").getFileName() + ", copy the backup again and start; for other causes see"
                    + " \"by another program\" in docs/operations.md", null);
        }
    }

    /**
     * Records the database file after a change by this process. The file gets a time of change that is ten
     * seconds old, so that a change by another program shows however coarse the file system's clock is.
     */
    void written() {
        Content known = content;
        if (known == null) {
            return;
        }
        try {
            BasicFileAttributes now = attributes(database);
            if (Objects.equals(now.fileKey(), databaseKey) && !known.equals(Content.of(now))) {
                // By its name: opening and closing the file would release the locks that SQLite has on it.
                if (!database.toFile().setLastModified(now.lastModifiedTime().toMillis() - COARSEST_MILLIS)) {
                    LOG.debug("The time of {} cannot be set", database);
                }
                content = Content.of(attributes(database));
            }
        } catch (IOException e) {
            LOG.debug("The content of {} is not known for now: {}", database, e.getMessage());
            content = null;
        }
    }

    /** Any content of the database file is taken from here on. */
    void forgetContent() {
        content = null;
    }

    /** Makes every later {@link #checkNames} fail with this reason. */
    void refuse(StoreException.Unusable reason) {
        refusal = reason;
    }

    private static BasicFileAttributes found(Path file, @Nullable Object known, long least) {
        String what;
        try {
            BasicFileAttributes now = attributes(file);
            if (Objects.equals(known, now.fileKey()) && now.size() >= least) {
                return now;
            }
            what = Objects.equals(known, now.fileKey()) ? "was cut to " + now.size() + " bytes" : "was replaced";
        } catch (NoSuchFileException _) {
            what = "was deleted or moved";
        } catch (IOException e) {
            what = "cannot be read (" + e + ")";
        }
        throw new StoreException.Unavailable("The file " + file + " " + what + " while it was in use: nothing more is"
                + " written until it is back. Put it back, or stop this process, restore a backup and start again",
                null);
    }

    /** Size and time of change of the database file. */
    private record Content(long size, FileTime changed) {
        static Content of(BasicFileAttributes file) {
            return new Content(file.size(), file.lastModifiedTime());
        }
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Identity of a file; null if the file system has none, or the file does not exist. */
    private static @Nullable Object key(Path file) throws IOException {
        return Files.exists(file) ? attributes(file).fileKey() : null;
    }
}
