package dev.orderly.store.postgres.sql;

import dev.orderly.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The check that each connection has a session of the server of its own. A pooler in transaction mode gives each
 * transaction any session, so that settings, advisory locks and LISTEN belong to nobody.
 */
public final class SessionCheck {
    /** Another client of a pooler can hide the exchange of sessions from a try. */
    private static final int TRIES = 2;

    private SessionCheck() {}

    /**
     * Runs some transactions on two connections, neither of which is in one.
     *
     * @throws StoreException.Unusable naming the remedy
     */
    public static void check(Connection one, Connection other, String name) throws SQLException {
        boolean autoCommit = other.getAutoCommit();
        other.setAutoCommit(false);
        for (int tries = 0; tries < TRIES; tries++) {
            long session = session(one);
            end(one);
            boolean isOwn = session(other) != session && session(one) == session;
            end(one);
            other.rollback();
            if (!isOwn) {
                throw new StoreException.Unusable(SqlErrors.pooled(name), null);
            }
        }
        other.setAutoCommit(autoCommit);
    }

    private static void end(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
    }

    private static long session(Connection connection) throws SQLException {
        return new Sql(connection, "SELECT pg_backend_pid()").number();
    }
}
