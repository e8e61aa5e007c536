package dev.orderly.store.sqlite.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to one database file; the caller closes them. Thread-safe. */
public interface ConnectionFactory {
    /**
     * A connection that writes and leaves checkpoints to its caller. Not in auto-commit mode: a transaction is always
     * open, and takes no lock before its first statement.
     */
    Connection writer() throws SQLException;

    /** A read-only connection. Not in auto-commit mode. */
    Connection reader() throws SQLException;

    /** Whether each commit is on the disk before it is acknowledged. */
    default boolean syncsCommits() {
        return true;
    }

    /** The file of the log, to read and write. */
    default FileChannel openLog(Path log) throws IOException {
        return FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Returns when the content of the log is on the disk. */
    default void sync(FileChannel log) throws IOException {
        log.force(false);
    }
}
