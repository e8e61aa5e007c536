package dev.orderly.store.postgres.job;

import dev.orderly.job.JobId;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.store.postgres.job.scan.PassedBound;
import dev.orderly.store.postgres.job.scan.TallyBound;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.StateName;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.EventRows;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One round of upkeep: jobs of dead nodes are given back, rows past their retention are deleted. Rows that another
 * transaction has locked are left to a later round.
 */
final class UpkeepRound {
    /** Retention of dead nodes, so that a node learns of its death when it beats again. */
    private static final Duration NODE_KEPT = Duration.ofDays(7);

    /**
     * What the rounds of a node remember of a server, so that none walks over what earlier ones have deleted.
     * Thread-safe.
     */
    static final class Bounds {
        final TallyBound tally;
        private final PassedBound ended;
        private final PassedBound dead;
        private final PostgresSteps steps = new PostgresSteps();
        /** The last job whose events a round has swept. */
        private final AtomicLong events = new AtomicLong();
        private final Map<Integer, PassedBound> keys;
        /** Dead nodes that hold no job. A dead node gets none. */
        private final Set<Integer> emptied = ConcurrentHashMap.newKeySet();

        Bounds(Time time) {
            tally = new TallyBound(time);
            ended = new PassedBound(time);
            dead = new PassedBound(time);
            keys = Map.of(StoredDedupeKeys.DEDUPE, new PassedBound(time), StoredDedupeKeys.IDEMPOTENCY,
                    new PassedBound(time), StoredDedupeKeys.KEPT, new PassedBound(time));
        }

        PassedBound keys(int kind) {
            return Objects.requireNonNull(keys.get(kind));
        }
    }

    private final DatabaseJobIds ids;
    private final UpkeepRequest request;
    private final Instant now;
    private final List<JobId> givenBack = new ArrayList<>();
    private final List<JobId> poisoned = new ArrayList<>();
    private final List<JobId> cancelled = new ArrayList<>();
    private final List<Integer> crashedNodes = new ArrayList<>();
    private final List<Long> crashedJobs = new ArrayList<>();
    private final List<Integer> crashedAlone = new ArrayList<>();

    UpkeepRound(DatabaseJobIds ids, UpkeepRequest request, Instant now) {
        this.ids = ids;
        this.request = request;
        this.now = now;
    }

