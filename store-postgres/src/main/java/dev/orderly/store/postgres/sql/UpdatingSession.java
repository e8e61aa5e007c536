package dev.orderly.store.postgres.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Which session of the server updates a schema, and how far it is: the holder of an advisory lock, whose application
 * name says what it does. A session of another database user shows its number only.
 *
 * @param pid the number of the session
 * @param text for the log
 */
record UpdatingSession(int pid, String text) {
    private static final int NAME_BYTES = 63;
    private static final String FIND = """
            SELECT held.pid, coalesce(host(activity.client_addr), 'the server''s machine'),
              activity.application_name, building.phase,
              CASE WHEN building.blocks_total > 0 THEN 100 * building.blocks_done / building.blocks_total
                WHEN building.tuples_total > 0 THEN 100 * building.tuples_done / building.tuples_total END,
              nullif(building.current_locker_pid, 0)
            FROM pg_locks AS held JOIN pg_stat_activity AS activity ON activity.pid = held.pid
              LEFT JOIN pg_stat_progress_create_index AS building ON building.pid = held.pid
            WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 1
              AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
              AND (held.classid::bigint << 32) | held.objid::bigint = hashtextextended(?, 1866)""";

    /** The application name of a session that does this: what fits into a name. */
    static String name(String doing) {
        String name = "orderly update: " + doing;
        return name.substring(0, Math.min(NAME_BYTES, name.length()));
    }

    /** @param lock the text of the advisory lock's key; null if nobody holds it */
    static @Nullable UpdatingSession of(Connection connection, String lock) throws SQLException {
        return new Sql(connection, FIND).with(lock).first(UpdatingSession::read);
    }

    private static UpdatingSession read(ResultSet row) throws SQLException {
        StringBuilder text = new StringBuilder("session ").append(row.getInt(1)).append(" from ")
                .append(row.getString(2));
        String name = row.getString(3);
        if (name != null) {
            text.append(", ").append(name);
        }
        String phase = row.getString(4);
        if (phase != null) {
            text.append(", ").append(phase);
        }
        String percent = row.getString(5);
        if (percent != null) {
            text.append(", ").append(percent).append(" %");
        }
        String awaited = row.getString(6);
        if (awaited != null) {
            text.append(", for the end of a transaction of session ").append(awaited);
        }
        return new UpdatingSession(row.getInt(1), text.toString());
    }
}
