package dev.orderly.store.sqlite.table;

import dev.orderly.store.sqlite.table.DeferredWrites.DeferredWrite;
import dev.orderly.store.sqlite.table.JobTable.Lane;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Index of the waiting jobs by lane, a log-structured merge tree of two levels. Recent jobs are indexed in memory only;
 * the table {@code lane_index} has the jobs up to the sequence number {@code merged}, and {@code tombstone} the entries
 * of groups in that table whose jobs do not wait any more. A merge moves recent jobs to the table and removes the
 * tombstones' entries, both in the order of the table.
 *
 * <p>A job that ends soon is never written to an index. With many groups, an ordinary index would write two pages for
 * each job; a merge writes each page once for all jobs since the last merge. The few lanes of a standard queue end in
 * their order, so that their entries share pages: they are deleted at once, which costs half of a tombstone. Rarer
 * merges cost about the same processor time a job and stall the writer for longer.
 *
 * <p>The index of the waiting jobs of each key, {@code keyed}, has the same two levels: a merge lets it have the recent
 * jobs, which {@link RecentKeyedJobs} knows until then.
 */
public final class LaneIndex {
    /** Number of recent jobs, or of tombstones, at which a merge follows. Bounds memory and restarts. */
    public static final int MERGE_AT = 65_536;

    private final int mergeAt;
    /** Number of changes at which the next merge begins; larger than {@code mergeAt} after a merge that failed. */
    private int nextMergeAt;
    private final Map<Lane, SequenceList> recent = new HashMap<>();
    /** The recent jobs with keys. */
    final RecentKeyedJobs keyed = new RecentKeyedJobs();
    private final DeferredWrite delete;
    private final DeferredWrite bury;
    private final DeferredWrite unbury;
    private final DeferredWrite reinsert;
    private final PreparedStatement last;
    private final PreparedStatement removeBuried;
    private final PreparedStatement forgetBuried;
    private final PreparedStatement insertRecent;
    private final PreparedStatement indexKeyed;
    private final PreparedStatement advance;
    private long merged;
    private int recentJobs;
    private int tombstones;
    /** Upper bound for the number of further rows after {@code merged}, which a restart reads as well. */
    private int otherRows;
    // The transaction under way.
    private final List<Entry> added = new ArrayList<>();
    private final List<Entry> removed = new ArrayList<>();
    /** The next value of {@code merged}; zero if the transaction does not merge. */
    private long merging;

    /** @param key the key of the job; null for none */
    private record Entry(Lane lane, long seq, @Nullable String key) {
        static Entry of(int queue, Place place) {
            return new Entry(new Lane(queue, place.lane()), place.seq(), place.key());
        }
    }

    LaneIndex(Connection connection, DeferredWrites writes, int mergeAt) throws SQLException {
        this.mergeAt = mergeAt;
        this.nextMergeAt = mergeAt;
        delete = writes.prepare("DELETE FROM lane_index WHERE queue = ? AND lane = ? AND seq = ?");
        bury = writes.prepare("INSERT OR IGNORE INTO tombstone(seq, queue, lane) VALUES(?, ?, ?)");
        unbury = writes.prepare("DELETE FROM tombstone WHERE seq = ?");
        reinsert = writes.prepare("INSERT OR IGNORE INTO lane_index(queue, lane, seq) VALUES(?, ?, ?)");
        last = connection.prepareStatement("SELECT max(seq) FROM job");
        removeBuried = connection.prepareStatement("INSERT INTO settled_entry(queue, lane, seq)"
                + " SELECT queue, lane, seq FROM tombstone ORDER BY queue, lane, seq");
        forgetBuried = connection.prepareStatement("DELETE FROM tombstone");
        insertRecent = StoredJob.prepare(connection, "INSERT INTO lane_index(queue, lane, seq)"
                + " SELECT queue, lane, seq FROM job WHERE state = WAITING AND seq > ? ORDER BY queue, lane, seq");
        indexKeyed = connection.prepareStatement(
                "UPDATE job SET key_indexed = 1 WHERE seq > ? AND flow_key IS NOT NULL");
        advance = connection.prepareStatement("UPDATE meta SET value = ? WHERE name = 'merged'");
        restore(connection);
    }

