package dev.orderly.store.postgres.sql;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.orderly.store.StoreLoad;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions of a pool of the store's own.
 *
 * @param pool of connections without autocommit that have the settings of the store; closed with this
 */
public record OwnSessions(HikariDataSource pool) implements Sessions {
    private static final Logger LOG = LoggerFactory.getLogger(OwnSessions.class);

    /** A connection of the pool. */
    private record OfPool(Connection connection, HikariDataSource pool) implements Session {
        @Override
        public void discard() {
            pool.evictConnection(connection);
        }

        @Override
        public void close() {
            try {
                connection.close();
            } catch (SQLException error) {
                LOG.debug("A connection was lost: {}", error.getMessage());
            }
        }
    }

    @Override
    public Session open() throws SQLException {
        return new OfPool(pool.getConnection(), pool);
    }

    @Override
    public StoreLoad load() {
        HikariPoolMXBean now = pool.getHikariPoolMXBean();
        return now == null
                ? StoreLoad.NONE
                : new StoreLoad(new StoreLoad.Pool(now.getActiveConnections(), now.getIdleConnections(),
                        now.getThreadsAwaitingConnection()), null);
    }

    @Override
    public void close() {
        pool.close();
    }
}
