package dev.orderly.store.postgres.job;

import dev.orderly.job.CancelResult;
import dev.orderly.job.EventResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.QueueSnapshot;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.PostgresLeaseTable;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.StateName;
import dev.orderly.store.sql.AttemptColumn;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.EventRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The requests of operators: pause, redrive, cancel, forget. */
final class PostgresJobChanges {
    private final DatabaseJobIds ids;
    private final PostgresQueueTable queues;
    private final PostgresLeaseTable leases;

    PostgresJobChanges(DatabaseJobIds ids, PostgresQueueTable queues, PostgresLeaseTable leases) {
        this.ids = ids;
        this.queues = queues;
        this.leases = leases;
    }

    private record Found(long seq, int queue, @Nullable String group, int state) {
        @Nullable
        Lane lane() {
            return Lane.of(queue, group);
        }
    }

    /** Pauses or resumes a queue. Pausing an unknown queue makes it known; resuming it does nothing. */
    boolean pause(Connection connection, QueueName queue, boolean paused) throws SQLException {
        if (paused) {
            queues.one(connection, queue);
        }
        return new Sql(connection, "UPDATE queue SET paused = ?, forgotten = forgotten AND NOT ? WHERE name = ?")
                .with(paused).with(paused).with(queue.value()).update() > 0;
    }

    /**
     * Forgets a queue. Its row stays, so that a push by a number that a node knows finds it; the lock of the row keeps
     * declarations and pauses apart.
     */
    static ForgetQueueResult forget(Connection connection, QueueName queue) throws SQLException {
        Row row = new Sql(connection, "SELECT id, paused, forgotten, declarer FROM queue WHERE name = ? FOR UPDATE")
                .with(queue.value())
                .first(each -> new Row(each.getInt(1), each.getBoolean(2), each.getBoolean(3), each.getString(4)));
        if (row == null) {
            return new ForgetQueueResult.Unknown(queue);
        }
        long[] counts = new long[6];
        new Sql(connection, "SELECT state, sum(jobs) FROM tally WHERE queue = ? GROUP BY state").with(row.id)
                .list(each -> counts[each.getInt(1)] = each.getLong(2));
        QueueView view = new QueueSnapshot(queue, row.paused, counts[0], counts[1], counts[2], 0,
                counts[3] + counts[4], counts[5], 0, null);
        boolean holdsJobs = ForgetQueueResult.InUse.holdsJobs(view);
        if (row.forgotten && !holdsJobs) {
            return new ForgetQueueResult.Unknown(queue);
        }
        Set<NodeId> nodes = Set.copyOf(new Sql(connection, """
                SELECT name FROM node WHERE NOT dead AND (name = ? OR coalesce(? = ANY(queues), true))""")
                .with(row.declarer == null ? "" : row.declarer).with(queue.value())
                .list(each -> new NodeId(each.getString(1))));
        if (holdsJobs || !nodes.isEmpty()) {
            return new ForgetQueueResult.InUse(view, nodes);
        }
        new Sql(connection, """
                UPDATE queue SET forgotten = true, paused = false, halts = false, declarer = NULL, flow_limit = NULL,
                  limit_declarer = NULL, key_limit = NULL, key_declarer = NULL WHERE id = ?""")
                .with(row.id).update();
        PostgresKeySettings.forget(connection, row.id);
        forgetKeys(connection, row.id);
        return new ForgetQueueResult.Forgotten(queue);
    }

