package dev.orderly.store.sqlite.table;

import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.store.NewBatch;
import dev.orderly.store.sql.BatchColumns;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statements on tables {@code batch} and {@code batch_tally}. What a transaction adds to the counts of a batch is
 * collected, and one row at its end, beside the batch: so the payload of a callback is not written again.
 */
public final class BatchRows {
    private final PreparedStatement byNumber;
    private final PreparedStatement byName;
    private final PreparedStatement opened;
    private final PreparedStatement insert;
    private final PreparedStatement close;
    private final PreparedStatement cancel;
    private final PreparedStatement left;
    private final PreparedStatement finish;
    private final PreparedStatement untally;
    private final PreparedStatement tally;
    private final PreparedStatement prune;
    private final Map<Long, Tally> tallies = new HashMap<>();

    /** What the transaction under way adds to the counts of a batch. */
    private static final class Tally {
        private long pushed;
        private long done;
        private long dead;
        private long cancelled;
    }

    BatchRows(Connection connection) throws SQLException {
        byNumber = connection.prepareStatement("SELECT " + BatchColumns.VIEW + " FROM batch_view WHERE id = ?");
        byName = connection.prepareStatement("SELECT " + BatchColumns.VIEW + " FROM batch_view WHERE name = ?");
        opened = connection.prepareStatement("SELECT " + BatchColumns.OPENED + " FROM batch WHERE id = ?");
        insert = connection.prepareStatement("INSERT INTO batch(" + BatchColumns.OPENED
                + ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        close = connection.prepareStatement("UPDATE batch SET closed_at = ? WHERE id = ? AND closed_at IS NULL");
        cancel = connection.prepareStatement("UPDATE batch SET cancelled_at = ?1, closed_at = coalesce(closed_at, ?1)"
                + " WHERE id = ?2 AND cancelled_at IS NULL AND finished_at IS NULL");
        left = StoredJob.prepare(connection, StoredJob.MEMBER_LEFT);
        finish = connection.prepareStatement("""
                UPDATE batch SET finished_at = ?, callback = ?, pushed = seen.pushed, done = seen.done,
                  dead = seen.dead, cancelled = seen.cancelled
                FROM batch_view AS seen WHERE batch.id = ? AND seen.id = batch.id""");
        untally = connection.prepareStatement("DELETE FROM batch_tally WHERE batch = ?");
        tally = connection.prepareStatement("""
                INSERT INTO batch_tally(batch, pushed, done, dead, cancelled)
                SELECT id, ?, ?, ?, ? FROM batch WHERE id = ? AND finished_at IS NULL
                ON CONFLICT(batch) DO UPDATE SET pushed = pushed + excluded.pushed, done = done + excluded.done,
                  dead = dead + excluded.dead, cancelled = cancelled + excluded.cancelled""");
        prune = connection.prepareStatement("DELETE FROM batch WHERE callback IS NOT NULL"
                + " AND NOT EXISTS (SELECT 1 FROM job WHERE job.seq = batch.callback)"
                + " AND NOT EXISTS (SELECT 1 FROM ended WHERE ended.seq = batch.callback)");
    }

    /** The batch of a number. Its callback has the id of no database. */
    @Nullable
    public BatchView find(long number) throws SQLException {
        byNumber.setLong(1, number);
        return view(byNumber);
    }

    /** As {@link #find(long)}, by name. */
    @Nullable
    public BatchView find(BatchName name) throws SQLException {
        byName.setString(1, name.value());
        return view(byName);
    }

    private @Nullable BatchView view(PreparedStatement query) throws SQLException {
        try (ResultSet row = query.executeQuery()) {
            return row.next() ? BatchColumns.view(row, seq -> JobId.of(seq, 0)) : null;
        }
    }

    /** A batch as it was opened. */
    public NewBatch opened(BatchView batch) throws SQLException {
        opened.setLong(1, batch.number());
        try (ResultSet row = opened.executeQuery()) {
            row.next();
            return BatchColumns.opened(row);
        }
    }

    public void insert(NewBatch batch, Instant now) throws SQLException {
        BatchColumns.bind(insert, 1, batch, now);
        insert.executeUpdate();
    }

    public void close(long number, Instant now) throws SQLException {
        close.setLong(1, now.toEpochMilli());
        close.setLong(2, number);
        close.executeUpdate();
    }

    public void cancel(long number, Instant now) throws SQLException {
        cancel.setLong(1, now.toEpochMilli());
        cancel.setLong(2, number);
        cancel.executeUpdate();
    }

    /** Whether members are left that have not ended, by the rule of the batch for dead letters. */
    public boolean isLeft(BatchView batch) throws SQLException {
        left.setLong(1, batch.number());
        left.setInt(2, batch.waitsForDeadLetters() ? Integer.MAX_VALUE : StoredJob.DEAD);
        try (ResultSet row = left.executeQuery()) {
            return row.next();
        }
    }

    /** Marks a batch as finished. */
    public void finish(long number, JobId callback, Instant now) throws SQLException {
        finish.setLong(1, now.toEpochMilli());
        finish.setLong(2, callback.sequence());
        finish.setLong(3, number);
        finish.executeUpdate();
        untally.setLong(1, number);
        untally.executeUpdate();
    }

    /** Counts a new job for its batch, if it is a member. */
    void pushed(Place place) {
        if (place.batch() != 0) {
            tally(place).pushed++;
        }
    }

    /** Counts a change of state of a job for its batch. */
    void moved(Place from, Place to) {
        boolean died = to.state() >= StoredJob.DEAD;
        if (from.batch() != 0 && died != from.state() >= StoredJob.DEAD) {
            tally(from).dead += died ? 1 : -1;
        }
    }

    /** Counts the end of a job for its batch. */
    void ended(Place place, int ending) {
        if (place.batch() != 0) {
            Tally count = tally(place);
            count.done += ending == EndedJobTable.DONE ? 1 : 0;
            count.cancelled += ending == EndedJobTable.CANCELLED ? 1 : 0;
            count.dead -= place.state() >= StoredJob.DEAD ? 1 : 0;
        }
    }

    private Tally tally(Place place) {
        return tallies.computeIfAbsent(place.batch(), _ -> new Tally());
    }

    /** Writes what was counted. The counts of a finished batch stay. */
    void flush() throws SQLException {
        for (Map.Entry<Long, Tally> each : tallies.entrySet()) {
            Tally count = each.getValue();
            tally.setLong(1, count.pushed);
            tally.setLong(2, count.done);
            tally.setLong(3, count.dead);
            tally.setLong(4, count.cancelled);
            tally.setLong(5, each.getKey());
            tally.executeUpdate();
        }
        tallies.clear();
    }

    /** Drops what was counted. */
    void clear() {
        tallies.clear();
    }

    /** Deletes finished batches whose callback is kept no more. */
    public void prune() throws SQLException {
        prune.executeUpdate();
    }
}
