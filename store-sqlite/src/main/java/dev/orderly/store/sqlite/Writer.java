package dev.orderly.store.sqlite;

import dev.orderly.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that serves all requests: takes what has arrived meanwhile, writes it as one transaction, commits, changes
 * memory, answers. No timer: under load groups grow by themselves.
 */
final class Writer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
    private static final int MOST_JOBS = 4_096;

    private final Mailbox mailbox;
    private final Connection connection;
    private final Desk desk;
    private final SqlErrors errors;

    Writer(Mailbox mailbox, Connection connection, Desk desk, SqlErrors errors) {
        this.mailbox = mailbox;
        this.connection = connection;
        this.desk = desk;
        this.errors = errors;
    }

    /** Until the mailbox is closed and empty. */
    @Override
    public void run() {
        List<Request<?>> taken = new ArrayList<>();
        try {
            while (!mailbox.isClosed() || !mailbox.isEmpty()) {
                taken.clear();
                mailbox.take(taken, MOST_JOBS);
                serve(taken);
            }
        } catch (SQLException | RuntimeException | Error e) {
            stop(taken, e);
        }
    }

    /** Serves requests that were taken from the mailbox together. */
    void serve(List<Request<?>> taken) throws SQLException {
        List<Request<?>> shared = new ArrayList<>(taken.size());
        for (Request<?> request : taken) {
            if (request.kind() == Request.Kind.SHARED) {
                shared.add(request);
            }
        }
        if (!shared.isEmpty()) {
            commit(shared);
        }
        boolean read = false;
        for (Request<?> request : taken) {
            switch (request.kind()) {
                case SHARED -> {
                }
                case ALONE -> commit(List.of(request));
                case LIGHT -> {
                    light(request);
                    read = true;
                }
            }
        }
        desk.running.note(desk.latest(), desk.rooms.latest());
        if (read) {
            // Lets go of the snapshot that a read took, or the log could not be reused.
            connection.rollback();
        }
    }

    private void light(Request<?> request) {
        try {
            request.serve(desk);
        } catch (SQLException e) {
            request.fail(errors.undone(e));
        } catch (RuntimeException e) {
            request.fail(e);
        }
    }

    /** One transaction. When it fails, each request gets one of its own, so that only the culprit fails. */
    private void commit(List<Request<?>> requests) throws SQLException {
        boolean committing = false;
        try {
            for (Request<?> request : requests) {
                request.write(desk);
            }
            desk.rooms.write();
            desk.tables.flush();
            committing = true;
            connection.commit();
        } catch (SQLException e) {
            rollback();
            if (requests.size() > 1 && !SqlErrors.isIo(e)) {
                oneByOne(requests);
            } else {
                failAll(requests, committing ? errors.afterCommit(e) : errors.undone(e));
            }
            return;
        } catch (RuntimeException e) {
            rollback();
            if (requests.size() > 1) {
                oneByOne(requests);
            } else {
                failAll(requests, e);
            }
            return;
        }
        desk.pending.clear();
        desk.lines.committed();
        desk.rooms.committed();
        for (Request<?> request : requests) {
            request.serve(desk);
        }
    }

    private void oneByOne(List<Request<?>> requests) throws SQLException {
        for (Request<?> request : requests) {
            commit(List.of(request));
        }
    }

    private static void failAll(List<Request<?>> requests, RuntimeException reason) {
        requests.forEach(request -> request.fail(reason));
    }

    private void rollback() throws SQLException {
        desk.pending.clear();
        desk.lines.rolledBack();
        desk.rooms.rolledBack();
        desk.tables.forget();
        try {
            connection.rollback();
        } catch (SQLException e) {
            // SQLite has rolled back by itself after the worst errors, and then says that nothing is under way. The
            // driver counts on one that is.
            LOG.warn("Rolling back: {}", e.getMessage());
            try (Statement statement = connection.createStatement()) {
                statement.execute("BEGIN");
            }
        }
    }

    /** Memory and file may differ from here on: nothing is served any more. */
    private void stop(List<Request<?>> taken, Throwable cause) {
        LOG.error("The SQLite store stops: memory and file may differ. Restart the process", cause);
        mailbox.close(new StoreException.Unavailable("The store stopped after an internal error; restart it", cause));
        failAll(taken, new StoreException.OutcomeUnknown("The store stopped in the middle: " + cause, cause));
        List<Request<?>> rest = new ArrayList<>();
        while (!mailbox.isEmpty()) {
            mailbox.take(rest, MOST_JOBS);
        }
        failAll(rest, new StoreException.Unavailable("The store stopped after an internal error; restart it", cause));
    }
}