    /**
     * Makes the keys of a queue without jobs idle, as no claim will, so that upkeep forgets them. A key that a push
     * holds stays, and one that has a waiting job by now.
     */
    private static void forgetKeys(Connection connection, int queue) throws SQLException {
        List<String> keys = new Sql(connection,
                "SELECT key FROM flow_key WHERE queue = ? AND state <> KEY_IDLE FOR UPDATE SKIP LOCKED").with(queue)
                .list(row -> row.getString(1));
        new Sql(connection, """
                UPDATE flow_key SET state = KEY_IDLE, ready_at = 0 WHERE queue = ? AND key = ANY(?)
                  AND (SELECT true FROM job WHERE job.queue = flow_key.queue AND job.flow_key = flow_key.key
                    AND job.flow_key IS NOT NULL AND job.state = WAITING LIMIT 1) IS NULL""").with(queue).texts(keys)
                .update();
        new Sql(connection, """
                DELETE FROM flow_wake WHERE queue = ?
                  AND (SELECT true FROM job WHERE job.queue = flow_wake.queue AND job.flow_key = flow_wake.key
                    AND job.flow_key IS NOT NULL AND job.state = WAITING LIMIT 1) IS NULL""").with(queue).update();
    }

    private record Row(int id, boolean paused, boolean forgotten, @Nullable String declarer) {}

    /**
     * A request for dead letters of a queue.
     *
     * @param meant the dead letters; null for all of the queue
     */
    record Redrive(QueueName queue, @Nullable List<JobId> meant, int limit) {}

    /** @param without lanes that are left out */
    int redrive(Connection connection, Redrive asked, Set<Lane> without, Instant now) throws SQLException {
        List<Found> dead = dead(connection, asked).stream()
                .filter(each -> each.lane() == null || !without.contains(each.lane())).toList();
        Set<Lane> lanes = lanes(dead);
        Lanes.open(connection, lanes, LockPatience.BRIEF);
        List<Long> seqs = dead.stream().map(Found::seq).toList();
        unexpire(connection, seqs);
        int redriven = dead.isEmpty()
                ? 0
                : new Sql(connection,
                        """
                                WITH dead AS MATERIALIZED (
                                  SELECT seq, queue, state, batch FROM job WHERE seq = ANY(?) AND state + 0 >= DEAD
                                  ORDER BY seq FOR UPDATE),
                                told AS (
                                  INSERT INTO batch_tally(batch, dead) SELECT batch, -count(*) FROM dead
                                  WHERE batch IS NOT NULL GROUP BY batch),
                                counted AS (
                                  INSERT INTO tally SELECT queue, state, -count(*) FROM dead GROUP BY queue, state
                                    UNION ALL SELECT queue, 0, count(*) FROM dead GROUP BY queue)
                                UPDATE job SET state = WAITING, ready_at = 0, failures = 0, crashes = 0,
                                  lone_crashes = 0, failure = NULL, failure_detail = NULL, error = NULL
                                FROM dead WHERE job.seq = ANY(ARRAY[dead.seq])""")
                        .longs(seqs).update();
        Lanes.recompute(connection, lanes, now);
        if (!asked.queue.isFifo() && redriven > 0) {
            PostgresPushes.wake(connection, seqs);
        }
        return redriven;
    }

    /** Takes the expiry out of the terms of dead letters, so that they run again whenever they are redriven. */
    private static void unexpire(Connection connection, List<Long> seqs) throws SQLException {
        List<Map.Entry<Long, String>> expiring = seqs.isEmpty()
                ? List.of()
                : new Sql(connection, "SELECT seq, params FROM job WHERE seq = ANY(?) AND state + 0 >= DEAD"
                        + " AND expires_at IS NOT NULL").longs(seqs)
                        .list(row -> Map.entry(row.getLong(1), row.getString(2)));
        for (Map.Entry<Long, String> each : expiring) {
            new Sql(connection, "UPDATE job SET expires_at = NULL, params = ? WHERE seq = ? AND state >= DEAD")
                    .with(ColumnCodecs.params(ColumnCodecs.params(each.getValue()),
                            ColumnCodecs.terms(each.getValue()).withExpiresAt(null)))
                    .with(each.getKey()).update();
        }
    }

