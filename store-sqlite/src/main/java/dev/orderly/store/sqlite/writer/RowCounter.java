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

/** Counts all jobs of the file in the background; restarted when it failed or the file was reopened. */
public final class RowCounter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RowCounter.class);
    private static final int PATIENCE_SECONDS = 30;

    private final ConnectionFactory connector;
    private volatile @Nullable Count current;

    public RowCounter(ConnectionFactory connector) {
        this.connector = connector;
    }

    /** Starts a count. For the writer, between two transactions. */
    public void begin(QueueIndexes queues) throws SQLException {
        close();
        Count next = new Count(connector.reader(), queues);
        current = next;
        Thread.ofPlatform().name("orderly-sqlite-count").daemon().start(next);
    }

    /** Restarts the count if it failed. For the writer, between two transactions. */
    void restartIfFailed(QueueIndexes queues) {
        Count count = current;
        if (count != null && count.failure != null) {
            try {
                begin(queues);
            } catch (SQLException e) {
                LOG.debug("Counting cannot be restarted yet: {}", e.getMessage());
            }
        }
    }

    /** Waits until the count is complete. */
    public void await() {
        Count count = current;
        try {
            if (count == null || !count.done.await(PATIENCE_SECONDS, TimeUnit.SECONDS) || count.failure != null) {
                throw new StoreException.Unavailable("The jobs of each queue are not counted yet: try again",
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
     * A count of the rows at the opening of the file, from indexes alone, while the writer works. Its snapshot is taken
     * before the writer's first change; the writer counts its changes from there.
     */
    private static final class Count implements Runnable, AutoCloseable {
        private final Connection connection;
        private final QueueIndexes queues;
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable SQLException failure;

        /** Takes the snapshot. The writer counts its changes from here on. */
        Count(Connection connection, QueueIndexes queues) throws SQLException {
            this.queues = queues;
            this.connection = connection;
            queues.all().forEach(index -> index.counts().reset());
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT value FROM meta LIMIT 1")) {
                rows.next();
            }
        }

        @Override
        public void run() {
            try (Statement statement = connection.createStatement()) {
                count(statement, StoredJob.WAITING, "waiting");
                count(statement, StoredJob.DELAYED, "job INDEXED BY delayed WHERE state = DELAYED");
                count(statement, StoredJob.DEAD, "job INDEXED BY dead WHERE state >= DEAD");
                try (ResultSet rows = statement.executeQuery("SELECT queue, count(*) FROM ended GROUP BY queue")) {
                    while (rows.next()) {
                        queues.get(rows.getInt(1)).counts().ended.addAndGet(rows.getLong(2));
                    }
                }
            } catch (SQLException e) {
                LOG.debug("Counting the jobs of each queue failed; it is restarted, unless the store is closed", e);
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
                    .executeQuery(StoredJob.numbered("SELECT queue, count(*) FROM " + rowsOf + " GROUP BY queue"))) {
                while (rows.next()) {
                    queues.get(rows.getInt(1)).counts().of(state).addAndGet(rows.getLong(2));
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
