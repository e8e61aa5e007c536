package dev.orderly.store.sqlite.file;

import dev.orderly.store.StoreException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The connection of the writer, reopened after a failure of the disk or the files. The writer owns it.
 *
 * <p>With full durability this class syncs the log after each commit, in place of SQLite. The driver's SQLite is built
 * without {@code fdatasync}: its {@code fsync} also writes the moment of the change, which takes a second write of the
 * disk for each commit. All other syncs, of checkpoints, are SQLite's own.
 *
 * <p>Checkpoints run only here, so that every other change of the database file is known for another program's.
 */
public final class WriterConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WriterConnection.class);

    private final DatabaseFiles files;
    private final ConnectionFactory connector;
    private Connection current;
    /** Number of times the connection was reopened; readers replace connections that are older. */
    private final AtomicInteger renewals = new AtomicInteger();
    private @Nullable WriteAheadLog log;
    private @Nullable WriteLock lock;
    /** Whether the log that is read is the one on the disk, and belongs to the database file: a checkpoint may run. */
    private boolean sound = true;

    public WriterConnection(DatabaseFiles files, ConnectionFactory connector) throws SQLException {
        this.files = files;
        this.connector = connector;
        this.current = connector.writer();
    }

    public Connection get() {
        return current;
    }

    /** Commits; returns when the transaction is durable. It counts only if a {@link #check} passes afterwards. */
    public void commit() throws SQLException {
        sound = false;
        current.commit();
        boolean locked = takeLock();
        WriteAheadLog written = log;
        if (written != null && connector.syncsCommits()) {
            try {
                if (locked) {
                    written.fillAhead();
                }
                connector.sync(written.file());
            } catch (IOException e) {
                throw new SQLiteException("Syncing the log failed: " + e, SQLiteErrorCode.SQLITE_IOERR_FSYNC);
            }
        }
        sound = true;
    }

    private boolean takeLock() {
        return lock != null && lock.take();
    }

    int renewals() {
        return renewals.get();
    }

    /** As {@link DatabaseFiles#checkNames}. Called on any thread. */
    void checkNames() {
        files.checkNames();
    }

    /**
     * Whether what was committed is what the next process will find.
     *
     * @throws StoreException.Unavailable if the open files are not at their paths any more, so that commits would be
     *     lost
     * @throws StoreException.Unusable if another program has written into the database
     */
    public void check() throws SQLException {
        checkCommits();
        checkContent();
        files.checkLog();
    }

    private void checkCommits() throws SQLException {
        try {
            if (lock != null) {
                lock.check();
            }
        } catch (StoreException.Unusable e) {
            // Checkpoints of a program that commits by SQLite leave log and database file as good as ours.
            files.forgetContent();
            throw e;
        }
    }

    private void checkContent() {
        try {
            files.checkContent();
        } catch (StoreException e) {
            sound = false;
            throw e;
        }
    }

    public void rollback() throws SQLException {
        try {
            current.rollback();
        } catch (SQLException e) {
            // After severe errors SQLite has rolled back itself and reports that no transaction is open. The driver
            // expects an open transaction.
            LOG.warn("Rolling back: {}", e.getMessage());
            try (Statement statement = current.createStatement()) {
                statement.execute("BEGIN");
            }
        }
        takeLock();
    }

    /** Whether the log is as long as it may become. Known from the last {@link #check}. */
    public boolean isCheckpointDue() {
        return files.logSize() > WriteAheadLog.SIZE;
    }

    /** Moves the log into the database file, as far as readers allow. Between two transactions. */
    public void checkpoint() throws SQLException {
        sound = false;
        try (Statement statement = current.createStatement()) {
            endTransaction(statement);
            checkpoint(statement, "PASSIVE");
            statement.execute("BEGIN");
        }
        sound = true;
        takeLock();
    }

    /**
     * Opens the file again.
     *
     * @throws StoreException.Unavailable if the path leads to another file, or the log is lost and could not be moved
     *     into the database, or another program that reads keeps it from that
     * @throws StoreException.Unusable if the log is damaged, or another program has written the database file
     */
    public Connection reopen() throws SQLException {
        sound = false;
        checkContent();
        if (!isBegunAnew()) {
            files.checkNames();
        }
        Connection failed = current;
        current = connector.writer();
        renewals.incrementAndGet();
        // Not before the next connection is open: closing the last one would write the log into the database.
        close(failed);
        settle();
        return current;
    }

    /** Begins the log anew on the failed connection: the only one that has a log which was deleted. */
    private boolean isBegunAnew() {
        if (log == null) {
            return false;
        }
        try {
            beginAnew(log);
            return true;
        } catch (SQLException | IOException e) {
            LOG.debug("The log is not begun anew before the file is opened again: {}", e.getMessage());
            return false;
        }
    }

    /**
     * Makes the database this connection's: begins the log anew, keeps other writers out, records the files for later
     * checks. No transaction may be open.
     */
    public void settle() throws SQLException {
        sound = false;
        closeLog();
        try {
            files.remember();
            WriteAheadLog opened = new WriteAheadLog(connector.openLog(files.wal));
            log = opened;
            beginAnew(opened);
            if (connector.syncsCommits()) {
                leaveSyncsOfCommits();
            }
            lock = new WriteLock(current, files.database);
            sound = true;
        } catch (IOException e) {
            throw new StoreException.Unavailable("The files of " + files.database + " cannot be read: " + e, e);
        }
    }

    /** Until here, SQLite itself has synced each commit. It ignores the setting inside a transaction. */
    private void leaveSyncsOfCommits() throws SQLException {
        current.setAutoCommit(true);
        try (Statement statement = current.createStatement()) {
            statement.execute("PRAGMA synchronous = NORMAL");
        }
        current.setAutoCommit(false);
    }

    /**
     * Moves the whole log into the database file, and empties it. After a failed sync, of this process or the one
     * before, the log that is read may not be the log on the disk: Linux marks pages that it failed to write as clean,
     * so that the next sync succeeds without them.
     * <ol>
     * <li>Every frame is read and written back, then synced: from here cache and disk agree. Frames that were on the
     * disk keep their bytes, whatever is torn.
     * <li>The chain of checksums must reach the last frame that SQLite counts. Where the system reads lost pages from
     * the disk again (btrfs), it does not, and the process ends: SQLite verifies frames in a recovery only, and would
     * copy rubbish into the database.
     * <li>Only now the checkpoint: before, a power failure in its middle would leave a database that no log repairs.
     * <li>The log is emptied, for a disk that failed once at this place.
     * </ol>
     */
    private void beginAnew(WriteAheadLog written) throws SQLException, IOException {
        try (Statement statement = current.createStatement()) {
            endTransaction(statement);
            int frames = checkpoint(statement, "NOOP").frames;
            if (frames > 0) {
                statement.execute("BEGIN IMMEDIATE");
                int whole = written.rewrite(frames);
                connector.sync(written.file());
                endTransaction(statement);
                refuseDamage(whole, frames);
            }
            if (checkpoint(statement, "TRUNCATE").busy) {
                throw new StoreException.Unavailable("Another program reads " + files.database
                        + " and keeps its log from being begun anew, which a failed or unknown sync makes necessary:"
                        + " nothing is written until that program has ended its transaction", null);
            }
            statement.execute("BEGIN");
        }
    }

    private void refuseDamage(int whole, int frames) {
        if (whole < frames) {
            throw new StoreException.Unusable("Of " + frames + " pages in " + files.wal + " only the first " + whole
                    + " are whole, after a failed sync or because another program cut the file: start this process"
                    + " again, it goes on with the transactions that are whole", null);
        }
    }

    /**
     * The answer of a checkpoint.
     *
     * @param busy whether other connections kept it from ending
     * @param frames frames in the log
     */
    private record Checkpoint(boolean busy, int frames) {}

    private Checkpoint checkpoint(Statement statement, String mode) throws SQLException {
        checkContent();
        try (ResultSet row = statement.executeQuery("PRAGMA wal_checkpoint(" + mode + ")")) {
            row.next();
            return new Checkpoint(row.getInt(1) != 0, row.getInt(2));
        } finally {
            files.written();
        }
    }

    /** Rolls back by SQL, since after severe errors the driver does not know whether a transaction is open. */
    private static void endTransaction(Statement statement) {
        try {
            statement.execute("ROLLBACK");
        } catch (SQLException e) {
            LOG.debug("No transaction is open: {}", e.getMessage());
        }
    }

    private void closeLog() {
        WriteAheadLog known = log;
        log = null;
        if (known != null) {
            try {
                known.close();
            } catch (IOException e) {
                LOG.debug("Closing the log: {}", e.getMessage());
            }
        }
    }

    private static void close(Connection failed) {
        try {
            failed.close();
        } catch (SQLException e) {
            LOG.debug("Closing the failed connection: {}", e.getMessage());
        }
    }

    /** Ends the use of the database for good: readers are refused with this reason too. */
    public void abandon(StoreException.Unusable reason) {
        files.refuse(reason);
        renewals.incrementAndGet();
        try (Statement statement = current.createStatement()) {
            endTransaction(statement);
        } catch (SQLException e) {
            LOG.debug("Releasing the lock: {}", e.getMessage());
        }
    }

    /**
     * Closes after a checkpoint, so that the database needs no log. If no checkpoint may run, the connection stays open
     * to the end of the process: SQLite's own close would run one.
     */
    @Override
    public void close() throws SQLException {
        closeLog();
        if (isSound()) {
            try (Statement statement = current.createStatement()) {
                endTransaction(statement);
                statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
            }
            current.close();
        }
    }

    private boolean isSound() {
        try {
            checkContent();
        } catch (StoreException e) {
            LOG.error("{}", e.getMessage());
        }
        return sound;
    }
}
