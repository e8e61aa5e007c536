package dev.orderly.store.sqlite.writer;

import dev.orderly.flow.FatalErrors;
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.file.SqliteErrors;
import dev.orderly.store.sqlite.file.WriterConnection;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.writer.RequestQueue.Call;
import dev.orderly.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that serves all requests: takes what has arrived meanwhile, writes it as one transaction, commits, changes
 * memory, answers. No timer: under load groups grow by themselves.
 *
 * <p>After a failure of the disk or the files, or one in the middle of changing memory, the file is opened anew and what is
 * kept of it in memory is read again, at once and then every second until that is possible. Requests are refused
 * meanwhile.
 */
public final class Writer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
    private static final int MOST_JOBS = 4_096;
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final RequestQueue mailbox;
    private final WriterConnection connection;
    private final WriterState desk;
    private final SqliteErrors errors;
    private final RowCounter counting;
    /** What is committed, or may be, and not answered. */
    private List<Call<?>> inDoubt = List.of();
    private @Nullable StoreException broken;
    private long mendAt;

    public Writer(RequestQueue mailbox, WriterConnection connection, WriterState desk, SqliteErrors errors,
            RowCounter counting) {
        this.mailbox = mailbox;
        this.connection = connection;
        this.desk = desk;
        this.errors = errors;
        this.counting = counting;
    }

    /** Until the mailbox is closed and empty. */
    @Override
    public void run() {
        List<Call<?>> taken = new ArrayList<>();
        while (!mailbox.isClosed() || !mailbox.isEmpty()) {
            try {
                if (taken.size() > 1) {
                    letCallersAskAgain();
                }
                taken.clear();
                mailbox.take(taken, MOST_JOBS);
                round(taken);
            } catch (SQLException | RuntimeException | Error e) {
                fail(taken, e);
            }
        }
    }

    /** Callers that were just answered ask again at once; those that get a core before the next group is closed join it. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing but the size of groups depends on the scheduler
    private static void letCallersAskAgain() {
        Thread.yield();
    }

    private void round(List<Call<?>> taken) throws SQLException {
        StoreException reason = mended();
        if (reason == null) {
            counting.mend(desk.lines);
            serve(taken);
        } else {
            failAll(taken, reason);
        }
    }

    /** Serves requests that were taken from the mailbox together. */
    public void serve(List<Call<?>> taken) throws SQLException {
        List<Call<?>> shared = new ArrayList<>(taken.size());
        for (Call<?> call : taken) {
            if (call.request.kind() == WriteRequest.Kind.SHARED) {
                shared.add(call);
            }
        }
        if (!shared.isEmpty()) {
            commit(shared);
        } else if (!taken.isEmpty()) {
            connection.check();
        }
        boolean read = false;
        for (Call<?> call : taken) {
            switch (call.request.kind()) {
                case SHARED -> {
                }
                case ALONE -> commit(List.of(call));
                case IN_MEMORY -> {
                    inMemory(call);
                    read = true;
                }
            }
        }
        if (read) {
            // Lets go of the snapshot that a read took, or the log could not be reused.
            connection.rollback();
        }
    }

    private void inMemory(Call<?> call) throws SQLException {
        try {
            call.write(desk);
            desk.noteLatest();
            call.answer(desk);
        } catch (SQLException e) {
            call.fail(errors.undone(e));
            if (SqliteErrors.isOfFile(e)) {
                throw e;
            }
        } catch (RuntimeException e) {
            call.fail(e);
        }
    }

    /** One transaction. When it fails, each request gets one of its own, so that only the culprit fails. */
    private void commit(List<Call<?>> calls) throws SQLException {
        try {
            for (Call<?> call : calls) {
                call.write(desk);
            }
            desk.flush();
            inDoubt = calls;
            connection.get().commit();
        } catch (SQLException e) {
            boolean committing = !inDoubt.isEmpty();
            inDoubt = List.of();
            boolean ofFile = SqliteErrors.isOfFile(e);
            if (ofFile || calls.size() == 1) {
                failAll(calls, committing ? errors.afterCommit(e) : errors.undone(e));
            }
            rollback();
            if (ofFile) {
                throw e;
            }
            oneByOne(calls);
            return;
        } catch (RuntimeException e) {
            inDoubt = List.of();
            rollback();
            if (calls.size() == 1) {
                failAll(calls, e);
            }
            oneByOne(calls);
            return;
        }
        connection.check();
        desk.committed();
        desk.noteLatest();
        for (Call<?> call : calls) {
            call.answer(desk);
        }
        inDoubt = List.of();
    }

    private void oneByOne(List<Call<?>> calls) throws SQLException {
        if (calls.size() > 1) {
            for (Call<?> call : calls) {
                commit(List.of(call));
            }
        }
    }

    private static void failAll(List<Call<?>> calls, RuntimeException reason) {
        calls.forEach(call -> call.fail(reason));
    }

    private void rollback() throws SQLException {
        desk.rolledBack();
        connection.rollback();
    }

    /** From here on memory and file may differ, so nothing is served before memory was made anew. */
    private void fail(List<Call<?>> taken, Throwable cause) {
        FatalErrors.report("the SQLite writer", cause);
        String message = String.valueOf(cause instanceof SQLException sql
                ? errors.undone(sql).getMessage()
                : cause instanceof StoreException ? cause.getMessage() : "The store failed: " + cause);
        failAll(inDoubt, new StoreException.OutcomeUnknown(message + ". What was asked may be done", cause));
        inDoubt = List.of();
        StoreException reason = new StoreException.Unavailable(message, cause);
        failAll(taken, reason);
        if (broken == null) {
            LOG.error("{}. Memory is made anew from the file, at once and then every second until that works", message,
                    cause);
            mendAt = time().nanos();
        }
        broken = reason;
    }

    /** Null if the store works, by now; otherwise why it does not. */
    private @Nullable StoreException mended() {
        if (broken != null && time().reached(mendAt)) {
            mendAt = time().deadline(AGAIN);
            try {
                desk.reopen(connection.reopen());
                counting.begin(desk.lines);
                connection.settle();
                broken = null;
                LOG.info("The SQLite store works again: the file was opened anew");
            } catch (SQLException e) {
                broken = new StoreException.Unavailable(String.valueOf(errors.undone(e).getMessage()), e);
            } catch (StoreException e) {
                broken = e;
            }
        }
        return broken;
    }

    private Time time() {
        return mailbox.time();
    }
}
