package dev.orderly.store.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.postgresql.PGConnection;

/**
 * The run of the server to which each session leads: the time since the server started, or recovered from a crash. One
 * run loses nothing that it has committed, while another may be that of a standby that lacks the last transactions, of
 * a restored backup, or of a server that crashed with {@code synchronous_commit} off. A server becomes a standby only
 * by a restart, so a promotion needs no part in this. Asks the server once for each physical session. Thread-safe.
 */
public final class ServerRuns {
    /** After a crash of one of its processes the server goes on without a new start, and loses its statistics. */
    private static final String RUN = "SELECT pg_postmaster_start_time()::text || ' '"
            + " || coalesce(pg_stat_get_bgwriter_stat_reset_time()::text, '')";

    private final Map<PGConnection, String> runs = Collections.synchronizedMap(new WeakHashMap<>());

    /** The run, as a text to be compared. */
    public String of(Connection connection) throws SQLException {
        PGConnection session = connection.unwrap(PGConnection.class);
        String known = runs.get(session);
        if (known != null) {
            return known;
        }
        String run = new Sql(connection, RUN).list(row -> row.getString(1)).getFirst();
        runs.put(session, run);
        return run;
    }
}
