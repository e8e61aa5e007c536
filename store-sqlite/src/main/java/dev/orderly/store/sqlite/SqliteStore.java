package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.live.OnlineUserTable;
import dev.orderly.room.store.RoomStore;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.Bus;
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.file.ConnectionFactory;
import dev.orderly.store.sqlite.file.DatabaseFiles;
import dev.orderly.store.sqlite.file.FileLock;
import dev.orderly.store.sqlite.file.FilePermissions;
import dev.orderly.store.sqlite.file.LockedJobsFile;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.file.SchemaMigration;
import dev.orderly.store.sqlite.file.SqliteErrors;
import dev.orderly.store.sqlite.file.WriterConnection;
import dev.orderly.store.sqlite.port.SqliteJobs;
import dev.orderly.store.sqlite.port.SqliteRooms;
import dev.orderly.store.sqlite.port.SqliteSchedules;
import dev.orderly.store.sqlite.state.WriterState;
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
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything in one SQLite file, owned by one process. Nothing to install; for many processes use the PostgreSQL store.
 *
 * <p>Beside {@code orderly.db} stand {@code orderly.db-wal} and {@code orderly.db-shm} (SQLite's own, never delete
 * them), {@code orderly.db-lock} (empty; says who owns the file while locked) and {@code orderly.db-running} (what runs
 * now and which database this is, read at the start). The file may be read with any SQLite tool meanwhile, but not written.
 *
 * <p>Durable when acknowledged, as {@link SqliteOptions#durability} says. Claims and progress are in memory: after a
 * crash of the process the jobs that ran are given back by the next {@link JobStore#upkeep}; after a power failure they
 * simply wait again, and an attempt number may be used twice. Thread-safe. A call waits up to 30 seconds, then fails
 * with {@link StoreException.Unavailable} if it had not begun.
 */
public final class SqliteStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);
    private static final Duration CLOSING = Duration.ofSeconds(60);

    private final Path file;
    private final OpenResources closing;
    private final RequestQueue mailbox;
    private final Thread writer;
    private final JobStore jobs;
    private final JobViews views;
    private final RoomStore rooms;
    private final Instant roomsLatest;
    private final ScheduleStore schedules;
    private final OnlineUserStore presence;

    /**
     * Opens the database with the default options; makes the file and its folder if there are none.
     *
     * @throws StoreException.Unavailable if another process has it open, or the file cannot be written; the message
     *     says what to do
     * @throws StoreException.Unusable if the file is of a newer version, damaged, or not Orderly's
     */
    public static SqliteStore at(Path file) {
        return at(file, SqliteOptions.DEFAULT);
    }

    /** As {@link #at(Path)}, with options. */
    public static SqliteStore at(Path file, SqliteOptions options) {
        return at(file, options, Time.system());
    }

    /** @param time by whose monotonic clock nodes are judged */
    static SqliteStore at(Path file, SqliteOptions options, Time time) {
        Path real = realPath(file);
        return open(real, new SqliteConnections(real, options), time);
    }

    /** For tests, with connections that fail. */
    static SqliteStore open(Path real, ConnectionFactory connector) {
        return open(real, connector, Time.system());
    }

    private static SqliteStore open(Path real, ConnectionFactory connector, Time time) {
        SqliteErrors errors = new SqliteErrors(real);
        OpenResources closing = new OpenResources();
        try {
            return new SqliteStore(real, connector, errors, closing, time);
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

    private SqliteStore(Path file, ConnectionFactory connector, SqliteErrors errors, OpenResources closing, Time time)
            throws SQLException, IOException {
        this.file = file;
        this.closing = closing;
        presence = new OnlineUserTable(time);
        closing.add(FileLock.take(file));
        DatabaseFiles files = new DatabaseFiles(file);
        Path runningFile = files.beside("-running");
        OptionalLong known = LockedJobsFile.knownSalt(runningFile);
        files.prepare(known);
        WriterConnection connection = closing.add(new WriterConnection(files, connector));
        long salt = SchemaMigration.prepare(connection.get(), known, new SecureRandom());
        LockedJobsFile running = closing.add(LockedJobsFile.open(runningFile, salt));
        WriterState desk = WriterState.restore(connection.get(), salt, running, time);
        RowCounter counting = closing.add(new RowCounter(connector));
        counting.begin(desk.lines);
        files.remember();
        ReaderPool readers = closing.add(new ReaderPool(connector, connection, errors));
        mailbox = new RequestQueue(Time.system());
        jobs = new SqliteJobs(mailbox, desk.time);
        rooms = new SqliteRooms(mailbox);
        roomsLatest = desk.rooms.latest();
        schedules = new SqliteSchedules(mailbox, readers, desk);
        views = new SqliteJobViews(desk, readers, counting);
        writer = Thread.ofPlatform().name("orderly-sqlite-writer").daemon()
                .start(new Writer(mailbox, connection, desk, errors, counting));
    }

    @Override
    public JobStore jobs() {
        return jobs;
    }

    @Override
    public JobViews jobViews() {
        return views;
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
    public OnlineUserStore presence() {
        return presence;
    }

    @Override
    public Bus bus() {
        return Bus.ALONE;
    }

    @Override
    public Time clock(Time own) {
        return own;
    }

    @Override
    public Time roomClock(Time own) {
        return Time.steady(own, roomsLatest);
    }

    @Override
    public void checkWritable() {
        mailbox.ask(WriteRequest.shared(1, desk -> {
            desk.tables.mark();
            return () -> file;
        }));
    }

    @Override
    public String name() {
        return "sqlite:" + file;
    }

    @Override
    public void close() {
        mailbox.close(new StoreException.Unavailable("The store " + name() + " is closed", null));
        boolean interrupted = Thread.interrupted();
        try {
            if (!writer.join(CLOSING)) {
                LOG.warn("{} does not finish within {}; leaving it as it is", name(), CLOSING);
                return;
            }
        } catch (InterruptedException e) {
            interrupted = true;
            LOG.warn("Interrupted while closing {}; leaving it as it is", name());
            return;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        closing.close();
    }

    /** One name for one file, so that two ways to it meet at the same lock. */
    private static Path realPath(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        Path folder = absolute.getParent();
        if (folder == null || absolute.getFileName() == null) {
            throw new IllegalArgumentException("\"" + file + "\" is a folder: name a file for the database");
        }
        try {
            FilePermissions.createFolders(folder);
            return Files.exists(absolute) ? absolute.toRealPath() : folder.toRealPath().resolve(absolute.getFileName());
        } catch (IOException e) {
            throw new StoreException.Unavailable("Cannot make or enter the folder " + folder + " (" + e
                    + "): name another, or make it writable for this user", e);
        }
    }
}
