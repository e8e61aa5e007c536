package dev.orderly.store.sqlite.table;

import dev.orderly.job.store.StartWindow;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sql.ParamsColumn;
import dev.orderly.store.sqlite.table.JobTable.Lane;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Statements on the jobs with keys in table {@code job}, and on the tokens of keys in {@code key_window}. */
public final class KeyRows {
    private static final String WAITING = " FROM job INDEXED BY keyed WHERE queue = ?1 AND key_indexed = 1"
            + " AND state = WAITING";

    private final ParamsColumn params;
    private final RecentKeyedJobs recents;
    private final PreparedStatement waiting;
    private final PreparedStatement recent;
    private final PreparedStatement names;
    private final PreparedStatement windows;
    private final PreparedStatement put;
    private final PreparedStatement prune;

    KeyRows(Connection connection, ParamsColumn params, RecentKeyedJobs recents) throws SQLException {
        this.params = params;
        this.recents = recents;
        waiting = StoredJob.prepare(connection, JobTable.COLUMNS + WAITING
                + " AND flow_key = ?2 AND lane = ?3 AND seq > ?4 ORDER BY seq");
        recent = StoredJob.prepare(connection, JobTable.COLUMNS + " FROM job WHERE seq = ? AND state = WAITING");
        names = StoredJob.prepare(connection, "WITH RECURSIVE step(name) AS (SELECT min(flow_key)" + WAITING
                + " UNION ALL SELECT (SELECT min(flow_key)" + WAITING + " AND flow_key > step.name) FROM step"
                + " WHERE step.name IS NOT NULL) SELECT name FROM step WHERE name IS NOT NULL");
        windows = connection.prepareStatement("SELECT flow_key, taken FROM key_window WHERE queue = ?");
        put = connection.prepareStatement(
                "INSERT OR REPLACE INTO key_window(queue, flow_key, until, taken) VALUES(?, ?, ?, ?)");
        prune = connection.prepareStatement("DELETE FROM key_window WHERE until <= ?");
    }

    /**
     * Reads the wanted waiting jobs of a key after a place, by priority and then push order, until the sink ends it.
     */
    public void waiting(int queue, String key, @Nullable Place after, LongPredicate wanted, Predicate<StoredJob> sink)
            throws SQLException {
        int first = after == null ? Integer.MIN_VALUE : (Integer) after.lane();
        for (int number : ClassNumber.KEYED) {
            long behind = after != null && number == first ? after.seq() : 0;
            if (number >= first && !waiting(new Lane(queue, number), key, behind, wanted, sink)) {
                return;
            }
        }
    }

    /** Reads the jobs of one class, first those of the index; false if the sink has returned false. */
    private boolean waiting(Lane lane, String key, long after, LongPredicate wanted, Predicate<StoredJob> sink)
            throws SQLException {
        waiting.setInt(1, lane.queue());
        waiting.setString(2, key);
        waiting.setObject(3, lane.lane());
        waiting.setLong(4, after);
        boolean more = JobTable.walk(waiting, params, wanted, sink);
        SequenceList list = more ? recents.of(lane, key) : null;
        for (int i = list == null ? 0 : list.after(after); list != null && more && i < list.size(); i++) {
            if (wanted.test(list.get(i))) {
                recent.setLong(1, list.get(i));
                more = JobTable.walk(recent, params, wanted, sink);
            }
        }
        return more;
    }

    /** The keys that have waiting jobs, at the cost of one index seek per key. */
    public Set<String> names(int queue) throws SQLException {
        names.setInt(1, queue);
        Set<String> found = new HashSet<>(recents.names(queue));
        try (ResultSet rows = names.executeQuery()) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    /** The number of the recent jobs of a key; on any thread. */
    public RecentKeyedJobs.Pending recent(int queue, String key) {
        return recents.pending(queue, key);
    }

    /** The tokens of keys. */
    public Map<String, StartWindow> windows(int queue) throws SQLException {
        windows.setInt(1, queue);
        Map<String, StartWindow> found = new HashMap<>();
        try (ResultSet rows = windows.executeQuery()) {
            while (rows.next()) {
                found.put(rows.getString(1), StartWindow.ofColumn(rows.getString(2)));
            }
        }
        return found;
    }

    /**
     * Writes the tokens of a key.
     *
     * @param until the moment from which none of them counts, in Unix milliseconds
     */
    public void put(int queue, String key, StartWindow window, long until) throws SQLException {
        put.setInt(1, queue);
        put.setString(2, key);
        put.setLong(3, until);
        put.setString(4, window.column());
        put.executeUpdate();
    }

    /** Removes tokens that do not count any more. */
    public void prune(long now) throws SQLException {
        prune.setLong(1, now);
        prune.executeUpdate();
    }
}
