package dev.orderly.store.sqlite.file;

import dev.orderly.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of read-only connections, each lent to one caller at a time. A failed connection is replaced, and the query is
 * repeated once.
 */
public final class ReaderPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReaderPool.class);
    private static final int CONNECTIONS = 2;
    private static final int PATIENCE_SECONDS = 10;

    private final BlockingQueue<Reader> idle = new ArrayBlockingQueue<>(CONNECTIONS);
    private final ConnectionFactory connector;
    private final WriterConnection writer;
    private final SqliteErrors errors;
    private volatile boolean closed;

    public ReaderPool(ConnectionFactory connector, WriterConnection writer, SqliteErrors errors) throws SQLException {
        this.connector = connector;
        this.writer = writer;
        this.errors = errors;
        for (int i = 0; i < CONNECTIONS; i++) {
            Reader reader = new Reader();
            idle.add(reader);
            reader.open();
        }
    }

    /** A query on a connection. */
    @FunctionalInterface
    public interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    /** Runs a query on one snapshot of the database. */
    public <T> T read(Question<T> question) {
        Reader reader = lend();
        try {
            return reader.ask(question);
        } catch (SQLException e) {
            reader.close();
            LOG.debug("Reading again on a new connection", e);
            return again(reader, question);
        } finally {
            idle.add(reader);
            if (closed) {
                close();
            }
        }
    }

    private <T> T again(Reader reader, Question<T> question) {
        try {
            return reader.ask(question);
        } catch (SQLException e) {
            reader.close();
            throw errors.undone(e);
        }
    }

    private Reader lend() {
        try {
            Reader reader = closed ? null : idle.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (reader != null) {
                return reader;
            }
            throw new StoreException.Unavailable(
                    closed ? "The store is closed" : "All readers of the database are busy: try again", null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException.Unavailable("The calling thread was interrupted while it waited to read", e);
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Reader reader = idle.poll(); reader != null; reader = idle.poll()) {
            reader.close();
        }
    }

    /** A pooled connection, replaced when it failed. Used by one caller at a time. */
    private final class Reader {
        private @Nullable Connection connection;
        private int renewals;

        Connection open() throws SQLException {
            Connection known = connection;
            if (known != null && renewals == writer.renewals()) {
                return known;
            }
            close();
            writer.checkNames();
            renewals = writer.renewals();
            Connection opened = connector.reader();
            connection = opened;
            return opened;
        }

        <T> T ask(Question<T> question) throws SQLException {
            Connection reading = open();
            try {
                return question.ask(reading);
            } finally {
                reading.rollback();
            }
        }

        void close() {
            Connection known = connection;
            connection = null;
            if (known != null) {
                try {
                    known.close();
                } catch (SQLException e) {
                    LOG.debug("Closing a reader: {}", e.getMessage());
                }
            }
        }
    }
}
