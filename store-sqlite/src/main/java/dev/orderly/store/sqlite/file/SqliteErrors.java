package dev.orderly.store.sqlite.file;

import dev.orderly.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Maps errors of SQLite to store exceptions. */
public final class SqliteErrors {
    private static final int PRIMARY = 0xFF;

    private final Path file;

    public SqliteErrors(Path file) {
        this.file = file;
    }

    /** The exception for a file that cannot be opened. */
    public StoreException unopened(SQLException error) {
        return isDamage(error)
                ? new StoreException.Unusable("The file " + file + " is damaged or not a SQLite database ("
                        + error.getMessage() + "): restore a backup, or use another file", error)
                : undone(error);
    }

    /**
     * The exception for work that was rolled back, or that only read. Apparent damage may be a transient disk failure.
     */
    public StoreException undone(SQLException error) {
        return switch (primary(error)) {
            case SQLITE_CORRUPT, SQLITE_NOTADB -> new StoreException.Unavailable("Reading " + file + " failed ("
                    + error.getMessage() + "): check the disk; if that stays so, restore a backup", error);
            case SQLITE_FULL -> new StoreException.Unavailable("No room for " + file
                    + ": the disk or the database's page limit is full; free space and try again", error);
            case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM -> new StoreException.Unavailable("Cannot open or write "
                    + file + " (" + error.getMessage() + "): make the file and its folder writable for this user",
                    error);
            default -> new StoreException.Unavailable("SQLite failed on " + file + ": " + error.getMessage(), error);
        };
    }

    /** The exception for a commit that failed and was then rolled back. */
    public StoreException afterCommit(SQLException error) {
        if (isIo(error)) {
            // The commit record may be in the log although its sync failed: a restart may recover it.
            return new StoreException.OutcomeUnknown("Writing " + file + " failed in the middle of a commit: "
                    + error.getMessage() + "; check the disk", error);
        }
        return undone(error);
    }

    private static boolean isIo(SQLException error) {
        return primary(error) == SQLiteErrorCode.SQLITE_IOERR;
    }

    private static boolean isDamage(SQLException error) {
        SQLiteErrorCode code = primary(error);
        return code == SQLiteErrorCode.SQLITE_CORRUPT || code == SQLiteErrorCode.SQLITE_NOTADB;
    }

    /** Whether the error makes the connection unusable; a new connection may work. */
    public static boolean isOfFile(SQLException error) {
        return switch (primary(error)) {
            case SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CANTOPEN, SQLITE_PROTOCOL, SQLITE_NOMEM,
                    SQLITE_MISUSE, SQLITE_READONLY ->
                true;
            default -> false;
        };
    }

    private static SQLiteErrorCode primary(SQLException error) {
        return error instanceof SQLiteException sqlite
                ? SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & PRIMARY)
                : SQLiteErrorCode.UNKNOWN_ERROR;
    }
}
