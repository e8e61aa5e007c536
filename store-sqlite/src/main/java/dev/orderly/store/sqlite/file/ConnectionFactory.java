package dev.orderly.store.sqlite.file;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to one database file; the caller closes them. Thread-safe. */
public interface ConnectionFactory {
    /** To write. Not in auto-commit mode: a transaction is open at all times, and takes no lock before its first statement. */
    Connection writer() throws SQLException;

    /** To read only. Not in auto-commit mode. */
    Connection reader() throws SQLException;
}
