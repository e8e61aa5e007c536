package dev.orderly.store.sqlite.view;

import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.search.DeadLetterGroups;
import dev.orderly.job.search.ErrorFingerprint;
import dev.orderly.store.sql.DeadErrorScan;
import dev.orderly.store.sqlite.table.StoredJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Dead letters by error, by seeks in the index of errors. */
final class DeadErrors implements DeadErrorScan.Index {
    private static final String OF = " FROM job INDEXED BY dead_error WHERE state >= DEAD AND queue = ? AND error ";

    private final Connection connection;
    private final View views;

    /** Reads a dead letter. */
    @FunctionalInterface
    interface View {
        @Nullable
        JobView of(long seq) throws SQLException;
    }

    DeadErrors(Connection connection, View views) {
        this.connection = connection;
        this.views = views;
    }

    DeadLetterGroups groups(Map<QueueName, Integer> queues) throws SQLException {
        return new DeadErrorScan(this).groups(queues);
    }

    @Override
    public @Nullable ErrorFingerprint next(int queue, long after, boolean inclusive) throws SQLException {
        Long found = number("SELECT error" + OF + (inclusive ? ">= ?" : "> ?") + " ORDER BY error LIMIT 1", queue,
                after);
        return found == null ? null : new ErrorFingerprint(found);
    }

    @Override
    public long count(int queue, ErrorFingerprint error, long most) throws SQLException {
        Long count = number("SELECT count(*) FROM (SELECT 1" + OF + "= ? LIMIT ?)", queue, error.value(), most);
        return count == null ? 0 : count;
    }

    @Override
    public @Nullable JobView end(int queue, ErrorFingerprint error, boolean first) throws SQLException {
        Long seq = number("SELECT seq" + OF + "= ? ORDER BY seq" + (first ? "" : " DESC") + " LIMIT 1", queue,
                error.value());
        return seq == null ? null : views.of(seq);
    }

    private @Nullable Long number(String sql, Object... values) throws SQLException {
        try (PreparedStatement query = StoredJob.prepare(connection, sql)) {
            for (int i = 0; i < values.length; i++) {
                query.setObject(i + 1, values[i]);
            }
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : null;
            }
        }
    }
}
