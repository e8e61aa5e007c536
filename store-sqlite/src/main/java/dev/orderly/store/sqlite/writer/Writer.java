package dev.orderly.store.sqlite.writer;

import dev.orderly.flow.FatalErrors;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoreLoad;
import dev.orderly.store.sqlite.file.SqliteErrors;
import dev.orderly.store.sqlite.file.WriterConnection;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.writer.RequestQueue.Call;
import dev.orderly.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that serves all requests with group commit: takes the waiting requests, writes them in one transaction,
 * commits, changes memory, answers. There is no timer: groups grow with the load.
 *
 * <p>After a failure of the disk or the files, or while memory is changed, the file is reopened and memory is rebuilt
 * from it, at once and then every second until this succeeds. Requests are refused meanwhile. Once another program has
 * written into the database, all requests are refused for good.
 */
public final class Writer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
    private static final int COMMIT_MAX = 4_096;
    private static final Duration REOPEN_PAUSE = Duration.ofSeconds(1);

    private final RequestQueue requests;
    private final WriterConnection connection;
    private final WriterState state;
    private final SqliteErrors errors;
    private final RowCounter counter;
    /** Requests that are or may be committed, and are not answered. */
    private List<Call<?>> inDoubt = List.of();
    private final LongAdder commits = new LongAdder();
    private final LongAdder committed = new LongAdder();
    private @Nullable StoreException broken;
    private long reopenAt;

    public Writer(RequestQueue requests, WriterConnection connection, WriterState state, SqliteErrors errors,
            RowCounter counter) {
        this.requests = requests;
        this.connection = connection;
        this.state = state;
        this.errors = errors;
        this.counter = counter;
    }

    /** The load since the start. Called on any thread. */
    public StoreLoad.Writer load() {
        return new StoreLoad.Writer(requests.waiting(), commits.sum(), committed.sum());
    }

    /** Serves requests until the queue is closed and empty. */
    @Override
    public void run() {
        List<Call<?>> taken = new ArrayList<>();
        while (!requests.isClosed() || !requests.isEmpty()) {
            try {
                if (taken.size() > 1) {
                    yieldToCallers();
                }
                taken.clear();
                requests.take(taken, COMMIT_MAX);
                round(taken);
            } catch (SQLException | RuntimeException | Error e) {
                fail(taken, e);
            }
        }
    }

    /** Yields to callers that were just answered, so that their next requests join the next group. */
    @SuppressWarnings("ThreadPriorityCheck") // only the size of groups depends on the scheduler
    private static void yieldToCallers() {
        Thread.yield();
    }

    private void round(List<Call<?>> taken) throws SQLException {
        StoreException reason = reopenIfBroken();
        if (reason == null) {
            counter.restartIfFailed(state.queues);
            serve(taken);
        } else {
            failAll(taken, reason);
        }
    }

    /** Serves requests that were taken together. */
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
        for (Call<?> call : taken) {
            switch (call.request.kind()) {
                case SHARED -> {
                }
                case ALONE -> commit(List.of(call));
                case IN_MEMORY -> inMemory(call);
            }
        }
        if (state.tables.isMergeDue()) {
            merge();
        }
        if (connection.isCheckpointDue()) {
            connection.checkpoint();
        }
    }

    /** Merges the index of waiting jobs. A failure puts it off and fails no request. */
    private void merge() throws SQLException {
        try {
            state.tables.merge();
            connection.commit();
        } catch (SQLException e) {
            rollback();
            if (SqliteErrors.isOfFile(e)) {
                throw e;
            }
            LOG.warn("The index of waiting jobs is not merged yet: {}", e.getMessage());
            return;
        }
        state.committed();
    }

    private void inMemory(Call<?> call) throws SQLException {
        try {
            call.write(state);
            state.noteLatest();
            call.answer(state);
        } catch (SQLException e) {
            call.fail(errors.undone(e));
            if (SqliteErrors.isOfFile(e)) {
                throw e;
            }
        } catch (RuntimeException e) {
            call.fail(e);
        }
    }

    /**
     * Commits requests in one transaction. If it fails, each request gets its own transaction, so that only the culprit
     * fails.
     */
    private void commit(List<Call<?>> calls) throws SQLException {
        try {
            for (Call<?> call : calls) {
                call.write(state);
            }
            state.flush();
            inDoubt = calls;
            connection.commit();
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
        commits.increment();
        committed.add(calls.size());
        connection.check();
        state.committed();
        state.noteLatest();
        for (Call<?> call : calls) {
            call.answer(state);
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
        state.rolledBack();
        connection.rollback();
    }

    /** Records a failure after which memory and file may differ: nothing is served until memory is rebuilt. */
    private void fail(List<Call<?>> taken, Throwable cause) {
        FatalErrors.report("the SQLite writer", cause);
        String message = String.valueOf(cause instanceof SQLException sql
                ? errors.undone(sql).getMessage()
                : cause instanceof StoreException ? cause.getMessage() : "The store failed: " + cause);
        failAll(inDoubt, new StoreException.OutcomeUnknown(message + ". The request may have been done", cause));
        inDoubt = List.of();
        if (cause instanceof StoreException.Unusable ended) {
            broken = ended;
            end(ended);
            failAll(taken, ended);
            return;
        }
        StoreException reason = new StoreException.Unavailable(message, cause);
        failAll(taken, reason);
        if (broken == null) {
            LOG.error("{}. Memory is rebuilt from the file, at once and then every second until this succeeds", message,
                    cause);
            reopenAt = time().nanos();
        }
        broken = reason;
    }

    /** Ends the store for good: nothing is served any more, and a program ends with the reason. */
    private void end(StoreException.Unusable reason) {
        LOG.error("{}", reason.getMessage());
        connection.abandon(reason);
        requests.close(reason);
        FatalErrors.end("the SQLite writer", reason);
    }

    /** Reopens the file if the store is broken. Null if the store works; otherwise the reason. */
    private @Nullable StoreException reopenIfBroken() {
        if (broken != null && !(broken instanceof StoreException.Unusable) && time().reached(reopenAt)) {
            reopenAt = time().deadline(REOPEN_PAUSE);
            try {
                counter.close();
                state.reopen(connection.reopen());
                counter.begin(state.queues);
                broken = null;
                LOG.info("The SQLite store works again: the file was reopened");
            } catch (SQLException e) {
                broken = new StoreException.Unavailable(String.valueOf(errors.undone(e).getMessage()), e);
            } catch (StoreException.Unusable e) {
                broken = e;
                end(e);
            } catch (StoreException e) {
                broken = e;
            }
        }
        return broken;
    }

    private Time time() {
        return requests.time();
    }
}
