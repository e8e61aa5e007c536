package dev.orderly.store.sqlite;

import dev.orderly.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** A few read-only connections, lent to one caller at a time. */
final class Readers implements AutoCloseable {
    private static final int CONNECTIONS = 2;
    private static final int PATIENCE_SECONDS = 10;

    private final BlockingQueue<Connection> idle = new ArrayBlockingQueue<>(CONNECTIONS);
    private final SqlErrors errors;
    private volatile boolean closed;

    Readers(Path file, SqlErrors errors) throws SQLException {
        this.errors = errors;
        for (int i = 0; i < CONNECTIONS; i++) {
            Connection reader = Connections.reader(file);
            reader.setAutoCommit(false);
            idle.add(reader);
        }
    }

    /** What is asked of a connection. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    /** Asks all of a question on one state of the database. */
    <T> T read(Question<T> question) {
        Connection connection = lend();
        try {
            try {
                return question.ask(connection);
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw errors.undone(e);
        } finally {
            idle.add(connection);
            if (closed) {
                close();
            }
        }
    }

    private Connection lend() {
        try {
            Connection connection = closed ? null : idle.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (connection != null) {
                return connection;
            }
            throw new StoreException.Unavailable(
                    closed ? "The store is closed" : "All readers of the database are busy; try again", null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException.Unavailable("The calling thread was interrupted while it waited to read", e);
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw errors.undone(e);
            }
        }
    }
}
