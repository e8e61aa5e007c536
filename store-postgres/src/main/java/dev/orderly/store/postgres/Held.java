package dev.orderly.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Running jobs, locked together with their lanes, and who of them is first in its lane. */
final class Held {
    private final Map<Long, Row> rows = new HashMap<>();
    private final Map<Lane, Boolean> started;
    private final Map<Lane, NavigableSet<Long>> byLane = new HashMap<>();

    /** A running job. */
    record Row(long seq, int queue, @Nullable Lane lane, int attempt, int crashes, String node,
            @Nullable Death nodesDeath) {
        boolean nodeDead() {
            return nodesDeath != null;
        }

        Death death() {
            return Objects.requireNonNull(nodesDeath, "The node lives");
        }
    }

    /**
     * The end of a life of a node.
     *
     * @param ran how many jobs may have run at that moment; none once the node has come back
     */
    record Death(int node, int ran) {}

    private Held(Map<Lane, Boolean> started) {
        this.started = started;
    }

    /** Locks the lanes of these jobs, then those of the jobs that run. */
    static Held lock(Connection connection, Collection<Long> seqs, boolean grouped) throws SQLException {
        List<Lane> lanes = grouped
                ? new Sql(connection,
                        "SELECT DISTINCT queue, grp FROM job WHERE seq = ANY(?) AND grp IS NOT NULL").longs(seqs)
                        .list(row -> new Lane(row.getInt(1), row.getString(2)))
                : List.of();
        Held held = new Held(Lanes.lock(connection, lanes));
        new Sql(connection, """
                SELECT job.seq, job.queue, job.grp, job.attempt, job.crashes, node.name, node.dead,
                  job.node, node.ran
                FROM job CROSS JOIN LATERAL (SELECT name, dead, ran FROM node WHERE node.id = job.node LIMIT 1) AS node
                WHERE job.seq = ANY(?) AND job.state + 0 = 2
                ORDER BY job.seq FOR UPDATE OF job""").longs(seqs)
                .list(row -> new Row(row.getLong(1), row.getInt(2), Lane.of(row.getInt(2), row.getString(3)),
                        row.getInt(4), row.getInt(5), row.getString(6),
                        row.getBoolean(7) ? new Death(row.getInt(8), row.getInt(9)) : null))
                .forEach(row -> held.rows.put(row.seq, row));
        if (!lanes.isEmpty()) {
            new Sql(connection, """
                    SELECT wanted.queue, wanted.name, held.seq FROM unnest(?, ?) AS wanted(queue, name)
                      CROSS JOIN LATERAL (SELECT seq FROM job WHERE job.queue = wanted.queue AND job.grp = wanted.name
                        AND job.state = 2 OFFSET 0) AS held""")
                    .ints(lanes.stream().map(Lane::queue).toList()).texts(lanes.stream().map(Lane::name).toList())
                    .list(row -> held.byLane.computeIfAbsent(new Lane(row.getInt(1), row.getString(2)),
                            _ -> new TreeSet<>()).add(row.getLong(3)));
        }
        return held;
    }

    /** The job if it runs, and was not let go already. */
    @Nullable
    Row find(long seq) {
        return rows.get(seq);
    }

    /** Whether the job may have run: on a FIFO queue not while one handed out before it was unsettled. */
    boolean mayHaveRun(Row row) {
        return row.lane == null || (isFirst(row, row.lane) && started.getOrDefault(row.lane, false));
    }

    /**
     * Lets go of a job.
     *
     * @param nextStarts whether the one handed out behind it runs now
     */
    void letGo(Row row, boolean nextStarts) {
        rows.remove(row.seq);
        if (row.lane != null) {
            if (nextStarts || isFirst(row, row.lane)) {
                started.put(row.lane, nextStarts);
            }
            ofLane(row.lane).remove(row.seq);
        }
    }

    /** Lanes that still are with a node and whose first job may have run, or may not. */
    List<Lane> stillHeld(boolean mayHaveRun) {
        return started.entrySet().stream().filter(each -> each.getValue() == mayHaveRun).map(Map.Entry::getKey)
                .filter(lane -> !ofLane(lane).isEmpty()).toList();
    }

    /** Lanes of which nothing is with a node any more. */
    List<Lane> free() {
        return started.keySet().stream().filter(lane -> ofLane(lane).isEmpty()).toList();
    }

    private boolean isFirst(Row row, Lane lane) {
        NavigableSet<Long> held = ofLane(lane);
        return !held.isEmpty() && Objects.equals(held.first(), row.seq);
    }

    private NavigableSet<Long> ofLane(Lane lane) {
        return byLane.computeIfAbsent(lane, _ -> new TreeSet<>());
    }
}
