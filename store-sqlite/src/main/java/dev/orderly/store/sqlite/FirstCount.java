package dev.orderly.store.sqlite;

import dev.orderly.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what the file held when it was opened, from indexes alone, while the writer works already: the snapshot it
 * reads is taken before the writer's first change, and the writer counts from there.
 */
final class FirstCount implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FirstCount.class);
    private static final int PATIENCE_SECONDS = 30;

    private final Connection connection;
    private final Lines lines;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable SQLException failure;

    /** Takes the snapshot. From here on the writer counts only what it changes. */
    FirstCount(Connection connection, Lines lines) throws SQLException {
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
            count(statement, JobRow.WAITING, "job INDEXED BY waiting WHERE state = 0");
            count(statement, JobRow.DELAYED, "job INDEXED BY delayed WHERE state = 1");
            count(statement, JobRow.DEAD, "job INDEXED BY dead WHERE state >= 2");
            try (ResultSet rows = statement.executeQuery("SELECT queue, count(*) FROM ended GROUP BY queue")) {
                while (rows.next()) {
                    counts(rows.getInt(1)).ended.addAndGet(rows.getLong(2));
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
        try (ResultSet rows = statement.executeQuery("SELECT queue, count(*) FROM " + rowsOf + " GROUP BY queue")) {
            while (rows.next()) {
                counts(rows.getInt(1)).of(state).addAndGet(rows.getLong(2));
            }
        }
    }

    private Counts counts(int queue) {
        Line line = lines.find(queue);
        if (line == null) {
            throw new IllegalStateException("A job is of queue number " + queue + ", which is not in table queue");
        }
        return line.counts();
    }

    boolean failed() {
        return failure != null;
    }

    /** Waits until the counts are right. */
    void await() {
        try {
            if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS) || failure != null) {
                throw new StoreException.Unavailable("The jobs of each queue are not counted yet; try again", failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException.Unavailable("The calling thread was interrupted while it waited to read", e);
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
