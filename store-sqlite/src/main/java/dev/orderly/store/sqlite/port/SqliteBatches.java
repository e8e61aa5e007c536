package dev.orderly.store.sqlite.port;

import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.BatchRules;
import dev.orderly.job.store.BatchSnapshot;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.NewBatch;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.sql.BatchColumns;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.view.SqliteJobViews;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The port of batches: reads on read-only connections, changes as requests to the writer. */
public final class SqliteBatches implements BatchStore {
    private static final int PAGE_MAX = 1_000;

    private final WriterState state;
    private final RequestQueue requests;
    private final ReaderPool readers;
    private final SqliteJobViews views;

    public SqliteBatches(WriterState state, RequestQueue requests, ReaderPool readers, SqliteJobViews views) {
        this.state = state;
        this.requests = requests;
        this.readers = readers;
        this.views = views;
    }

    /** Checks in a transaction of the writer that the batch of a member takes it. */
    static void check(WriterState state, NewJob job) throws SQLException {
        BatchLink link = BatchRules.link(job);
        BatchRules.check(link, state.tables.batches.find(link.number()), isOfMember(state, job.parent(), link));
    }

    private static boolean isOfMember(WriterState state, @Nullable JobId parent, BatchLink link) throws SQLException {
        LockedJob locked = parent == null || !state.ids.isOwn(parent) ? null : state.running.find(parent.sequence());
        return locked != null && !state.running.isSettled(locked)
                && link.equals(state.tables.jobs.terms.of(locked.seq()).batch());
    }

    @Override
    public Opening open(NewBatch batch, Instant now) {
        return requests.askUninterruptibly(WriteRequest.shared(1, writer -> {
            BatchView kept = writer.tables.batches.find(batch.name());
            if (kept == null) {
                writer.tables.batches.insert(batch, now);
                kept = writer.tables.batches.find(batch.name());
            }
            Opening opening = new Opening(shown(Objects.requireNonNull(kept)), kept.closedAt() == null
                    && writer.tables.batches.opened(kept).repeats(batch));
            return () -> opening;
        }));
    }

    /** A batch of the writer, with the id of its callback. */
    private BatchView shown(BatchView batch) {
        return new BatchSnapshot(batch.name(), batch.number(), batch.whenDead(), batch.queue(), batch.user(),
                batch.counts(),
                batch.openedAt(), batch.closedAt(), batch.cancelledAt(), batch.finishedAt(),
                batch.callback() == null ? null : state.ids.of(batch.callback().sequence()));
    }

    @Override
    public Optional<BatchView> find(BatchName name) {
        return readers.read(connection -> read(connection, "WHERE name = ?", query -> query.setString(1, name.value())))
                .stream().findFirst();
    }

    @Override
    public Optional<BatchView> find(long number) {
        return readers.read(connection -> read(connection, "WHERE id = ?", query -> query.setLong(1, number))).stream()
                .findFirst();
    }

    @Override
    public List<BatchView> list(long below, int limit) {
        return readers.read(connection -> read(connection, "WHERE id < ? ORDER BY id DESC LIMIT ?", query -> {
            query.setLong(1, below);
            query.setInt(2, limit);
        }));
    }

    /** Binds the parameters of a query. */
    private interface Binding {
        void to(PreparedStatement query) throws SQLException;
    }

    private List<BatchView> read(Connection connection, String where, Binding binding) throws SQLException {
        List<BatchView> found = new ArrayList<>();
        try (PreparedStatement query = connection
                .prepareStatement("SELECT " + BatchColumns.VIEW + " FROM batch_view " + where)) {
            binding.to(query);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    found.add(BatchColumns.view(row, state.ids::of));
                }
            }
        }
        return found;
    }

    @Override
    public List<JobView> members(long number, JobState jobState, @Nullable JobId after, int limit) {
        if (limit < 1 || limit > PAGE_MAX) {
            throw new IllegalArgumentException("A page of " + limit + " jobs: ask for 1 to " + PAGE_MAX);
        }
        return views.members(number, jobState, after, limit);
    }

    @Override
    public Optional<BatchView> close(long number, Instant now) {
        return changed(number, writer -> writer.tables.batches.close(number, now));
    }

    @Override
    public Optional<BatchView> cancel(long number, Instant now) {
        return changed(number, writer -> writer.tables.batches.cancel(number, now));
    }

    /** A change of a row. */
    private interface Change {
        void on(WriterState writer) throws SQLException;
    }

    private Optional<BatchView> changed(long number, Change change) {
        return requests.askUninterruptibly(WriteRequest.alone(writer -> {
            change.on(writer);
            BatchView batch = writer.tables.batches.find(number);
            return () -> Optional.ofNullable(batch).map(this::shown);
        }));
    }

    /** Asks the writer only if there is a batch to finish. */
    @Override
    public Finished finish(Instant now) {
        List<BatchView> unfinished = new ArrayList<>();
        List<BatchView> due = readers.read(connection -> {
            unfinished.addAll(read(connection, "WHERE finished_at IS NULL", _ -> {}));
            List<BatchView> ended = new ArrayList<>();
            for (BatchView batch : unfinished) {
                if (batch.closedAt() != null && !isLeft(connection, batch)) {
                    ended.add(batch);
                }
            }
            return ended;
        });
        List<QueueName> callbacks = due.isEmpty() ? List.of() : requests.askUninterruptibly(finish(due, now));
        unfinished.removeAll(due);
        int open = (int) unfinished.stream().filter(batch -> batch.closedAt() == null).count();
        return new Finished(callbacks, unfinished.stream().filter(batch -> batch.cancelledAt() != null).toList(), open,
                unfinished.size() - open);
    }

    private static boolean isLeft(Connection connection, BatchView batch) throws SQLException {
        try (PreparedStatement query = StoredJob.prepare(connection, StoredJob.MEMBER_LEFT)) {
            query.setLong(1, batch.number());
            query.setInt(2, batch.waitsForDeadLetters() ? Integer.MAX_VALUE : StoredJob.DEAD);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    private WriteRequest<List<QueueName>> finish(List<BatchView> due, Instant now) {
        return WriteRequest.alone(writer -> {
            Instant stored = writer.time.stored(now);
            SqlitePushes push = new SqlitePushes(writer, stored);
            List<QueueName> callbacks = new ArrayList<>();
            for (BatchView seen : due) {
                BatchView batch = writer.tables.batches.find(seen.number());
                if (batch != null && batch.finishedAt() == null && !writer.tables.batches.isLeft(batch)) {
                    NewJob callback = writer.tables.batches.opened(batch).callbackOf(batch);
                    writer.tables.batches.finish(batch.number(), push.write(callback).id(), now);
                    callbacks.add(batch.queue());
                }
            }
            return () -> {
                push.committed();
                return callbacks;
            };
        });
    }
}
