package dev.orderly.store.sqlite.table;

import dev.orderly.job.Payload;
import dev.orderly.store.sqlite.table.DeferredWrites.DeferredWrite;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Statements on table {@code ended}: done and cancelled jobs, in push order. */
public final class EndedJobTable {
    public static final int DONE = 0;
    public static final int CANCELLED = 1;

    private static final int WINDOW = 20_000;
    private static final String OLD = " WHERE seq <= ? AND ended_at < ? AND (dedupe IS NULL OR seq < ?)";

    private final DeferredWrite insert;
    private final PreparedStatement exists;
    private final PreparedStatement lastOld;
    private final PreparedStatement countOld;
    private final PreparedStatement deleteOld;

    EndedJobTable(Connection connection, DeferredWrites writes) throws SQLException {
        insert = writes.prepare("""
                INSERT INTO ended(seq, queue, lane, state, attempt, failures, ended_at, user, dedupe, params,
                  result_type, progress, failure, failure_detail, reason, result, history, origin, started_at, trace)
                SELECT seq, queue, lane, ?, ?, failures, ?, user, dedupe, params,
                  ?, coalesce(?, progress), failure, failure_detail, ?, ?, history, origin, ?, trace
                FROM job WHERE seq = ?""");
        exists = connection.prepareStatement("SELECT 1 FROM ended WHERE seq = ?");
        lastOld = connection.prepareStatement("SELECT max(seq) FROM (SELECT seq FROM"
                + " (SELECT seq, ended_at, dedupe FROM ended ORDER BY seq LIMIT " + WINDOW + ")" + OLD
                + " ORDER BY seq LIMIT ?)");
        countOld = connection.prepareStatement("SELECT queue, count(*) FROM ended" + OLD + " GROUP BY queue");
        deleteOld = connection.prepareStatement("DELETE FROM ended" + OLD);
    }

    /**
     * The end of a job.
     *
     * @param startedAt moment of the claim of the last attempt; zero if it is unknown, or the job did not run
     */
    public record End(long seq, int state, int attempt, long endedAt, long startedAt) {}

    /** The remains of an ended job. */
    public record Left(@Nullable Payload result, @Nullable String progress, @Nullable String reason) {
        public static final Left NOTHING = new Left(null, null, null);
    }

    /** Copies the row of the job; the caller deletes it from {@code job}. */
    public void insert(End end, Left left) throws SQLException {
        PreparedStatement into = insert.next();
        into.setInt(1, end.state);
        into.setInt(2, end.attempt);
        into.setLong(3, end.endedAt);
        into.setString(4, left.result == null ? null : left.result.contentType());
        into.setString(5, left.progress);
        into.setString(6, left.reason);
        into.setBytes(7, left.result == null ? null : left.result.bytes());
        JobTable.moment(into, 8, end.startedAt);
        into.setLong(9, end.seq);
        into.addBatch();
    }

    public boolean exists(long seq) throws SQLException {
        exists.setLong(1, seq);
        try (ResultSet rows = exists.executeQuery()) {
            return rows.next();
        }
    }

    /**
     * Deletes the oldest jobs that ended before {@code endedBefore}; jobs with a dedupe key only if pushed before
     * {@code keyed}. Deletes by range, since a busy store prunes as many jobs as it runs, and among the first
     * {@value #WINDOW} only, so that jobs that stay for their keys are not walked each time.
     *
     * @param forgotten gets the number of deleted jobs of each queue
     */
    public int prune(int limit, long endedBefore, long keyed, Forgotten forgotten) throws SQLException {
        long last = lastOld(limit, endedBefore, keyed);
        int pruned = 0;
        bindOld(countOld, last, endedBefore, keyed);
        try (ResultSet counts = countOld.executeQuery()) {
            while (counts.next()) {
                forgotten.of(counts.getInt(1), counts.getInt(2));
                pruned += counts.getInt(2);
            }
        }
        if (pruned > 0) {
            bindOld(deleteOld, last, endedBefore, keyed);
            deleteOld.executeUpdate();
        }
        return pruned;
    }

    /** Callback for the number of deleted jobs of a queue. */
    @FunctionalInterface
    public interface Forgotten {
        void of(int queue, int count) throws SQLException;
    }

    private long lastOld(int limit, long endedBefore, long keyed) throws SQLException {
        bindOld(lastOld, Long.MAX_VALUE, endedBefore, keyed);
        lastOld.setInt(4, limit);
        try (ResultSet row = lastOld.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private static void bindOld(PreparedStatement statement, long last, long endedBefore, long keyed)
            throws SQLException {
        statement.setLong(1, last);
        statement.setLong(2, endedBefore);
        statement.setLong(3, keyed);
    }
}
