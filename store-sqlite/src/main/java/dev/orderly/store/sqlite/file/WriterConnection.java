package dev.orderly.store.sqlite.file;

import dev.orderly.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
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
 */
public final class WriterConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WriterConnection.class);

    private static final int FILL_MIN = 64 << 10;
    private static final int FILL_STEP_MAX = 4 << 20;
    /** About the size at which SQLite begins the log anew. */
    private static final int FILL_MAX = 16 << 20;

    private final DatabaseFiles files;
    private final ConnectionFactory connector;
    private Connection current;
    /** Number of times the connection was reopened; readers replace connections that are older. */
    private final AtomicInteger renewals = new AtomicInteger();
    private boolean open = true;
    /** The log, if this class syncs it. */
    private @Nullable FileChannel log;
    /** The end of the zeros written ahead. */
    private long filled;

    public WriterConnection(DatabaseFiles files, ConnectionFactory connector) throws SQLException {
        this.files = files;
        this.connector = connector;
        this.current = connector.writer();
    }

    public Connection get() {
        return current;
    }

    /** Commits; returns when the transaction is durable. */
    public void commit() throws SQLException {
        current.commit();
        FileChannel written = log;
        if (written != null) {
            try {
                fillAhead(written);
                connector.sync(written);
            } catch (IOException e) {
                throw new SQLiteException("Syncing the log failed: " + e, SQLiteErrorCode.SQLITE_IOERR_FSYNC);
            }
        }
    }

    /**
     * Enlarges the log by zeros once SQLite has written up to its end: the sync of a commit then need not make a new
     * size of the file durable, which takes as long again. A reader of the log stops at a frame that is zero.
     */
    private void fillAhead(FileChannel written) throws IOException {
        long size = written.size();
        if (size <= filled || size >= FILL_MAX) {
            return;
        }
        ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(Math.max(size, FILL_MIN), FILL_STEP_MAX));
        filled = size + zeros.capacity();
        try {
            for (long at = size; zeros.hasRemaining();) {
                at += written.write(zeros, at);
            }
        } catch (IOException e) {
            LOG.debug("The log is not enlarged ahead: {}", e.getMessage());
        }
    }

    int renewals() {
        return renewals.get();
    }

    /**
     * @throws StoreException.Unavailable if the open files are not at their paths any more, so that commits would be
     *     lost
     */
    public void check() {
        files.check();
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
    }

    /**
     * Opens the file again.
     *
     * @throws StoreException.Unavailable if the path leads to another file, or the log is lost and was not checkpointed
     */
    public Connection reopen() throws SQLException {
        files.checkDatabase();
        if (open) {
            if (!checkpointed()) {
                files.check();
            }
            closeCurrent();
        }
        renewals.incrementAndGet();
        current = connector.writer();
        open = true;
        return current;
    }

    /** Records the files of the new connection for later checks and for syncs. No transaction may be open. */
    public void settle() throws SQLException {
        try {
            files.remember();
            if (connector.syncsCommits() && Files.exists(files.wal)) {
                log = FileChannel.open(files.wal, StandardOpenOption.WRITE);
                filled = 0;
                connector.sync(log);
                leaveSyncsOfCommits();
            }
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

    private void closeLog() {
        FileChannel known = log;
        log = null;
        if (known != null) {
            try {
                known.close();
            } catch (IOException e) {
                LOG.debug("Closing the log: {}", e.getMessage());
            }
        }
    }

    /** Whether all commits are in the database file itself, so that the log is not needed. */
    private boolean checkpointed() {
        try (Statement statement = current.createStatement()) {
            endTransaction(statement);
            try (ResultSet row = statement.executeQuery("PRAGMA wal_checkpoint(FULL)")) {
                return row.next() && row.getInt(1) == 0 && row.getInt(2) == row.getInt(3);
            }
        } catch (SQLException e) {
            LOG.debug("No checkpoint before the file is opened anew: {}", e.getMessage());
            return false;
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

    private void closeCurrent() {
        open = false;
        closeLog();
        try {
            current.close();
        } catch (SQLException e) {
            LOG.debug("Closing the failed connection: {}", e.getMessage());
        }
    }

    /** Closes after a checkpoint, so that the database needs no log. */
    @Override
    public void close() throws SQLException {
        closeLog();
        current.rollback();
        current.setAutoCommit(true);
        try (Statement statement = current.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        }
        current.close();
    }
}
