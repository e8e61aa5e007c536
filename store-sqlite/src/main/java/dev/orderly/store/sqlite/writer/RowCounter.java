package dev.orderly.store.sqlite.writer;

import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.file.ConnectionFactory;
import dev.orderly.store.sqlite.state.QueueIndexes;
import dev.orderly.store.sqlite.table.StoredJob;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The count of all jobs that is under way, or the last one; begun anew when it failed or the file was opened anew. */
public final class RowCounter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RowCounter.class);
    private static final int PATIENCE_SECONDS = 30;

    private final ConnectionFactory connector;
    private volatile @Nullable Count current;

    public RowCounter(ConnectionFactory connector) {
        this.connector = connector;
    }

    /** Begins to count what is in the file. For the writer, between two transactions. */
    public void begin(QueueIndexes lines) throws SQLException {
        close();
        Count next = new Count(connector.reader(), lines);
        current = next;
        Thread.ofPlatform().name("orderly-sqlite-count").daemon().start(next);
    }

    /** Begins again if counting failed. For the writer, between two transactions. */
    void mend(QueueIndexes lines) {
        Count count = current;
        if (count != null && count.failure != null) {
            try {
                begin(lines);
            } catch (SQLException e) {
                LOG.debug("Counting cannot begin again yet: {}", e.getMessage());
            }
        }
    }

    /** Waits until the counts are right. */
    public void await() {
        Count count = current;
        try {
            if (count == null || !count.done.await(PATIENCE_SECONDS, TimeUnit.SECONDS) || count.failure != null) {
                throw new StoreException.Unavailable("The jobs of each queue are not counted yet; try again",
                        count == null ? null : count.failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException.Unavailable("The calling thread was interrupted while it waited to read", e);
        }
    }

    @Override
    public void close() {
        Count count = current;
        if (count != null) {
            count.close();
        }
    }

    /**
     * Counts what the file held when it was opened, from indexes alone, while the writer works already: the snapshot it
     * reads is taken before the writer's first change, and the writer counts from there.
     */
    private static final class Count implements Runnable, AutoCloseable {
        private final Connection connection;
        private final QueueIndexes lines;
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable SQLException failure;

        /** Takes the snapshot. From here on the writer counts only what it changes. */
        Count(Connection connection, QueueIndexes lines) throws SQLException {
            this.lines = lines;
            this.connection = connection;
            lines.all().forEach(line -> line.counts().forget());
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT value FROM meta LIMIT 1")) {
                rows.next();
            }
        }

        @Override
        public void run() {
            try (Statement statement = connection.createStatement()) {
                count(statement, StoredJob.WAITING, "job INDEXED BY waiting WHERE state = 0");
                count(statement, StoredJob.DELAYED, "job INDEXED BY delayed WHERE state = 1");
                count(statement, StoredJob.DEAD, "job INDEXED BY dead WHERE state >= 2");
                try (ResultSet rows = statement.executeQuery("SELECT queue, count(*) FROM ended GROUP BY queue")) {
                    while (rows.next()) {
                        lines.get(rows.getInt(1)).counts().ended.addAndGet(rows.getLong(2));
                    }
                }
            } catch (SQLException e) {
                LOG.debug("Counting the jobs of each queue failed; it begins again, unless the store is closed", e);
                failure = e;
            } catch (RuntimeException e) {
                failure = new SQLException(e);
            } finally {
                close();
                done.countDown();
            }
        }

        private void count(Statement statement, int state, String rowsOf) throws SQLException {
            try (ResultSet rows = statement
                    .executeQuery("SELECT queue, count(*) FROM " + rowsOf + " GROUP BY queue")) {
                while (rows.next()) {
                    lines.get(rows.getInt(1)).counts().of(state).addAndGet(rows.getLong(2));
                }
            }
        }

        @Override
        public void close() {
            try {
                connection.close();
            } catch (SQLException e) {
                LOG.warn("Closing a reader: {}", e.getMessage());
            }
        }
    }
}
