package dev.orderly.store.sqlite;

import dev.orderly.job.Payload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The statements on table {@code ended}: done and cancelled jobs, by push order. */
final class EndedTable {
    static final int DONE = 0;
    static final int CANCELLED = 1;

    private final Batch insert;
    private final Batch delete;
    private final PreparedStatement exists;
    private final PreparedStatement old;
    private final PreparedStatement oldest;

    EndedTable(Connection connection) throws SQLException {
        insert = new Batch(connection, """
                INSERT INTO ended(seq, queue, lane, state, attempt, failures, ended_at, user, dedupe, params,
                  result_type, progress, failure, failure_detail, reason, result)
                SELECT seq, queue, lane, ?, ?, failures, ?, user, dedupe, params,
                  ?, coalesce(?, progress), failure, failure_detail, ?, ?
                FROM job WHERE seq = ?""");
        delete = new Batch(connection, "DELETE FROM ended WHERE seq = ?");
        exists = connection.prepareStatement("SELECT 1 FROM ended WHERE seq = ?");
        old = connection.prepareStatement("""
                SELECT seq, queue FROM ended
                WHERE seq < ? AND ended_at < ? AND (dedupe IS NULL OR seq < ?) ORDER BY seq LIMIT ?""");
        oldest = connection.prepareStatement("""
                SELECT seq, queue FROM ended WHERE dedupe IS NULL OR seq < ? ORDER BY seq LIMIT ?""");
    }

    /** How a job ended. */
    record End(long seq, int state, int attempt, long endedAt) {}

    /** What a job leaves. */
    record Left(@Nullable Payload result, @Nullable String progress, @Nullable String reason) {
        static final Left NOTHING = new Left(null, null, null);
    }

    /** Copies the job's row; whoever calls deletes that. */
    void insert(End end, Left left) throws SQLException {
        PreparedStatement into = insert.next();
        into.setInt(1, end.state);
        into.setInt(2, end.attempt);
        into.setLong(3, end.endedAt);
        into.setString(4, left.result == null ? null : left.result.contentType());
        into.setString(5, left.progress);
        into.setString(6, left.reason);
        into.setBytes(7, left.result == null ? null : left.result.bytes());
        into.setLong(8, end.seq);
        into.addBatch();
    }

    boolean exists(long seq) throws SQLException {
        exists.setLong(1, seq);
        try (ResultSet rows = exists.executeQuery()) {
            return rows.next();
        }
    }

    /**
     * Deletes jobs pushed before {@code before} that ended before {@code endedBefore}; those with a dedupe key only if
     * pushed before {@code keyed}.
     *
     * @param queues is told the queue of each
     */
    int deleteOld(long before, long endedBefore, long keyed, int limit, LongConsumer queues) throws SQLException {
        old.setLong(1, before);
        old.setLong(2, endedBefore);
        old.setLong(3, keyed);
        old.setInt(4, limit);
        return deleteFound(old, queues);
    }

    /** Deletes the jobs pushed first; those with a dedupe key only if pushed before {@code keyed}. */
    int deleteOldest(long keyed, int limit, LongConsumer queues) throws SQLException {
        oldest.setLong(1, keyed);
        oldest.setInt(2, limit);
        return deleteFound(oldest, queues);
    }

    private int deleteFound(PreparedStatement query, LongConsumer queues) throws SQLException {
        int found = 0;
        try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                delete.next().setLong(1, rows.getLong(1));
                delete.next().addBatch();
                queues.accept(rows.getInt(2));
                found++;
            }
        }
        delete.flush();
        return found;
    }

    void flush() throws SQLException {
        insert.flush();
    }

    void forget() throws SQLException {
        insert.forget();
        delete.forget();
    }
}
