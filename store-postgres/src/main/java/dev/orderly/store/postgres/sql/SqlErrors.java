package dev.orderly.store.postgres.sql;

import dev.orderly.store.StoreException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Meaning of PostgreSQL's errors for callers of the store. */
public final class SqlErrors {
    /** Serialization failure and deadlock: a retry may succeed. */
    private static final Set<String> PASSING = Set.of("40001", "40P01");
    /** Undefined table, column, function and schema. */
    private static final Set<String> FOREIGN = Set.of("42P01", "42703", "42883", "3F000");
    /** Statement or lock timeout. */
    private static final Set<String> SLOW = Set.of("57014", "55P03");

    /** There is a prepared statement of another session, or none: two clients share a session of the server. */
    private static final Set<String> MIXED = Set.of("42P05", "26000");
    /** Words of PgBouncer in its third mode, which has no transactions. */
    private static final String STATEMENT_MODE = "statement pooling mode";

    private static final String BLOCKED = "55P03";
    private static final String DUPLICATE_KEY = "23505";
    private static final String LIMIT = "54000";
    private static final String NO_DATABASE = "3D000";
    private static final String READ_ONLY = "25006";
    /** A word of the driver's error when none of several servers is of the wanted kind; it has no state of its own. */
    private static final String NONE_OF_KIND = "targetServerType";
    /** No connection, refused connection, closed connection. */
    private static final Set<String> UNSENT = Set.of("08001", "08003", "08004");

    private final String name;

    /** @param name name of the store, without secrets */
    public SqlErrors(String name) {
        this.name = name;
    }

    /** Error of the first calls of a store, which may show a pooler in a mode without sessions. */
    public StoreException opening(SQLException error) {
        return MIXED.contains(state(error)) || String.valueOf(root(error).getMessage()).contains(STATEMENT_MODE)
                ? new StoreException.Unusable(pooled(name), error)
                : undone(error);
    }

    /** The error of a pooler in transaction or statement mode. */
    static String pooled(String name) {
        return name + " is reached through a pooler that gives each transaction another session: set its mode for this"
                + " database and user to session (PgBouncer: pool_mode = session), or connect to the server itself";
    }

    /** Error of work that was rolled back, only read, or never arrived. */
    public StoreException undone(SQLException error) {
        String state = state(error);
        if (FOREIGN.contains(state)) {
            return new StoreException.Unusable("The tables in " + name + " are not Orderly's, or damaged ("
                    + error.getMessage() + "): use another schema or restore a backup", error);
        }
        if (READ_ONLY.equals(state)) {
            return new StoreException.Unavailable(readOnly(name), error);
        }
        if (SLOW.contains(state)) {
            return new StoreException.Unavailable("PostgreSQL at " + name + " took too long (" + error.getMessage()
                    + "): look for long transactions and load", error);
        }
        return new StoreException.Unavailable(unavailable(state, root(error)), error);
    }

    /** Error of a statement in a transaction of the caller, which the caller has to roll back. */
    public StoreException inCallersTransaction(SQLException error) {
        String state = state(error);
        if (FOREIGN.contains(state)) {
            return new StoreException.Unusable("The connection of your transaction does not reach the tables in " + name
                    + " (" + error.getMessage() + "): use a connection to that database, as a user with write access to"
                    + " the schema", error);
        }
        String remedy = PASSING.contains(state) || SLOW.contains(state)
                ? ": another transaction held the group or used the same key; roll back, and repeat the transaction"
                : ": roll back, and repeat the transaction";
        return new StoreException.Unavailable(
                "Your transaction on " + name + " failed (" + error.getMessage() + ")" + remedy, error);
    }

