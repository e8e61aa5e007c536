package dev.orderly.store.sqlite.file;

import dev.orderly.store.StoreException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection of the writer, which is opened anew when a file or the disk has failed under it. The writer owns it. */
public final class WriterConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WriterConnection.class);

    private final DatabaseFiles files;
    private final ConnectionFactory connector;
    private Connection current;
    /** How often it was opened anew: older connections of readers are not to be trusted either. */
    private final AtomicInteger renewals = new AtomicInteger();
    private boolean open = true;

    public WriterConnection(DatabaseFiles files, ConnectionFactory connector) throws SQLException {
        this.files = files;
        this.connector = connector;
        this.current = connector.writer();
    }

    public Connection get() {
        return current;
    }

    int renewals() {
        return renewals.get();
    }

    /** @throws StoreException.Unavailable if what was committed is in files that nobody will find */
    public void check() {
        files.check();
    }

    public void rollback() throws SQLException {
        try {
            current.rollback();
        } catch (SQLException e) {
            // SQLite has rolled back by itself after the worst errors, and then says that nothing is under way. The
            // driver counts on one that is.
            LOG.warn("Rolling back: {}", e.getMessage());
            try (Statement statement = current.createStatement()) {
                statement.execute("BEGIN");
            }
        }
    }

    /**
     * Opens the file again.
     *
     * @throws StoreException.Unavailable if it is not the file that was open, or its log is gone and could not be saved
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

    /** What the new connection works on is from now on what has to be there. */
    public void settle() {
        try {
            files.remember();
        } catch (IOException e) {
            throw new StoreException.Unavailable("The files of " + files.database + " cannot be looked at: " + e, e);
        }
    }

    /** Whether all that was committed is in the database itself: then the log may be lost. */
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

    /** Without the driver, which is wrong about whether one is open after the worst errors. */
    private static void endTransaction(Statement statement) {
        try {
            statement.execute("ROLLBACK");
        } catch (SQLException e) {
            LOG.debug("No transaction is open: {}", e.getMessage());
        }
    }

    private void closeCurrent() {
        open = false;
        try {
            current.close();
        } catch (SQLException e) {
            LOG.debug("Closing the failed connection: {}", e.getMessage());
        }
    }

    /** Leaves a file that needs no log. */
    @Override
    public void close() throws SQLException {
        current.rollback();
        current.setAutoCommit(true);
        try (Statement statement = current.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        }
        current.close();
    }
}
