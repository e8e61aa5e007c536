package dev.orderly.store.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The use of a schema, by an advisory lock of each session: every connection of an open store shares it for as long as
 * it lives, whether or not its process runs jobs, and a copy of the schema takes it alone. A call costs nothing more.
 */
public final class SchemaUse implements AutoCloseable {
    /** State of the error of a connection that a copy keeps out. */
    static final String COPIED = "OR002";

    private static final int PATIENCE_SECONDS = 5;

    private final Connection connection;
    private final String key;
    private boolean alone;

    /** @param connection of its own, which commits each statement by itself; closed with this */
    public SchemaUse(Connection connection, String schema) {
        this.connection = connection;
        this.key = key(schema);
    }

    private static String key(String schema) {
        return "hashtextextended('orderly uses " + schema + "', 1866)";
    }

    /** The statement with which a connection of a store begins; fails while the schema is copied. */
    public static String share(String schema) {
        return "DO $$ BEGIN IF NOT " + tryShare(schema) + " THEN"
                + " RAISE EXCEPTION USING ERRCODE = '" + COPIED + "', MESSAGE = 'the store is being copied';"
                + " END IF; END $$";
    }

    /** The expression by which a session of an application shares the use for a while; false while it is copied. */
    static String tryShare(String schema) {
        return "pg_try_advisory_lock_shared(" + key(schema) + ")";
    }

    /** The expression that ends such a share. */
    static String endShare(String schema) {
        return "pg_advisory_unlock_shared(" + key(schema) + ")";
    }

    /**
     * Keeps connections of stores out from now on, if there is none.
     *
     * @return the connections of others, as texts for an operator; empty if there is none, and none was possible since
     *     an earlier call that found none
     */
    public List<String> others() throws SQLException {
        if (alone) {
            return connection.isValid(PATIENCE_SECONDS)
                    ? List.of()
                    : List.of("processes that may have come in when the copy lost a connection");
        }
        alone = new Sql(connection, "SELECT CASE WHEN pg_try_advisory_lock(" + key + ") THEN 1 ELSE 0 END")
                .number() == 1;
        return alone ? List.of() : new Sql(connection, """
                SELECT count(*) || ' open connections of ' || coalesce(nullif(application_name, ''), 'an application')
                  || coalesce(' at ' || host(client_addr), '')
                FROM pg_locks JOIN pg_stat_activity ON pg_stat_activity.pid = pg_locks.pid
                WHERE locktype = 'advisory' AND objsubid = 1 AND granted
                  AND (classid::bigint << 32) | objid::bigint = %s
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                GROUP BY application_name, client_addr ORDER BY 1""".formatted(key)).list(row -> row.getString(1));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
