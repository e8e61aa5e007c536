package dev.orderly.store.sqlite;

import dev.orderly.store.StoreException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The count of all jobs that is under way, or the last one; begun anew when it failed or the file was opened anew. */
final class Counting implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Counting.class);

    private final Connector connector;
    private volatile @Nullable FirstCount current;

    Counting(Connector connector) {
        this.connector = connector;
    }

    /** Begins to count what is in the file. For the writer, between two transactions. */
    void begin(Lines lines) throws SQLException {
        close();
        FirstCount next = new FirstCount(connector.reader(), lines);
        current = next;
        Thread.ofPlatform().name("orderly-sqlite-count").daemon().start(next);
    }

    /** Begins again if counting failed. For the writer, between two transactions. */
    void mend(Lines lines) {
        FirstCount count = current;
        if (count != null && count.failed()) {
            try {
                begin(lines);
            } catch (SQLException e) {
                LOG.debug("Counting cannot begin again yet: {}", e.getMessage());
            }
        }
    }

    /** Waits until the counts are right. */
    void await() {
        FirstCount count = current;
        if (count == null) {
            throw new StoreException.Unavailable("The jobs of each queue are not counted yet; try again", null);
        }
        count.await();
    }

    @Override
    public void close() {
        FirstCount count = current;
        if (count != null) {
            count.close();
        }
    }
}
