package dev.orderly.store.postgres.job;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobRun;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.AttemptColumn;
import dev.orderly.store.sql.ClassNumber;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Running jobs, locked together with their lanes, and the order of each lane's held jobs. */
final class PostgresLockedJobs {
    private static final String LOCK = """
            SELECT job.seq, job.queue, job.grp, job.attempt, job.lone_crashes, node.name AS node_name,
              node.dead AS node_dead, job.node, node.ran, job.cancelling, job.ready_at, job.history,
              job.priority
            FROM PATIENCE CROSS JOIN job
              LEFT JOIN LATERAL (SELECT name, dead, ran FROM node WHERE node.id = job.node LIMIT 1) AS node ON true
            WHERE job.seq = ANY(?) AND job.state + 0 = RUNNING
            ORDER BY job.seq FOR UPDATE OF job""".replace("PATIENCE", LockPatience.SET);

    private final Map<Long, Row> rows = new HashMap<>();
    private final Map<Lane, Boolean> started;
    private final Map<Lane, NavigableSet<Long>> byLane = new HashMap<>();
    private final Set<Long> blocked = new HashSet<>();
    private final Set<Long> leasesEnded = new HashSet<>();

    /** A running job. */
    record Row(long seq, int queue, @Nullable Lane lane, int attempt, int loneCrashes,
            @Nullable String node, @Nullable Death nodesDeath, boolean cancelling, long claimedAt,
            @Nullable String history, boolean keyed) {
        /** Whether no node holds the job. */
        boolean isLeased() {
            return node == null;
        }

        private JobRun run() {
            return new JobRun(node == null ? null : new NodeId(node), JobColumns.claimedAt(seq, attempt, claimedAt));
        }

        /** The column of attempts with this one. */
        String historyWith(AttemptOutcome outcome, long now) {
            return AttemptColumn.appended(history,
                    AttemptSnapshot.ended(attempt, run(), outcome, Instant.ofEpochMilli(now)));
        }

        /** The column of attempts with this one, whose node is dead. */
        String historyWithDeath(@Nullable JobFailure failure, long now) {
            return AttemptColumn.appended(history,
                    AttemptSnapshot.lost(attempt, run(), failure, Instant.ofEpochMilli(now)));
        }

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
     * @param ran number of jobs that may have run at that moment; 0 once the node has come back
     */
    record Death(int node, int ran) {}

    private PostgresLockedJobs(Map<Lane, Boolean> started) {
        this.started = started;
    }

    /**
     * Locks the lanes of jobs, then the running ones of the jobs.
     *
     * @param grouped whether any of the jobs may be in a group
     */
    static PostgresLockedJobs lock(Connection connection, Collection<Long> seqs, boolean grouped, LockPatience patience)
            throws SQLException {
        Map<Long, Lane> laneOf = new HashMap<>();
        if (grouped) {
            new Sql(connection, "SELECT seq, queue, grp FROM job WHERE seq = ANY(?) AND grp IS NOT NULL").longs(seqs)
                    .list(row -> laneOf.put(row.getLong(1), new Lane(row.getInt(2), row.getString(3))));
        }
        Set<Lane> lanes = new HashSet<>(laneOf.values());
        PostgresLockedJobs locked = new PostgresLockedJobs(Lanes.lock(connection, lanes, patience));
        Set<Lane> heldByOthers = new HashSet<>(lanes);
        heldByOthers.removeAll(locked.started.keySet());
        if (patience == LockPatience.NONE && !heldByOthers.isEmpty()) {
            Set<Lane> existing = Lanes.existing(connection, heldByOthers);
            lanes.removeAll(existing);
            seqs.stream().filter(seq -> existing.contains(laneOf.get(seq))).forEach(locked.blocked::add);
        }
        locked.lockJobs(connection, seqs.stream().filter(seq -> !locked.blocked.contains(seq)).toList(), patience);
        locked.readLanes(connection, List.copyOf(lanes));
        return locked;
    }

    private void lockJobs(Connection connection, List<Long> seqs, LockPatience patience) throws SQLException {
        new Sql(connection, LOCK + patience.lock()).with(patience.millis()).longs(seqs)
                .list(row -> new Row(row.getLong("seq"), row.getInt("queue"),
                        Lane.of(row.getInt("queue"), row.getString("grp")),
                        row.getInt("attempt"), row.getInt("lone_crashes"), row.getString("node_name"),
                        row.getBoolean("node_dead") ? new Death(row.getInt("node"), row.getInt("ran")) : null,
                        row.getBoolean("cancelling"),
                        row.getLong("ready_at"), row.getString("history"),
                        ClassNumber.hasKey(row.getInt("priority"))))
                .forEach(row -> rows.put(row.seq, row));
        List<Long> others = seqs.stream().filter(seq -> !rows.containsKey(seq)).toList();
        if (patience == LockPatience.NONE && !others.isEmpty()) {
            blocked.addAll(
                    new Sql(connection, "SELECT seq FROM job WHERE seq = ANY(?) AND state + 0 = RUNNING").longs(others)
                            .list(row -> row.getLong(1)));
        }
    }

    private void readLanes(Connection connection, List<Lane> lanes) throws SQLException {
        if (!lanes.isEmpty()) {
            new Sql(connection, """
                    SELECT wanted.queue, wanted.name, held.seq FROM unnest(?, ?) AS wanted(queue, name)
                      CROSS JOIN LATERAL (SELECT seq FROM job WHERE job.queue = wanted.queue AND job.grp = wanted.name
                        AND job.state - RUNNING = 0 OFFSET 0) AS held""")
                    .ints(lanes.stream().map(Lane::queue).toList()).texts(lanes.stream().map(Lane::name).toList())
                    .list(row -> byLane.computeIfAbsent(new Lane(row.getInt(1), row.getString(2)),
                            _ -> new TreeSet<>()).add(row.getLong(3)));
        }
    }

    /** Whether another transaction has locked the job or its lane. Only with {@link LockPatience#NONE}. */
    boolean isBlocked(long seq) {
        return blocked.contains(seq);
    }

    /** The job if it is running and was not let go; else null. */
    @Nullable
    Row find(long seq) {
        return rows.get(seq);
    }

    /**
     * Whether the job may have run. On a FIFO queue it cannot have while an earlier job of the same run was unsettled.
     */
    boolean mayHaveRun(Row row) {
        return row.lane == null || (isFirst(row, row.lane) && started.getOrDefault(row.lane, false));
    }

    /**
     * Removes a job.
     *
     * @param nextStarts whether the next job of the same run starts now
     */
    void letGo(Row row, boolean nextStarts) {
        rows.remove(row.seq);
        if (row.isLeased()) {
            leasesEnded.add(row.seq);
        }
        if (row.lane != null) {
            if (nextStarts || isFirst(row, row.lane)) {
                started.put(row.lane, nextStarts);
            }
            ofLane(row.lane).remove(row.seq);
        }
    }

    /** Jobs that were leased and let go. */
    Set<Long> leasesEnded() {
        return leasesEnded;
    }

    /** Lanes with jobs that a node still holds, of which the first may have run, or may not. */
    List<Lane> stillHeld(boolean mayHaveRun) {
        return started.entrySet().stream().filter(each -> each.getValue() == mayHaveRun).map(Map.Entry::getKey)
                .filter(lane -> !ofLane(lane).isEmpty()).toList();
    }

    /** Lanes of which no node holds a job any more. */
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