    private void restore(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT value, (SELECT count(*) FROM tombstone) FROM meta WHERE name = 'merged'");
                ResultSet row = query.executeQuery()) {
            row.next();
            merged = row.getLong(1);
            tombstones = row.getInt(2);
            keyed.merged(merged);
        }
        try (PreparedStatement query = connection
                .prepareStatement("SELECT seq, queue, lane, state, flow_key FROM job WHERE seq > ? ORDER BY seq")) {
            query.setLong(1, merged);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    if (rows.getInt("state") == StoredJob.WAITING) {
                        add(new Entry(new Lane(rows.getInt("queue"), rows.getObject("lane")), rows.getLong("seq"),
                                rows.getString("flow_key")));
                    } else {
                        otherRows++;
                    }
                }
            }
        }
    }

    /** Adds a new job, or a job that has changed its state, in the transaction under way. */
    void add(int queue, Place place) throws SQLException {
        if (place.state() != StoredJob.WAITING) {
            otherRows += place.seq() > merged ? 1 : 0;
        } else if (place.seq() > merged) {
            added.add(Entry.of(queue, place));
        } else {
            unbury.next().setLong(1, place.seq());
            unbury.next().addBatch();
            PreparedStatement into = reinsert.next();
            into.setInt(1, queue);
            into.setObject(2, place.lane());
            into.setLong(3, place.seq());
            into.addBatch();
        }
    }

    /** Removes a job that is deleted, or changes its state, in the transaction under way. */
    void remove(int queue, Place place) throws SQLException {
        if (place.state() != StoredJob.WAITING) {
            return;
        }
        if (place.seq() > merged) {
            removed.add(Entry.of(queue, place));
        } else if (place.lane() instanceof Integer priority) {
            PreparedStatement from = delete.next();
            from.setInt(1, queue);
            from.setInt(2, priority);
            from.setLong(3, place.seq());
            from.addBatch();
        } else {
            PreparedStatement into = bury.next();
            into.setLong(1, place.seq());
            into.setInt(2, queue);
            into.setObject(3, place.lane());
            into.addBatch();
            tombstones++;
        }
    }

    /** The recent jobs of a lane; null if there are none. */
    @Nullable
    SequenceList recent(Lane lane) {
        return recent.get(lane);
    }

    /** Whether enough has changed for a merge. */
    boolean isMergeDue() {
        return changes() >= nextMergeAt;
    }

    /** Merges, in a transaction of its own. */
    void merge() throws SQLException {
        try (ResultSet row = last.executeQuery()) {
            row.next();
            merging = Math.max(merged, row.getLong(1));
        }
        removeBuried.executeUpdate();
        forgetBuried.executeUpdate();
        insertRecent.setLong(1, merged);
        insertRecent.executeUpdate();
        indexKeyed.setLong(1, merged);
        indexKeyed.executeUpdate();
        advance.setLong(1, merging);
        advance.executeUpdate();
    }

    /** Applies the committed transaction. */
    void committed() {
        if (merging == 0) {
            added.forEach(this::add);
            removed.forEach(this::remove);
        } else {
            merged = merging;
            nextMergeAt = mergeAt;
            recent.clear();
            keyed.merged(merged);
            recentJobs = 0;
            otherRows = 0;
            tombstones = 0;
        }
        transactionEnded();
    }

    /**
     * Discards the transaction under way. A merge that failed, perhaps since the disk is nearly full, is put off, so
     * that small transactions go on.
     */
    void rolledBack() {
        if (merging != 0) {
            nextMergeAt = changes() + 1 + mergeAt / 16;
        }
        transactionEnded();
    }

    private int changes() {
        return Math.max(recentJobs + otherRows, tombstones);
    }

    private void transactionEnded() {
        assert recentJobs >= 0 && (recentJobs == 0) == recent.isEmpty()
                : recentJobs + " in " + recent.size() + " lanes";
        added.clear();
        removed.clear();
        merging = 0;
    }

    private void add(Entry entry) {
        recent.computeIfAbsent(entry.lane, _ -> new SequenceList()).add(entry.seq);
        if (entry.key != null) {
            keyed.add(entry.lane, entry.key, entry.seq);
        }
        recentJobs++;
    }

    private void remove(Entry entry) {
        SequenceList list = recent.get(entry.lane);
        if (list != null) {
            list.remove(entry.seq);
            recentJobs--;
            if (entry.key != null) {
                keyed.remove(entry.lane, entry.key, entry.seq);
            }
            if (list.size() == 0) {
                recent.remove(entry.lane);
            }
        }
    }
}
