package dev.orderly.store.postgres.job.search;

import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.search.DeadLetterGroups;
import dev.orderly.job.search.ErrorFingerprint;
import dev.orderly.job.search.GroupPage;
import dev.orderly.job.search.GroupQuery;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobIdRange;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.search.SearchPage.Access;
import dev.orderly.job.search.SearchPage.Extent;
import dev.orderly.store.postgres.job.ViewRows;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.DeadErrorScan;
import dev.orderly.store.sql.GroupScan;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Search, in read-only transactions of one snapshot with a short limit for each statement. Takes no locks. */
public final class PostgresJobFinder implements JobFinder {
    private final Transactions transactions;
    private final DatabaseJobIds ids;
    private final ViewRows rows;

    public PostgresJobFinder(Transactions transactions, DatabaseJobIds ids) {
        this.transactions = transactions;
        this.ids = ids;
        rows = new ViewRows(ids);
    }

    @Override
    public SearchPage<JobView> search(JobSearch search, @Nullable JobId before, int limit) {
        return transactions.onSnapshot(connection -> {
            SearchPage<JobId> page = page(connection, search, before, limit);
            return page.of(rows.findAll(connection, page.jobs()));
        });
    }

    @Override
    public SearchPage<JobId> ids(JobSearch search, @Nullable JobId before, int limit) {
        return transactions.onSnapshot(connection -> page(connection, search, before, limit));
    }

    private SearchPage<JobId> page(Connection connection, JobSearch search, @Nullable JobId before, int limit)
            throws SQLException {
        if (search.dedupe() == null) {
            return new PostgresSearchSources(ids, connection, search).page(before, limit, null);
        }
        JobFinder.checkLimit(limit);
        UUID key = new UUID(search.dedupe().high(), search.dedupe().low());
        Long seq = new Sql(connection, "SELECT seq FROM recent WHERE kind IN (0, 2) AND key = ? ORDER BY kind LIMIT 1")
                .with(key)
                .first(row -> row.getLong(1));
        return seq == null
                ? new SearchPage<>(List.of(), Extent.ALL, 0, null, Access.DEDUPE)
                : new PostgresSearchSources(ids, connection, search.withIds(JobIdRange.of(ids.of(seq)))).page(before,
                        limit,
                        Access.DEDUPE);
    }

    @Override
    public DeadLetterGroups dead(@Nullable QueueName queue) {
        return transactions.onSnapshot(connection -> {
            Map<QueueName, Integer> queues = new TreeMap<>();
            PostgresSearchSources.queues(connection).forEach((number, name) -> {
                if (queue == null || queue.equals(name)) {
                    queues.put(name, number);
                }
            });
            return new DeadErrorScan(new Errors(connection)).groups(queues);
        });
    }

    @Override
    public GroupPage groups(GroupQuery query) {
        return transactions.onSnapshot(connection -> {
            Integer queue = new Sql(connection, "SELECT id FROM queue WHERE name = ?").with(query.queue().value())
                    .first(row -> row.getInt(1));
            return queue == null
                    ? new GroupPage(List.of(), true, 0, null)
                    : new GroupScan(new PostgresGroupSeeks(connection, queue), ids).find(query);
        });
    }

    /** Seeks in {@code job_dead_by_error}. */
    private final class Errors implements DeadErrorScan.Index {
        private static final String OF = " FROM job WHERE state - DEAD >= 0 AND queue = ? AND error ";

        private final Connection connection;

        Errors(Connection connection) {
            this.connection = connection;
        }

        @Override
        public @Nullable ErrorFingerprint next(int queue, long after, boolean inclusive) throws SQLException {
            return new Sql(connection, "SELECT error" + OF + (inclusive ? ">= ?" : "> ?")
                    + " ORDER BY queue, error, seq + 0 LIMIT 1").with(queue).with(after)
                    .first(row -> new ErrorFingerprint(row.getLong(1)));
        }

        @Override
        public long count(int queue, ErrorFingerprint error, long most) throws SQLException {
            return new Sql(connection, "SELECT count(*) FROM (SELECT 1" + OF + "= ? LIMIT ?) AS counted").with(queue)
                    .with(error.value()).with(most).number();
        }

        @Override
        public @Nullable JobView end(int queue, ErrorFingerprint error, boolean first) throws SQLException {
            Long seq = new Sql(connection,
                    "SELECT seq" + OF + "= ? ORDER BY seq + 0" + (first ? "" : " DESC") + " LIMIT 1").with(queue)
                    .with(error.value()).first(row -> row.getLong(1));
            return seq == null
                    ? null
                    : rows.findAll(connection, List.of(ids.of(seq))).stream().findFirst().orElse(null);
        }
    }
}