    /** Redrives the jobs that no other transaction blocks, after a wait for all was in vain. */
    int redriveOthers(Connection connection, Redrive asked, Instant now) throws SQLException {
        Set<Lane> blocked = BlockedJobs.lanes(connection, lanes(dead(connection, asked)));
        connection.rollback();
        int redriven = redrive(connection, asked, blocked, now);
        if (redriven == 0 && !blocked.isEmpty()) {
            throw new StoreException.Unavailable("Nothing was redriven: open transactions pushed into group "
                    + blocked.iterator().next().name() + " of queue " + asked.queue
                    + " or completed a job of it; try again when they have ended", null);
        }
        return redriven;
    }

    private List<Found> dead(Connection connection, Redrive asked) throws SQLException {
        QueueName queue = asked.queue;
        List<JobId> meant = asked.meant;
        if (meant != null && meant.isEmpty()) {
            return List.of();
        }
        Map<QueueName, Integer> known = queues.existing(connection, List.of(queue));
        if (known.isEmpty()) {
            return List.of();
        }
        Sql query = new Sql(connection, "SELECT seq, queue, grp, state FROM job WHERE queue = ? AND state >= DEAD"
                + (meant == null ? "" : " AND seq = ANY(?)") + " ORDER BY seq + 0 LIMIT ?")
                .with(Objects.requireNonNull(known.get(queue)));
        if (meant != null) {
            query.longs(meant.stream().filter(ids::isOwn).map(JobId::sequence).toList());
        }
        return query.with(asked.limit).list(PostgresJobChanges::found);
    }

    private static Set<Lane> lanes(List<Found> dead) {
        Set<Lane> lanes = new LinkedHashSet<>();
        for (Found each : dead) {
            if (each.lane() != null) {
                lanes.add(each.lane());
            }
        }
        return lanes;
    }

    CancelResult cancel(Connection connection, JobId id, Instant now) throws SQLException {
        if (!ids.isOwn(id)) {
            return CancelResult.UNKNOWN;
        }
        Found seen = find(connection, id, "");
        Lane lane = seen == null ? null : seen.lane();
        List<Lane> lanes = lane == null ? List.of() : List.of(lane);
        Lanes.lock(connection, lanes, LockPatience.BRIEF);
        Found job = find(connection, id, " FOR UPDATE");
        if (job == null) {
            return new Sql(connection, "SELECT seq FROM ended WHERE seq = ?").with(id.sequence())
                    .first(row -> true) == null ? CancelResult.UNKNOWN : CancelResult.ENDED;
        }
        if (job.state == StateName.RUNNING.code()) {
            new Sql(connection, "UPDATE job SET cancelling = true WHERE seq = ?").with(job.seq).update();
            leases.cancel(connection, job.seq);
            return CancelResult.REQUESTED;
        }
        JobChanges changes = new JobChanges(now);
        changes.cancelled(job.seq, AttemptOutcome.Cancelled.onRequest().reason());
        changes.write(connection);
        Lanes.recompute(connection, lanes, now);
        return CancelResult.CANCELLED;
    }

    /** Ends jobs that have expired and do not run, but for those that another transaction has locked. */
    List<JobId> endExpired(Connection connection, Instant now, int limit) throws SQLException {
        record Expired(Found job, long at, List<JobAttempt> before) {}
        List<Expired> expired = new Sql(connection, "SELECT seq, queue, grp, state, expires_at, history FROM job"
                + " WHERE expires_at IS NOT NULL AND state <= DELAYED AND expires_at <= ? ORDER BY expires_at LIMIT ?")
                .with(now.toEpochMilli()).with(limit).list(row -> new Expired(found(row), row.getLong(5),
                        AttemptColumn.read(row.getString(6), UnaryOperator.identity())));
        if (expired.isEmpty()) {
            return List.of();
        }
        Set<Lane> lanes = Lanes.lock(connection, lanes(expired.stream().map(Expired::job).toList()), LockPatience.NONE)
                .keySet();
        Set<Long> locked = new HashSet<>(new Sql(connection, "SELECT seq FROM job WHERE seq = ANY(?)"
                + " AND state <= DELAYED ORDER BY seq FOR UPDATE SKIP LOCKED")
                .longs(expired.stream().map(Expired::job)
                        .filter(job -> job.lane() == null || lanes.contains(job.lane())).map(Found::seq).toList())
                .list(row -> row.getLong(1)));
        JobChanges changes = new JobChanges(now);
        expired.stream().filter(each -> locked.contains(each.job.seq)).forEach(each -> changes.cancelled(each.job.seq,
                AttemptOutcome.Cancelled.expired(Instant.ofEpochMilli(each.at), each.before).reason()));
        changes.write(connection);
        Lanes.recompute(connection, lanes, now);
        return locked.stream().sorted().map(ids::of).toList();
    }

