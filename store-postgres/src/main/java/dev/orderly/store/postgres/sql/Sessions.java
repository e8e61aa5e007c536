package dev.orderly.store.postgres.sql;

import dev.orderly.store.StoreLoad;
import java.sql.Connection;
import java.sql.SQLException;

/** The sessions on which the transactions of a store run, with the settings of the store. Thread-safe. */
public interface Sessions extends AutoCloseable {
    /** A session in the hands of one transaction; its close gives it back, and never fails. */
    interface Session extends AutoCloseable {
        /** Without autocommit. */
        Connection connection();

        /** Ends the session, in place of giving it back for another transaction. */
        void discard();

        @Override
        void close();
    }

    Session open() throws SQLException;

    /** The use of the sessions at this moment. */
    StoreLoad load();

    @Override
    void close();
}
