package dev.orderly.store.postgres.job.search;

import dev.orderly.job.search.GroupPage.Phase;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.GroupScan;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The groups of a FIFO queue: the rows of lanes, and seeks in the indexes of grouped jobs. */
final class PostgresGroupSeeks implements GroupScan.Index {
    private static final int HELD = 1;
    private static final int DELAYED = 3;

    private final Connection connection;
    private final int queue;

    PostgresGroupSeeks(Connection connection, int queue) {
        this.connection = connection;
        this.queue = queue;
    }

    @Override
    public List<String> names(String from, boolean inclusive, int most) throws SQLException {
        return new Sql(connection, "SELECT name FROM lane WHERE queue = ? AND name " + (inclusive ? ">=" : ">")
                + " ? ORDER BY queue, name LIMIT ?").with(queue).with(from).with(most).list(row -> row.getString(1));
    }

    @Override
    public List<String> in(Phase phase, int most) throws SQLException {
        String sql = switch (phase) {
            case HALTED -> "SELECT DISTINCT grp FROM job WHERE queue = ? AND state - HALTING = 0 LIMIT ?";
            case RETRYING -> "SELECT name FROM lane WHERE queue = ? AND state = LANE_DELAYED"
                    + " ORDER BY queue, ready_at LIMIT ?";
            case RUNNING, READY ->
                "SELECT DISTINCT grp FROM job WHERE queue = ? AND state - RUNNING = 0 AND grp IS NOT NULL LIMIT ?";
        };
        return new Sql(connection, sql).with(queue).with(most).list(row -> row.getString(1));
    }

    @Override
    public List<String> sample(boolean oldest, int jobs) throws SQLException {
        return new Sql(connection, "SELECT grp FROM (SELECT queue, grp, state FROM job ORDER BY seq"
                + (oldest ? "" : " DESC") + " LIMIT ?) AS looked WHERE queue = ? AND grp IS NOT NULL"
                + " AND state <= RUNNING")
                .with(jobs).with(queue).list(row -> row.getString(1));
    }

    @Override
    public long count(String group, long most) throws SQLException {
        return new Sql(connection, "SELECT count(*) FROM (SELECT 1 FROM job WHERE queue = ? AND grp = ?"
                + " AND grp IS NOT NULL AND state <= RUNNING LIMIT ?) AS counted").with(queue).with(group).with(most)
                .number();
    }

    @Override
    public GroupScan.@Nullable Head head(String group) throws SQLException {
        return new Sql(connection, """
                SELECT coalesce((SELECT seq FROM job WHERE job.queue = lane.queue AND job.grp = lane.name
                    AND job.grp IS NOT NULL AND job.state <= RUNNING ORDER BY job.seq + 0 LIMIT 1), 0),
                  coalesce((SELECT min(seq) FROM job WHERE job.queue = lane.queue AND job.grp = lane.name
                    AND job.state - HALTING = 0), 0), lane.state, lane.ready_at
                FROM lane WHERE queue = ? AND name = ?""").with(queue).with(group)
                .first(row -> new GroupScan.Head(row.getLong(1), row.getLong(2), row.getInt(3) == HELD,
                        row.getInt(3) == DELAYED ? Instant.ofEpochMilli(row.getLong(4)) : null));
    }
}
