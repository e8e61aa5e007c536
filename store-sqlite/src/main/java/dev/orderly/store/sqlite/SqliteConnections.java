package dev.orderly.store.sqlite;

import dev.orderly.store.sqlite.file.ConnectionFactory;
import dev.orderly.store.sqlite.file.DriverLibrary;
import dev.orderly.store.sqlite.file.WriteAheadLog;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConfig.TempStore;
import org.sqlite.SQLiteOpenMode;

/** Connections to the database file: one writer, and read-only connections. */
record SqliteConnections(Path file, SqliteOptions options) implements ConnectionFactory {
    private static final int BUSY_MILLIS = 5_000;
    private static final int READER_CACHE_KIB = 8 * 1_024;

    @Override
    public Connection writer() throws SQLException {
        SQLiteConfig config = config();
        config.setJournalMode(JournalMode.WAL);
        config.setSynchronous(switch (options.durability()) {
            case FULL -> SynchronousMode.FULL;
            case NORMAL -> SynchronousMode.NORMAL;
        });
        config.setCacheSize(-options.cacheMegabytes() * 1_024);
        Connection connection = config.createConnection(url());
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_autocheckpoint = 0");
            statement.execute("PRAGMA journal_size_limit = " + WriteAheadLog.SIZE);
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Connection reader() throws SQLException {
        return reader(url());
    }

    /**
     * A read-only connection that needs no file beside the database: for a database without a log, which nobody writes
     * meanwhile.
     */
    Connection unchanging() throws SQLException {
        return reader("jdbc:sqlite:" + file.toUri().toString().replaceFirst("^file:/*", "file:/") + "?immutable=1");
    }

    private static Connection reader(String url) throws SQLException {
        SQLiteConfig config = config();
        config.setReadOnly(true);
        config.setCacheSize(-READER_CACHE_KIB);
        Connection connection = config.createConnection(url);
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public boolean syncsCommits() {
        return options.durability() == Durability.FULL;
    }

    private static SQLiteConfig config() {
        DriverLibrary.load();
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_MILLIS);
        config.setTempStore(TempStore.MEMORY);
        // A connection is used by one thread at a time, so SQLite need not lock it for each call.
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        config.resetOpenMode(SQLiteOpenMode.FULLMUTEX);
        return config;
    }

    private String url() {
        return "jdbc:sqlite:" + file;
    }
}
