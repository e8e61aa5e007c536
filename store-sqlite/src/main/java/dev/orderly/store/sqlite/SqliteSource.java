package dev.orderly.store.sqlite;

import dev.orderly.Internal;
import dev.orderly.store.StoreException;
import dev.orderly.store.copy.CopySource;
import dev.orderly.store.copy.OpenCopySource;
import dev.orderly.store.sqlite.copy.SqliteCopySource;
import dev.orderly.store.sqlite.file.DatabaseFiles;
import dev.orderly.store.sqlite.file.FileLock;
import dev.orderly.store.sqlite.file.LockedJobsFile;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.file.SqliteErrors;
import dev.orderly.store.sqlite.file.SqliteMigrations;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A database that is only read, as the source of a copy: also a file that this user may not write, or on a read-only
 * medium. Each page is read on a connection of its own.
 *
 * <p>Where the lock file can be opened, its lock keeps other processes from the database. On a medium without
 * that file there is no lock: the operator keeps every process from writing the database during the copy.
 */
@Internal(to = "dev.orderly")
public final class SqliteSource implements OpenCopySource {
    private static final String JOBS = "SELECT (SELECT count(*) FROM job) + (SELECT count(*) FROM ended)";

    private final Path file;
    private final SqliteErrors errors;
    private final OpenResources closing = new OpenResources();
    private final SqliteConnections connections;
    private final boolean logged;
    /** The newest attempts of jobs that ran when the last process ended, by sequence number. */
    private final Map<Long, Integer> attempts = new HashMap<>();
    private final Instant roomsLatest;
    private final SqliteCopySource data;

    /**
     * Opens the database. Tables of an older version are updated first, if this user may write the file.
     *
     * @throws StoreException.Unavailable if another process has the database open, or it cannot be read
     * @throws StoreException.Unusable if the tables are of an older version and the file cannot be written, of a newer
     *     one, or of another program
     */
    public static SqliteSource at(Path file) {
        try {
            Path real = file.toRealPath();
            if (!isCurrent(real)) {
                update(real);
            }
            SqliteSource opened = new SqliteSource(real);
            opened.readLeases();
            return opened;
        } catch (IOException e) {
            throw new StoreException.Unavailable("Cannot read " + file + " (" + e + "): name a database that this user"
                    + " may read, with the files beside it", e);
        }
    }

    private static boolean isCurrent(Path file) throws IOException {
        OptionalLong known = LockedJobsFile.knownSalt(new DatabaseFiles(file).beside("-running"));
        try (SqliteSource opened = new SqliteSource(file)) {
            return opened.read(connection -> SqliteMigrations.isCurrent(connection, known));
        }
    }

    private static void update(Path file) {
        try {
            SqliteStore.at(file).close();
        } catch (StoreException e) {
            throw new StoreException.Unusable("The database " + file + " has tables of an older version, and they"
                    + " cannot be updated (" + e.getMessage() + "): start this version on it once where it can be"
                    + " written, stop it, and copy then", e);
        }
    }

    private SqliteSource(Path file) throws IOException {
        this.file = file;
        errors = new SqliteErrors(file);
        connections = new SqliteConnections(file, SqliteOptions.DEFAULT);
        closing.add(FileLock.forReading(file));
        try {
            DatabaseFiles files = new DatabaseFiles(file);
            files.refuseTorn();
            Path log = files.beside("-wal");
            logged = Files.exists(log) && Files.size(log) > 0;
            LockedJobsFile.Left left = LockedJobsFile.read(files.beside("-running"));
            roomsLatest = left.roomsLatest();
            attempts.putAll(left.attempts());
            data = new SqliteCopySource(this::read, seq -> attempts.getOrDefault(seq, 0));
        } catch (IOException | RuntimeException e) {
            closing.close();
            throw e;
        }
    }

    private void readLeases() {
        try {
            read(connection -> {
                try (Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery("SELECT seq, attempt FROM lease")) {
                    while (rows.next()) {
                        attempts.put(rows.getLong(1), rows.getInt(2));
                    }
                    return attempts;
                }
            });
        } catch (StoreException e) {
            close();
            throw e;
        }
    }

    private <T> T read(ReaderPool.Question<T> question) {
        try (Connection connection = logged ? connections.reader() : connections.unchanging()) {
            return question.ask(connection);
        } catch (SQLException e) {
            if (logged && !Files.isWritable(file.resolveSibling(file.getFileName() + "-shm"))) {
                throw new StoreException.Unavailable("The log of " + file + " has changes that only a process that may"
                        + " write its folder can read (" + e.getMessage() + "): copy the files to another folder, or"
                        + " start and stop this version on it once", e);
            }
            throw errors.undone(e);
        }
    }

    @Override
    public String name() {
        return "sqlite:" + file;
    }

    @Override
    public CopySource data() {
        return data;
    }

    @Override
    public Instant now() {
        return Time.steady(Time.system(), roomsLatest).now();
    }

    @Override
    public long jobs() {
        return read(connection -> {
            try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(JOBS)) {
                return row.getLong(1);
            }
        });
    }

    @Override
    public void close() {
        closing.close();
    }
}