    RunNowResult runNow(Connection connection, JobId id, Instant now) throws SQLException {
        Found seen = ids.isOwn(id) ? find(connection, id, "") : null;
        if (seen == null) {
            boolean ended = ids.isOwn(id) && new Sql(connection, "SELECT seq FROM ended WHERE seq = ?")
                    .with(id.sequence()).first(row -> true) != null;
            return ended ? RunNowResult.NOT_DELAYED : RunNowResult.UNKNOWN;
        }
        List<Lane> lanes = seen.lane() == null ? List.of() : List.of(seen.lane());
        Lanes.lock(connection, lanes, LockPatience.BRIEF);
        return makeDue(connection, seen, now) ? RunNowResult.DUE : RunNowResult.NOT_DELAYED;
    }

    /** Makes a job due whose lane is locked; whether it was delayed. */
    private static boolean makeDue(Connection connection, Found job, Instant now) throws SQLException {
        int changed = new Sql(connection, """
                WITH due AS (
                  UPDATE job SET state = WAITING, ready_at = 0 WHERE seq = ? AND state = DELAYED AND ready_at > ?
                  RETURNING queue),
                counted AS (
                  INSERT INTO tally SELECT due.queue, change.state, change.sign
                  FROM due CROSS JOIN (VALUES(1, -1), (0, 1)) AS change(state, sign))
                SELECT queue FROM due""").with(job.seq).with(ColumnCodecs.millis(now)).list(row -> 1).size();
        Lane lane = job.lane();
        Lanes.recompute(connection, lane == null ? List.of() : List.of(lane), now);
        if (lane == null && changed > 0) {
            PostgresPushes.wake(connection, List.of(job.seq));
        }
        return changed > 0;
    }

    /** {@link dev.orderly.job.store.JobStore#event}: under the lock of the job, as settlements and waits are. */
    EventResult event(Connection connection, NewEvent event, Instant now) throws SQLException {
        if (!ids.isOwn(event.job())) {
            return EventResult.UNKNOWN;
        }
        long seq = event.job().sequence();
        Found seen = find(connection, event.job(), "");
        Lane lane = seen == null ? null : seen.lane();
        Lanes.lock(connection, lane == null ? List.of() : List.of(lane), LockPatience.BRIEF);
        Integer attempt = new Sql(connection, "SELECT attempt FROM " + LockPatience.SET
                + "CROSS JOIN job WHERE seq = ? FOR UPDATE OF job").with(LockPatience.BRIEF.millis()).with(seq)
                .first(row -> row.getInt(1));
        if (seen == null || attempt == null) {
            return new Sql(connection, "SELECT seq FROM ended WHERE seq = ?").with(seq).first(row -> true) == null
                    ? EventResult.UNKNOWN
                    : EventResult.ENDED;
        }
        EventResult result = EventRows.keep(connection, seq, event, now);
        if (result == EventResult.ACCEPTED && EventRows.isAwaited(connection, seq, event.name(), attempt)) {
            makeDue(connection, seen, now);
        }
        return result;
    }

    private static @Nullable Found find(Connection connection, JobId id, String lock) throws SQLException {
        return new Sql(connection, "SELECT seq, queue, grp, state FROM job WHERE seq = ?" + lock).with(id.sequence())
                .first(PostgresJobChanges::found);
    }

    private static Found found(java.sql.ResultSet row) throws SQLException {
        return new Found(row.getLong(1), row.getInt(2), row.getString(3), row.getInt(4));
    }
}
