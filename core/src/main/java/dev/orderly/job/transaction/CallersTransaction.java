package dev.orderly.job.transaction;

import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * A transaction that the application has begun on the database of the store, and that it commits or rolls back itself.
 */
public sealed interface CallersTransaction {
    /** The transaction of a connection whose statements do not commit by themselves. */
    record OnConnection(Connection connection) implements CallersTransaction {
        public OnConnection {
            Objects.requireNonNull(connection, "connection");
        }
    }

    /**
     * The transaction that is open on the calling thread, as far as the data source binds connections to it: each
     * connection that it hands out there is the same session, and closing it ends nothing. Spring's
     * {@code TransactionAwareDataSourceProxy} is such a data source; a plain pool is not, and is refused.
     */
    record OfDataSource(DataSource dataSource) implements CallersTransaction {
        public OfDataSource {
            Objects.requireNonNull(dataSource, "dataSource");
        }
    }
}
