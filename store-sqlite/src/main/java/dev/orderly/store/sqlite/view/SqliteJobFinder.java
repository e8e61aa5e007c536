package dev.orderly.store.sqlite.view;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.search.DeadLetterGroups;
import dev.orderly.job.search.GroupPage;
import dev.orderly.job.search.GroupQuery;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobIdRange;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.search.SearchPage.Access;
import dev.orderly.job.search.SearchPage.Extent;
import dev.orderly.store.sql.GroupScan;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.KeptKeyTable;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Search, on read-only connections; only dedupe keys are asked of the writer, which has them in memory. */
public final class SqliteJobFinder implements JobFinder {
    private final WriterState state;
    private final ReaderPool readers;
    private final RequestQueue requests;
    private final JobViewRows rows;

    public SqliteJobFinder(WriterState state, ReaderPool readers, RequestQueue requests) {
        this.state = state;
        this.readers = readers;
        this.requests = requests;
        rows = new JobViewRows(state);
    }

    @Override
    public SearchPage<JobView> search(JobSearch search, @Nullable JobId before, int limit) {
        return find(search, (connection, found, access) -> {
            SearchPage<JobId> page = new SqliteSearchSources(state, connection, found).page(before, limit, access);
            return page.of(views(connection, page.jobs()));
        });
    }

    @Override
    public SearchPage<JobId> ids(JobSearch search, @Nullable JobId before, int limit) {
        return find(search,
                (connection, found, access) -> new SqliteSearchSources(state, connection, found).page(before, limit,
                        access));
    }

    /** A search on a connection; its ids were found by {@code access}, if that is not null. */
    @FunctionalInterface
    private interface Found<T> {
        SearchPage<T> on(Connection connection, JobSearch search, @Nullable Access access) throws SQLException;
    }

    private <T> SearchPage<T> find(JobSearch search, Found<T> found) {
        DedupeKey key = search.dedupe();
        if (key == null) {
            return readers.read(connection -> found.on(connection, search, null));
        }
        long seq = requests.ask(WriteRequest.inMemory(1, writer -> {
            long first = writer.keys.find(key, writer.latest());
            KeptKeyTable.First kept = first == 0 ? writer.tables.kept.find(key, writer.latest().toEpochMilli()) : null;
            return kept == null ? first : kept.seq();
        }));
        return seq == 0
                ? new SearchPage<>(List.of(), Extent.ALL, 0, null, Access.DEDUPE)
                : readers.read(connection -> found.on(connection,
                        search.withIds(JobIdRange.of(state.ids.of(seq))), Access.DEDUPE));
    }

    private List<JobView> views(Connection connection, List<JobId> ids) throws SQLException {
        List<JobView> views = new ArrayList<>();
        for (JobId id : ids) {
            LockedJob locked = state.running.find(id.sequence());
            JobView live = rows.live(connection, id.sequence(), locked);
            JobView view = live != null ? live : rows.ended(connection, id.sequence());
            if (view != null) {
                views.add(view);
            }
        }
        return views;
    }

    @Override
    public DeadLetterGroups dead(@Nullable QueueName queue) {
        Map<QueueName, Integer> queues = new TreeMap<>();
        for (QueueIndex index : state.queues.all()) {
            if (queue == null || queue.equals(index.name())) {
                queues.put(index.name(), index.identity().id);
            }
        }
        return readers.read(connection -> new DeadErrors(connection,
                seq -> rows.live(connection, seq, null)).groups(queues));
    }

    @Override
    public GroupPage groups(GroupQuery query) {
        QueueIndex queue = state.queues.find(query.queue());
        return queue == null
                ? new GroupPage(List.of(), true, 0, null)
                : readers.read(connection -> new GroupScan(new SqliteGroupSeeks(state, connection, queue), state.ids)
                        .find(query));
    }
}
