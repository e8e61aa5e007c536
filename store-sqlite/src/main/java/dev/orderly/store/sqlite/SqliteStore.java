package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.file.OwnerOnlyFiles;
import dev.orderly.history.HistoryStore;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.TransactionalJobs;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.live.OnlineUserTable;
import dev.orderly.room.store.RoomStore;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.BackupPort;
import dev.orderly.store.Bus;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoreLoad;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.store.sqlite.copy.SqliteCopy;
import dev.orderly.store.sqlite.file.ConnectionFactory;
import dev.orderly.store.sqlite.file.DatabaseFiles;
import dev.orderly.store.sqlite.file.FileLock;
import dev.orderly.store.sqlite.file.LockedJobsFile;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.file.SqliteErrors;
import dev.orderly.store.sqlite.file.SqliteMigrations;
import dev.orderly.store.sqlite.file.WriterConnection;
import dev.orderly.store.sqlite.port.SqliteAudit;
import dev.orderly.store.sqlite.port.SqliteBatches;
import dev.orderly.store.sqlite.port.SqliteCredentials;
import dev.orderly.store.sqlite.port.SqliteHistory;
import dev.orderly.store.sqlite.port.SqliteJobs;
import dev.orderly.store.sqlite.port.SqliteKeyValues;
import dev.orderly.store.sqlite.port.SqliteRooms;
import dev.orderly.store.sqlite.port.SqliteSchedules;
import dev.orderly.store.sqlite.state.MemoryBounds;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.view.SqliteJobFinder;
import dev.orderly.store.sqlite.view.SqliteJobViews;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.RowCounter;
import dev.orderly.store.sqlite.writer.WriteRequest;
import dev.orderly.store.sqlite.writer.Writer;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store in one SQLite file, owned by one process. It needs no installation; for several processes use the PostgreSQL
 * store.
 *
 * <p>The folder of {@code orderly.db} also has {@code orderly.db-wal} and {@code orderly.db-shm} (SQLite's own, never
 * delete them), {@code orderly.db-lock} (empty; the owner of the database holds its lock) and
 * {@code orderly.db-running} (the running jobs and the id of the database, read at the start). Other programs may read
 * the database while it is in use. They find it locked when they try to write it; if one of them does write, or copies
 * something over the file, every later call fails with {@link StoreException.Unusable}.
 *
 * <p>Acknowledged writes are durable as {@link SqliteOptions#durability} says. Claims are kept in memory and in
 * {@code orderly.db-running}; the progress of running jobs, online users, and the presence of visitors in memory only.
 * After a crash of the process the next {@link JobStore#upkeep} gives back the jobs that ran; after a power failure
 * they wait again without a counted crash, and an attempt number may be used twice. Thread-safe. A write waits up to 30
 * seconds, then fails with {@link StoreException.Unavailable} if it was not begun, or
 * {@link StoreException.OutcomeUnknown} if it was.
 */
public final class SqliteStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);
    private static final Duration CLOSING = Duration.ofSeconds(60);

    private final Path file;
    private final OpenResources closing;
    private final RequestQueue requests;
    private final Writer work;
    private final Thread writer;
    private final JobStore jobs;
    private final JobViews views;
    private final JobFinder finder;
    private final RoomStore rooms;
    private final Instant roomsLatest;
    private final ScheduleStore schedules;
    private final CredentialStore credentials;
    private final AuditStore audit;
    private final KeyValueStore values;
    private final HistoryStore history;
    private final OnlineUserStore presence;
    private final CopyPort copying;
    private final SqliteBackup backup;

    /**
     * Opens the database with the default options; creates the file and its folder if they do not exist.
     *
     * @throws StoreException.Unavailable if another process has the database open, or the file cannot be written; the
     *     message names the remedy
     * @throws StoreException.Unusable if the file has a newer version, is damaged, or belongs to another program
     */
    public static SqliteStore at(Path file) {
        return at(file, SqliteOptions.DEFAULT);
    }

    /** As {@link #at(Path)}, with options. */
    public static SqliteStore at(Path file, SqliteOptions options) {
        Objects.requireNonNull(options, "options");
        return at(file, options, Time.system());
    }

    /** @param time its monotonic clock decides which nodes are dead */
    static SqliteStore at(Path file, SqliteOptions options, Time time) {
        return at(file, options, time, MemoryBounds.ofHeap());
    }

    static SqliteStore at(Path file, SqliteOptions options, Time time, MemoryBounds bounds) {
        Path real = realPath(file);
        return open(real, new Environment(new SqliteConnections(real, options), time, bounds));
    }

    private record Environment(ConnectionFactory connector, Time time, MemoryBounds bounds) {}

    /** For tests, with connections that can fail. */
    static SqliteStore open(Path real, ConnectionFactory connector) {
        return open(real, connector, Time.system(), MemoryBounds.ofHeap());
    }

    static SqliteStore open(Path real, ConnectionFactory connector, Time time, MemoryBounds bounds) {
        return open(real, new Environment(connector, time, bounds));
    }

    private static SqliteStore open(Path real, Environment environment) {
        SqliteErrors errors = new SqliteErrors(real);
        OpenResources closing = new OpenResources();
        try {
            return new SqliteStore(real, environment, errors, closing);
        } catch (SQLException e) {
            closing.close();
            throw errors.unopened(e);
        } catch (IOException e) {
            closing.close();
            throw new StoreException.Unavailable("Cannot open " + real + " (" + e
                    + "): make the folder and the files in it writable for this user, and free disk space", e);
        } catch (RuntimeException e) {
            closing.close();
            throw e;
        } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
            closing.close();
            throw new StoreException.Unavailable("SQLite's native library cannot be loaded (" + e + "). It is unpacked"
                    + " to the temporary folder: if that is mounted noexec or full, name another with"
                    + " -Dorg.sqlite.tmpdir=FOLDER", e);
        }
    }

    private SqliteStore(Path file, Environment environment, SqliteErrors errors, OpenResources closing)
            throws SQLException, IOException {
        this.file = file;
        this.closing = closing;
        ConnectionFactory connector = environment.connector;
        presence = new OnlineUserTable(environment.time);
        closing.add(FileLock.take(file));
        DatabaseFiles files = new DatabaseFiles(file);
        Path runningFile = files.beside("-running");
        OptionalLong known = LockedJobsFile.knownSalt(runningFile);
        files.prepare(known);
        WriterConnection connection = closing.add(new WriterConnection(files, connector));
        long salt = SqliteMigrations.prepare(connection.get(), known, new SecureRandom());
        connection.settle();
        LockedJobsFile running = closing.add(LockedJobsFile.open(runningFile, salt));
        WriterState state = closing.add(WriterState.restore(connection.get(), salt, running, environment.time,
                environment.bounds, files.beside("-keys")));
        RowCounter counter = closing.add(new RowCounter(connector));
        counter.begin(state.queues);
        ReaderPool readers = closing.add(new ReaderPool(connector, connection, errors));
        requests = new RequestQueue(Time.system());
        rooms = new SqliteRooms(requests);
        roomsLatest = state.rooms.latest();
        schedules = new SqliteSchedules(requests, readers, state);
        credentials = new SqliteCredentials(requests);
        audit = new SqliteAudit(requests, readers);
        values = new SqliteKeyValues(requests);
        history = new SqliteHistory(requests, readers);
        SqliteJobViews viewed = new SqliteJobViews(state, requests, readers, counter);
        views = viewed;
        jobs = new SqliteJobs(requests, state.time, counter, new SqliteBatches(state, requests, readers, viewed));
        finder = new SqliteJobFinder(state, readers, requests);
        copying = new SqliteCopy(state, readers, requests);
        backup = closing.add(new SqliteBackup(file, connector, requests, errors, Time.system()));
        work = new Writer(requests, connection, state, errors, counter);
        writer = Thread.ofPlatform().name("orderly-sqlite-writer").daemon().start(work);
    }

    @Override
    public JobStore jobs() {
        return jobs;
    }

    @Override
    public JobViews jobViews() {
        return views;
    }

    /** Refuses: no connection of the application may write into the file. */
    @Override
    public TransactionalJobs transactionalJobs() {
        return TransactionalJobs.unsupported("one thread of one process writes " + file + " and takes no other writer");
    }

    @Override
    public JobFinder jobFinder() {
        return finder;
    }

    @Override
    public RoomStore rooms() {
        return rooms;
    }

    @Override
    public ScheduleStore schedules() {
        return schedules;
    }

    @Override
    public CredentialStore credentials() {
        return credentials;
    }

    @Override
    public AuditStore audit() {
        return audit;
    }

    @Override
    public HistoryStore history() {
        return history;
    }

    @Override
    public OnlineUserStore presence() {
        return presence;
    }

    @Override
    public Bus bus() {
        return Bus.ALONE;
    }

    @Override
    public KeyValueStore keyValues() {
        return values;
    }

    @Override
    public Time clock(Time own) {
        Objects.requireNonNull(own, "own");
        return own;
    }

    @Override
    public Time roomClock(Time own) {
        Objects.requireNonNull(own, "own");
        return Time.steady(own, roomsLatest);
    }

    @Override
    public CopyPort copying() {
        return copying;
    }

    /**
     * Writes a backup beside load: the file, and one that ends in {@code -running} and belongs to it. Both are readable
     * for their owner only. The log of the database grows by what is written meanwhile.
     */
    @Override
    public BackupPort backup() {
        return backup;
    }

    @Override
    public void checkWritable() {
        requests.ask(WriteRequest.shared(1, state -> {
            state.tables.mark();
            return () -> file;
        }));
    }

    @Override
    public StoreLoad load() {
        return new StoreLoad(null, work.load());
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("kind", "SQLite");
        facts.put("file", file.toString());
        facts.put("file size", size(file));
        facts.put("log size", size(file.resolveSibling(file.getFileName() + "-wal")));
        facts.put("last backup", backup.lastText());
        return facts;
    }

    private static String size(Path path) {
        try {
            return Files.size(path) + " bytes";
        } catch (IOException _) {
            return "unknown";
        }
    }

    @Override
    public String name() {
        return "sqlite:" + file;
    }

    @Override
    public void close() {
        requests.close(new StoreException.Unavailable("The store " + name() + " is closed", null));
        boolean interrupted = Thread.interrupted();
        try {
            if (!writer.join(CLOSING)) {
                LOG.warn("{} did not finish its requests within {}: it is left open", name(), CLOSING);
                return;
            }
        } catch (InterruptedException e) {
            interrupted = true;
            LOG.warn("Interrupted while closing {}: it is left open", name());
            return;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        closing.close();
    }

    /** The canonical path, so that two paths to a file use the same lock. */
    private static Path realPath(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        Path folder = absolute.getParent();
        if (folder == null || absolute.getFileName() == null) {
            throw new IllegalArgumentException("\"" + file + "\" is a folder: name a file for the database");
        }
        try {
            OwnerOnlyFiles.createFolders(folder);
            return Files.exists(absolute) ? absolute.toRealPath() : folder.toRealPath().resolve(absolute.getFileName());
        } catch (IOException e) {
            throw new StoreException.Unavailable("Cannot create or enter the folder " + folder + " (" + e
                    + "): name another, or make it writable for this user", e);
        }
    }
}
