package dev.orderly.store.sqlite.view;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobView;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.QueueView;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueCounts;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.writer.RowCounter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The views, on read-only connections: the writer is never asked. */
public final class SqliteJobViews implements JobViews {
    private static final int PAGE_MAX = 1_000;

    private final WriterState desk;
    private final ReaderPool readers;
    private final RowCounter counting;
    private final JobViewRows rows;
    private final JobPages pages;
    private final QueuePositions places;

    public SqliteJobViews(WriterState desk, ReaderPool readers, RowCounter counting) {
        this.desk = desk;
        this.readers = readers;
        this.counting = counting;
        rows = new JobViewRows(desk);
        pages = new JobPages(desk);
        places = new QueuePositions(desk);
    }

    @Override
    public Optional<JobView> find(JobId id) {
        if (!desk.ids.isOwn(id)) {
            return Optional.empty();
        }
        long seq = id.sequence();
        LockedJob claim = desk.running.find(seq);
        return readers.read(connection -> {
            JobView live = rows.live(connection, seq, claim);
            return Optional.ofNullable(live != null ? live : rows.ended(connection, seq));
        });
    }

    @Override
    public List<JobView> list(QueueName queue, JobState state, @Nullable JobId after, int limit) {
        if (limit < 1 || limit > PAGE_MAX) {
            throw new IllegalArgumentException("A page of " + limit + " jobs: ask for 1 to " + PAGE_MAX);
        }
        QueueIndex line = desk.lines.find(queue);
        if (line == null) {
            return List.of();
        }
        return readers.read(connection -> switch (state) {
            case DONE, CANCELLED -> rows.ended(connection, line.identity().id, state,
                    after == null ? Long.MAX_VALUE : after.sequence(), limit);
            default -> live(connection, line, state, after == null ? 0 : after.sequence(), limit);
        });
    }

    private List<JobView> live(Connection connection, QueueIndex line, JobState state, long after, int limit)
            throws SQLException {
        List<JobView> page = new ArrayList<>();
        for (long seq : pages.page(connection, line, state, after, limit)) {
            JobView view = rows.live(connection, seq, desk.running.find(seq));
            if (view != null && view.state() == state) {
                page.add(view);
            }
        }
        return page;
    }

    @Override
    public int ahead(JobId id, int limit) {
        if (limit < 1 || limit > AHEAD_MAX) {
            throw new IllegalArgumentException("A count up to " + limit + ": ask for 1 to " + AHEAD_MAX);
        }
        return desk.ids.isOwn(id) && !desk.running.has(id.sequence())
                ? readers.read(connection -> places.ahead(connection, id.sequence(), limit))
                : 0;
    }

    @Override
    public List<QueueView> queues() {
        counting.await();
        List<QueueIndex> lines = desk.lines.all().stream().sorted(Comparator.comparing(QueueIndex::name)).toList();
        return readers.read(connection -> {
            List<QueueView> views = new ArrayList<>();
            for (QueueIndex line : lines) {
                views.add(view(connection, line));
            }
            return views;
        });
    }

    private QueueView view(Connection connection, QueueIndex line) throws SQLException {
        QueueCounts counts = line.counts();
        boolean fifo = line instanceof FifoQueueIndex;
        // Stored as delayed and due by now: waiting, to whoever looks. And the other way round for heads of groups.
        long shift = fifo ? -pages.held(connection, line) : pages.due(connection, line);
        long waiting = counts.waiting.get() + shift - counts.running.get();
        long oldest = waiting > 0 ? pages.oldest(connection, line) : 0;
        Instant oldestPushedAt = oldest == 0 ? null : desk.time.told(desk.ids.of(oldest).pushedAt());
        return new QueueView(line.name(), line.identity().paused, Math.max(0, waiting),
                Math.max(0, counts.delayed.get() - shift), counts.running.get(), counts.dead.get(), counts.ended.get(),
                line.halts(), oldestPushedAt);
    }
}