    private String unavailable(String state, Throwable cause) {
        if (state.startsWith("28")) {
            return "PostgreSQL at " + name + " refuses the user or the password (" + cause.getMessage()
                    + "): correct them in store or ORDERLY_STORE, or create the user";
        }
        if (state.equals(NO_DATABASE)) {
            return "PostgreSQL at " + name + " has no such database (" + cause.getMessage()
                    + "): create it, or correct its name";
        }
        String refusal = cause instanceof SQLException refused ? refusal(refused) : null;
        if (refusal != null) {
            return refusal;
        }
        return cause instanceof IOException
                ? "No PostgreSQL answers at " + name + " (" + cause.getMessage()
                        + "): start the server, or correct host and port"
                : "PostgreSQL at " + name + " failed: " + cause.getMessage();
    }

    /** What keeps a connection from beginning; null for an error of another kind. */
    private @Nullable String refusal(SQLException cause) {
        return switch (state(cause)) {
            case SchemaUse.COPIED -> "PostgreSQL at " + name + " is being copied to another store, so that what is"
                    + " pushed here would be missing there: stop this process, and start it with the new store, or when"
                    + " the copy has ended";
            case SessionStart.STANDBY -> "PostgreSQL at " + name + " is a standby, which takes no writes: use the"
                    + " address of the primary, or name all servers (HOST:PORT,HOST:PORT), or promote this one";
            case SessionStart.HUNG -> "PostgreSQL at " + name + " commits nothing, since no synchronous standby"
                    + " acknowledges: start the standby, or take it out of synchronous_standby_names";
            default -> String.valueOf(cause.getMessage()).contains(NONE_OF_KIND)
                    ? "No server of PostgreSQL at " + name + " takes writes: each that answers is a standby or"
                            + " read-only, or refuses the user or the password; promote one, or correct the address"
                    : null;
        };
    }

    /** The error of a server or session without writes. */
    public static String readOnly(String name) {
        return "PostgreSQL at " + name + " takes no writes: its transactions are read-only"
                + " (default_transaction_read_only), as services set it when a disk is full, or it is a standby";
    }

    /** The first cause of database or network: a pool reports only that it waited in vain. */
    private static Throwable root(SQLException error) {
        Throwable first = error;
        for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException || cause instanceof IOException) {
                first = cause;
            }
        }
        return first;
    }

    /** Error of a failed commit: unless the server itself refused it, the commit may have happened. */
    public StoreException afterCommit(SQLException error) {
        return refusedByServer(error)
                ? undone(error)
                : new StoreException.OutcomeUnknown("The connection to " + name + " failed in the middle of a commit: "
                        + error.getMessage(), error);
    }

    /**
     * Error of a statement that commits by itself. An error that the server reports came before its commit, since a
     * session that has committed answers first, also when it is being terminated; and a closed connection sent nothing.
     * Without a report from the server the commit may have happened.
     */
    StoreException afterStatement(SQLException error) {
        String state = state(error);
        boolean before = UNSENT.contains(state) || state.startsWith("57");
        return before ? undone(error) : afterCommit(error);
    }

    /** Whether an immediate retry may succeed. */
    static boolean isPassing(SQLException error) {
        return PASSING.contains(state(error));
    }

    /** Whether a row with the same key was inserted meanwhile. */
    public static boolean isDuplicateKey(SQLException error) {
        return DUPLICATE_KEY.equals(state(error));
    }

    /**
     * Whether a limit of the server refused the statement or its commit. A full queue of notifications, which all
     * databases of the server share, is such a limit.
     */
    public static boolean isLimit(SQLException error) {
        return LIMIT.equals(state(error));
    }

    /** Whether a lock of another transaction outlasted the lock timeout. */
    static boolean isBlocked(SQLException error) {
        return BLOCKED.equals(state(error));
    }

    /** Classes 08 (connection), 57 (shutdown, cancellation), 58 (system), XX (internal) and no state are no refusal. */
    private static boolean refusedByServer(SQLException error) {
        String state = state(error);
        return !state.isEmpty() && !state.startsWith("08") && !state.startsWith("57") && !state.startsWith("58")
                && !state.startsWith("XX");
    }

    private static String state(SQLException error) {
        @Nullable
        String state = error.getSQLState();
        return state == null ? "" : state;
    }
}
