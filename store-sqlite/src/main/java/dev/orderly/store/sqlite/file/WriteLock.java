package dev.orderly.store.sqlite.file;

import dev.orderly.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SQLite's lock for writing, which the writer holds between its transactions too: another program that tries to write
 * is told that the database is locked. Only in the microseconds between two transactions may it come first; then the
 * number of commits of other connections, which SQLite counts for this connection, tells it.
 */
final class WriteLock {
    private static final Logger LOG = LoggerFactory.getLogger(WriteLock.class);

    private final Path database;
    private final PreparedStatement writing;
    private final PreparedStatement version;
    private final long known;

    /** Takes the lock. Other programs' commits count from here. */
    WriteLock(Connection connection, Path database) throws SQLException {
        this.database = database;
        // Not BEGIN IMMEDIATE: the driver begins the next transaction inside its commit, where a failure would look
        // like that of the commit.
        writing = connection.prepareStatement("DELETE FROM meta WHERE 0");
        version = connection.prepareStatement("PRAGMA data_version");
        take();
        known = version();
    }

    /** Begins the next transaction as one that writes. False if another program writes for longer than 5 s. */
    boolean take() {
        try {
            writing.executeUpdate();
            return true;
        } catch (SQLException e) {
            LOG.debug("The next statement that writes has to take the lock of {}: {}", database, e.getMessage());
            return false;
        }
    }

    /** @throws StoreException.Unusable if another program has written into the database */
    void check() throws SQLException {
        if (version() != known) {
            throw new StoreException.Unusable("Another program has written into the database " + database
                    + " while it was in use: nothing more is stored, since what is known of it here may be wrong."
                    + " Let no other program write it (reading is safe), and start this process again", null);
        }
    }

    private long version() throws SQLException {
        try (ResultSet row = version.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