    /**
     * Stores the policies of queues for dead letters, as far as they {@link Declared#replaces replace} the stored ones.
     * Halting makes a queue known; an unknown queue continues anyway.
     */
    int keepPolicies(Connection connection) throws SQLException {
        List<Map.Entry<QueueName, Declared<OnDead>>> declared = request.onDead().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.comparing(QueueName::value))).toList();
        List<String> halting = declared.stream().filter(each -> each.getValue().value() == OnDead.HALT)
                .map(each -> each.getKey().value()).toList();
        int added = halting.isEmpty()
                ? 0
                : new Sql(connection, """
                        INSERT INTO queue(name) SELECT name FROM unnest(?) AS t(name)
                        WHERE NOT EXISTS(SELECT FROM queue WHERE queue.name = t.name) ON CONFLICT DO NOTHING""")
                        .texts(halting).update();
        return added + new Sql(connection, """
                UPDATE queue SET halts = wanted.halts = 1, declarer = wanted.node, forgotten = false
                FROM unnest(?, ?, ?, ?) AS wanted(name, halts, node, anew)
                WHERE queue.name = wanted.name
                  AND (queue.halts <> (wanted.halts = 1) OR queue.declarer IS DISTINCT FROM wanted.node)
                  AND (wanted.anew = 1 OR (job_node_lives(wanted.node) AND (queue.declarer = wanted.node
                    OR NOT job_node_lives(queue.declarer))))""")
                .texts(declared.stream().map(each -> each.getKey().value()).toList())
                .ints(declared.stream().map(each -> each.getValue().value() == OnDead.HALT ? 1 : 0).toList())
                .texts(declared.stream().map(each -> each.getValue().node().value()).toList())
                .ints(declared.stream().map(each -> each.getValue().anew() ? 1 : 0).toList()).update();
    }

    /** @param ended the number of ended jobs */
    UpkeepReport write(Connection connection, Bounds bounds, long ended) throws SQLException {
        int taken = giveBackOfDeadNodes(connection, bounds);
        boolean alone = isAlone(connection, "job");
        boolean more = alone && FutureTimestamps.mend(connection, now, request.limit());
        int pruned = alone ? prune(connection, bounds, ended) : 0;
        more |= alone && bounds.steps.sweep(connection) > 0;
        if (alone) {
            bounds.events.set(EventRows.sweep(connection, bounds.events.get()));
        }
        return new UpkeepReport(givenBack, poisoned, cancelled, List.of(), List.of(), pruned, 0,
                more || taken == most() || pruned == request.limit());
    }

    private int most() {
        return Math.min(request.limit(), PostgresSettlements.STEP);
    }

    /** The jobs that dead nodes hold, as many as a round takes. */
    private List<Long> lost(Connection connection, Bounds bounds) throws SQLException {
        List<Long> lost = new ArrayList<>();
        for (int gone : new Sql(connection, "SELECT id FROM node WHERE dead AND id <> ALL(?) ORDER BY id")
                .ints(bounds.emptied).list(row -> row.getInt(1))) {
            int left = most() - lost.size();
            List<Long> held = left == 0
                    ? List.of()
                    : new Sql(connection,
                            "SELECT seq FROM job WHERE job.node = ? AND job.state = RUNNING ORDER BY seq + 0 LIMIT ?")
                            .with(gone).with(left).list(row -> row.getLong(1));
            if (left > 0 && held.isEmpty()) {
                bounds.emptied.add(gone);
            }
            lost.addAll(held);
        }
        return lost;
    }

    private int giveBackOfDeadNodes(Connection connection, Bounds bounds) throws SQLException {
        List<Long> lost = lost(connection, bounds);
        if (lost.isEmpty()) {
            return 0;
        }
        Set<Integer> halting = new HashSet<>(
                new Sql(connection, "SELECT id FROM queue WHERE halts").list(row -> row.getInt(1)));
        PostgresLockedJobs locked = PostgresLockedJobs.lock(connection, lost, true, LockPatience.NONE);
        JobChanges changes = new JobChanges(now);
        for (long seq : lost) {
            PostgresLockedJobs.Row row = locked.find(seq);
            if (row != null && row.nodeDead()) {
                giveBack(locked, changes, row, halting);
            }
        }
        changes.write(connection, locked, now);
        new Sql(connection, "INSERT INTO crash(node, seq, alone) SELECT node, seq, alone = 1"
                + " FROM unnest(?, ?, ?) AS t(node, seq, alone) ON CONFLICT DO NOTHING")
                .ints(crashedNodes).longs(crashedJobs).ints(crashedAlone).update();
        return givenBack.size() + poisoned.size() + cancelled.size();
    }

    private void giveBack(PostgresLockedJobs locked, JobChanges changes, PostgresLockedJobs.Row row,
            Set<Integer> halting) {
        if (row.cancelling()) {
            changes.cancelled(row.seq(), AttemptOutcome.Cancelled.onRequest().reason());
            cancelled.add(ids.of(row.seq()));
            locked.letGo(row, false);
            return;
        }
        PostgresLockedJobs.Death death = row.death();
        boolean crashed = locked.mayHaveRun(row) && death.ran() > 0;
        boolean alone = crashed && death.ran() == 1;
        int loneCrashes = row.loneCrashes() + (alone ? 1 : 0);
        if (crashed) {
            crashedNodes.add(death.node());
            crashedJobs.add(row.seq());
            crashedAlone.add(alone ? 1 : 0);
        }
        if (alone && loneCrashes >= request.crashLimit()) {
            changes.poisoned(row, UpkeepRequest.poison(loneCrashes),
                    row.lane() != null && halting.contains(row.queue()));
            poisoned.add(ids.of(row.seq()));
        } else {
            changes.survived(row, crashed, alone);
            givenBack.add(ids.of(row.seq()));
        }
        locked.letGo(row, false);
    }

    /** Takes the lock of dear work, without a wait: one node at a time does it. */
    static boolean isAlone(Connection connection, String table) throws SQLException {
        return new Sql(connection,
                "SELECT CASE WHEN pg_try_advisory_xact_lock(1866, ?::regclass::oid::int) THEN 1 ELSE 0 END")
                .with(table).number() == 1;
    }

    private int prune(Connection connection, Bounds bounds, long ended) throws SQLException {
        JobCounts.fold(connection, bounds.tally);
        UpkeepRequest.Retention keep = request.keep();
        PostgresBatches.prune(connection);
        int pruned = StoredDedupeKeys.prune(connection, now, request.limit(), bounds);
        Forgotten old = new Forgotten("ended", "", "ended_at", StateName.ENDED.code(), bounds.ended);
        int forgotten = forget(connection, old, now.minus(keep.done()).toEpochMilli(), request.limit() - pruned);
        pruned += forgotten;
        long over = ended - forgotten - keep.doneMax();
        pruned += forget(connection, old, Long.MAX_VALUE,
                Math.toIntExact(Math.clamp(over, 0, request.limit() - pruned)));
        pruned += forget(connection,
                new Forgotten("job", "state = DEAD AND ", "ready_at", StateName.DEAD.code(), bounds.dead),
                now.minus(keep.dead()).toEpochMilli(), request.limit() - pruned);
        new Sql(connection, """
                DELETE FROM node USING (
                  SELECT id FROM node WHERE dead AND last_beat < ?
                  AND NOT EXISTS (SELECT FROM job WHERE job.node = node.id AND job.state = RUNNING)
                  FOR UPDATE SKIP LOCKED) AS forgotten
                WHERE node.id = forgotten.id""")
                .with(now.minus(NODE_KEPT).toEpochMilli()).update();
        new Sql(connection, "DELETE FROM crash WHERE (SELECT true FROM node WHERE node.id = crash.node) IS NULL")
                .update();
        return pruned;
    }

    /**
     * Rows that are deleted by the order of a time, at the places where they were locked: a join by their numbers may
     * be planned as a walk over all entries of the table, dead ones included.
     *
     * @param condition what precedes the comparison of the time
     */
    private record Forgotten(String table, String condition, String time, int state, PassedBound passed) {}

    private static int forget(Connection connection, Forgotten rows, long before, int limit) throws SQLException {
        if (limit == 0) {
            return 0;
        }
        long[] gone = new Sql(connection,
                """
                        WITH gone AS (
                          DELETE FROM %1$s WHERE ctid = ANY(ARRAY(
                            SELECT ctid FROM %1$s WHERE %2$s%3$s < ? AND %3$s >= ? ORDER BY %3$s LIMIT ?
                              FOR UPDATE SKIP LOCKED))
                          RETURNING queue, %3$s AS moment),
                        counted AS (INSERT INTO tally SELECT queue, %4$d, -count(*) FROM gone GROUP BY queue)
                        SELECT count(*), coalesce(max(moment), 0) FROM gone"""
                        .formatted(rows.table, rows.condition, rows.time, rows.state))
                .with(before).with(rows.passed.from()).with(limit)
                .list(row -> new long[]{row.getLong(1), row.getLong(2)}).getFirst();
        rows.passed.passed(gone[1]);
        return (int) gone[0];
    }
}
