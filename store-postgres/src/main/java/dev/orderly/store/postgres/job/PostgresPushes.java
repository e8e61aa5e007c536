package dev.orderly.store.postgres.job;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.job.SingleStatementPush.HandOffs;
import dev.orderly.store.postgres.job.scan.ScanCursors;
import dev.orderly.store.postgres.live.PostgresBus;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.BatchColumns;
import dev.orderly.store.sql.DatabaseJobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs. Numbers are drawn after the lanes are locked, and the locks last until the commit, so in a group numbers
 * grow in the order of the commits, on all nodes. Numbers of duplicates stay unused.
 */
public final class PostgresPushes {
    /** Name of the function that draws numbers on connections of the store. */
    static final String DRAW = "job_draw";

    private static final String INSERT = """
            WITH pushed AS (
              INSERT INTO job(seq, queue, ready_at, state, priority, grp, owner, params, trace, content_type, payload)
              SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))
            INSERT INTO tally SELECT * FROM unnest(?, ?, ?)""";
    private static final String INSERT_HANDED_OFF = """
            WITH pushed AS (
              INSERT INTO job(seq, queue, ready_at, state, priority, grp, owner, params, trace, content_type, payload, node,
                attempt)
              SELECT seq, queue, ready_at, state, priority, grp, owner, params, trace, content_type, payload,
                nullif(node, 0), CASE WHEN node = 0 THEN 0 ELSE 1 END
              FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                AS fresh(seq, queue, ready_at, state, priority, grp, owner, params, trace, content_type, payload, node))
            INSERT INTO tally SELECT * FROM unnest(?, ?, ?)""";

    private static final String INSERT_MEMBERS = """
            WITH pushed AS (
              INSERT INTO job(seq, queue, ready_at, state, priority, grp, owner, params, trace, content_type, payload, node,
                attempt, batch)
              SELECT seq, queue, ready_at, state, priority, grp, owner, params, trace, content_type, payload,
                nullif(node, 0), CASE WHEN node = 0 THEN 0 ELSE 1 END, nullif(batch, 0)
              FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS fresh(seq, queue, ready_at, state, priority, grp,
                owner, params, trace, content_type, payload, node, batch) RETURNING batch),
            told AS (
              INSERT INTO batch_tally(batch, pushed) SELECT batch, count(*) FROM pushed WHERE batch IS NOT NULL
              GROUP BY batch)
            INSERT INTO tally SELECT * FROM unnest(?, ?, ?)""";

    private final DatabaseJobIds ids;
    private final PostgresQueueTable queues;
    private final LockPatience patience;
    private final SingleStatementPush single;
    private final FunctionPush function;
    private final HandOffs handOffs;
    private final String draw;

    private record Stored(long seq, NewJobColumns.Encoded row) {
        NewJob job() {
            return row.job();
        }
    }

    /**
     * Jobs to push, with their columns. Made before the transaction: the server ends one that is idle for seconds, as a
     * process that has just started would be while it makes the columns of 10,000 jobs.
     */
    public static final class PushCall {
        final List<NewJob> jobs;
        final List<NewJobColumns.Encoded> rows;
        final Instant now;

        /** @param now the moment from which due times count */
        public PushCall(List<NewJob> jobs, Instant now) {
            this.jobs = jobs;
            this.now = now;
            rows = NewJobColumns.Encoded.of(jobs, now);
        }
    }

    private PostgresPushes(DatabaseJobIds ids, PostgresQueueTable queues, HandOffs handOffs, LockPatience patience,
            String draw) {
        this.ids = ids;
        this.queues = queues;
        this.patience = patience;
        this.draw = draw;
        this.handOffs = handOffs;
        single = new SingleStatementPush(ids, handOffs, draw);
        function = new FunctionPush(ids, handOffs);
    }

    /** Pushes over connections of the store, which are closed after an error. */
    public static PostgresPushes own(DatabaseJobIds ids, PostgresQueueTable queues, ScanCursors cursors) {
        return new PostgresPushes(ids, queues, new HandOffs(cursors), LockPatience.BRIEF, DRAW);
    }

    /** Pushes over connections of callers, whose sessions may outlive an error. */
    public static PostgresPushes forCallers(DatabaseJobIds ids, PostgresQueueTable queues) {
        return new PostgresPushes(ids, queues, new HandOffs(new ScanCursors()), LockPatience.FULL, "draw");
    }

    /** Whether a hint may be sent with the jobs. */
    static boolean mayHint(List<NewJob> jobs) {
        return jobs.size() == 1 && SingleStatementPush.suits(jobs) && jobs.getFirst().runAt() == null
                && !HandOffs.concern(jobs);
    }

    /** Whether {@link #queues} runs no statement on the server that was asked last. */
    boolean knowsQueues(List<NewJob> jobs) {
        return jobs.stream().allMatch(job -> queues.used(job.queue()) != null
                && (job.terms().key() == null || queues.isKeyed(job.queue())));
    }

    /**
     * Stores jobs in a single statement; stores nothing and returns empty if some may be duplicates, have an origin,
     * or are found by their terms.
     * For connections of the store.
     *
     * @param hint sent with the job; only if {@link #mayHint}
     */
    public Optional<List<PushResult>> writeAtOnce(Connection connection, PushCall call, PostgresBus.@Nullable Hint hint)
            throws SQLException {
        Map<QueueName, Integer> queue = queues(connection, call.jobs);
        if (SingleStatementPush.suits(call.jobs)) {
            return Optional.of(single.write(connection, queue, call, hint));
        }
        if (SingleStatementPush.suitsKeyed(call.jobs)) {
            return Optional.of(single.writeKeyed(connection, queue, call));
        }
        return call.jobs.stream().anyMatch(job -> job.origin() != null || UniqueJobs.concern(job)
                || job.terms().key() != null || job.terms().isMember())
                        ? Optional.empty()
                        : function.write(connection, queue, call);
    }

    /**
     * The numbers of the jobs' queues. Adds unknown queues, marks those that get their first job with a key, and then
     * commits, so call it first, before {@link #write}.
     */
    public Map<QueueName, Integer> queues(Connection connection, List<NewJob> jobs) throws SQLException {
        Map<QueueName, Integer> numbers = queues.all(connection,
                jobs.stream().map(NewJob::queue).distinct().toList());
        queues.markKeyed(connection,
                jobs.stream().filter(job -> job.terms().key() != null).map(NewJob::queue).toList());
        return numbers;
    }

    /**
     * The numbers of the jobs' queues on the server of this connection, which is the caller's; {@link #queues} has
     * added them on one of the store.
     *
     * @throws SQLException if the server has no such queues, and so is another one
     */
    public Map<QueueName, Integer> queuesForCaller(Connection connection, List<NewJob> jobs) throws SQLException {
        Set<QueueName> names = jobs.stream().map(NewJob::queue).collect(Collectors.toSet());
        Map<QueueName, Integer> numbers = queues.existing(connection, names);
        if (!numbers.keySet().containsAll(names)) {
            throw new SQLException("the connection leads to another server than those of the store, as in the middle of"
                    + " a failover");
        }
        return numbers;
    }

    /** Stores jobs, in several statements if one of them is of a group or has a key. */
    public List<PushResult> write(Connection connection, Map<QueueName, Integer> queue, PushCall call)
            throws SQLException {
        List<NewJob> jobs = call.jobs;
        Instant now = call.now;
        if (SingleStatementPush.suits(jobs)) {
            return single.write(connection, queue, call, null);
        }
        if (SingleStatementPush.suitsKeyed(jobs)) {
            return single.writeKeyed(connection, queue, call);
        }
        Set<Lane> lanes = new LinkedHashSet<>();
        for (NewJob job : jobs) {
            if (job.group() != null) {
                lanes.add(new Lane(id(queue, job), job.group()));
            }
        }
        Map<Integer, Integer> room = handOffs.room(connection, queue, jobs, now);
        Set<Lane> made = Lanes.open(connection, lanes, patience);
        StoredDedupeKeys keys = StoredDedupeKeys.of(connection, jobs, now);
        UniqueJobs unique = UniqueJobs.of(connection, jobs, now, patience);
        long next = new Sql(connection, "SELECT " + draw + "(?, ?)").with(jobs.size()).with(JobSequence.startOf(now))
                .number();
        List<PushResult> results = new ArrayList<>();
        List<Stored> stored = new ArrayList<>();
        for (NewJobColumns.Encoded row : call.rows) {
            NewJob job = row.job();
            PushResult earlier = answer(keys, unique, row);
            if (earlier == null) {
                stored.add(new Stored(next, row));
                keys.rememberDedupe(job, next);
                keys.remember(job.idempotency(), next);
                unique.stored(row, next);
            }
            results.add(earlier == null ? new PushResult.Accepted(ids.of(next)) : earlier);
            next++;
        }
        BatchAdmission.admit(connection, stored.stream().map(Stored::job).toList(), patience);
        Set<Lane> going = room.isEmpty() ? Set.of() : PostgresKeySettings.going(connection, made);
        Set<Long> handedOff = stored.isEmpty()
                ? Set.of()
                : insert(connection, stored, nodes(stored, going, room, queue, now), queue);
        Lanes.remove(connection, unused(queue, made, stored));
        unique.writeReplaced(connection, now);
        keys.write(connection, patience);
        return handedOff.isEmpty() ? results : results.stream().map(result -> answer(result, handedOff)).toList();
    }

    private static PushResult answer(PushResult result, Set<Long> handedOff) {
        return result instanceof PushResult.Accepted(JobId id, boolean _)
                ? new PushResult.Accepted(id, handedOff.contains(id.sequence()))
                : result;
    }

    /**
     * The node to which each new job is handed off; 0 for none.
     *
     * @param made new lanes that are not paused
     */
    private static List<Integer> nodes(List<Stored> stored, Set<Lane> made, Map<Integer, Integer> room,
            Map<QueueName, Integer> queue, Instant now) {
        if (room.isEmpty()) {
            return Collections.nCopies(stored.size(), 0);
        }
        Set<Lane> headless = new HashSet<>(made);
        List<Boolean> inTurn = HandOffs.inTurn(stored.stream().map(Stored::job).toList(),
                job -> headless.remove(lane(queue, job)), now);
        List<Integer> nodes = new ArrayList<>(stored.size());
        for (Stored each : stored) {
            boolean may = inTurn.get(nodes.size()) && each.job().terms().key() == null;
            nodes.add(may ? room.getOrDefault(id(queue, each.job()), 0) : 0);
        }
        return nodes;
    }

    private @Nullable PushResult answer(StoredDedupeKeys keys, UniqueJobs unique, NewJobColumns.Encoded row) {
        NewJob job = row.job();
        StoredDedupeKeys.Remembered asked = keys.asked(job.idempotency());
        if (job.idempotency() != null && asked != null) {
            return asked.fingerprint().equals(JobColumns.key(job.idempotency().fingerprint()))
                    ? new PushResult.Duplicate(ids.of(asked.seq()))
                    : new PushResult.KeyReused(ids.of(asked.seq()));
        }
        UniqueJobs.Waiting newest = unique.newest(job);
        if (newest != null && job.terms().debounce() != null && !Objects.equals(newest.owner(), row.owner())) {
            return new PushResult.DebounceReused(ids.of(newest.seq()));
        }
        if (newest != null) {
            keys.remember(job.idempotency(), newest.seq());
            JobId id = ids.of(newest.seq());
            return unique.replace(newest, row, id.pushedAt())
                    ? new PushResult.Replaced(id)
                    : new PushResult.Duplicate(id);
        }
        DedupeKey dedupe = job.dedupe();
        StoredDedupeKeys.Remembered same = keys.same(job);
        if (dedupe == null || same == null) {
            return null;
        }
        if (!StoredDedupeKeys.repeats(job, dedupe, same)) {
            return new PushResult.DedupeReused(ids.of(same.seq()));
        }
        keys.remember(job.idempotency(), same.seq());
        return new PushResult.Duplicate(ids.of(same.seq()));
    }

    private static Set<Lane> unused(Map<QueueName, Integer> queue, Set<Lane> made, List<Stored> stored) {
        Set<Lane> unused = new HashSet<>(made);
        for (Stored each : stored) {
            if (each.job().group() != null) {
                unused.remove(new Lane(id(queue, each.job()), each.job().group()));
            }
        }
        return unused;
    }

    /** Inserts jobs; returns the numbers of those that are handed off. */
    private static Set<Long> insert(Connection connection, List<Stored> stored, List<Integer> nodes,
            Map<QueueName, Integer> queue) throws SQLException {
        NewJobColumns columns = new NewJobColumns(queue, stored.stream().map(Stored::row).toList(), nodes);
        Set<Long> handedOff = new HashSet<>();
        Set<Lane> lanes = new HashSet<>();
        for (int n = 0; n < stored.size(); n++) {
            NewJob job = stored.get(n).job();
            if (nodes.get(n) != 0) {
                handedOff.add(stored.get(n).seq);
                if (job.group() != null) {
                    lanes.add(lane(queue, job));
                }
            }
        }
        boolean members = stored.stream().anyMatch(each -> each.job().terms().isMember());
        Sql sql = new Sql(connection, members ? INSERT_MEMBERS : handedOff.isEmpty() ? INSERT : INSERT_HANDED_OFF)
                .longs(stored.stream().map(Stored::seq).toList());
        columns.addTo(sql, true);
        if (members || !handedOff.isEmpty()) {
            sql.ints(nodes);
        }
        if (members) {
            sql.longs(stored.stream().map(each -> BatchColumns.number(each.job().terms()))
                    .map(batch -> batch == null ? 0L : batch).toList());
        }
        columns.addCounts(sql).update();
        Lanes.handOff(connection, lanes);
        UniqueJobs.mark(connection, stored.stream().map(Stored::job).toList(),
                stored.stream().map(Stored::seq).toList());
        if (stored.stream().anyMatch(each -> each.job().terms().key() != null)) {
            List<Long> seqs = stored.stream().map(Stored::seq).toList();
            new Sql(connection, "UPDATE job SET flow_key = keyed.key FROM unnest(?, ?) AS keyed(seq, key)"
                    + " WHERE job.seq = ANY(ARRAY[keyed.seq]) AND keyed.key IS NOT NULL").longs(seqs)
                    .texts(stored.stream().<@Nullable String>map(each -> each.job().terms().key()).toList()).update();
            wake(connection, seqs);
        }
        for (Stored each : stored) {
            if (each.job().origin() != null) {
                new Sql(connection, "UPDATE job SET origin = ? WHERE seq = ?").with(each.job().origin().sequence())
                        .with(each.seq).update();
            }
        }
        return handedOff;
    }

    /** Wakes the keys of those jobs that wait now. */
    static void wake(Connection connection, Collection<Long> seqs) throws SQLException {
        new Sql(connection, "SELECT key_wake_jobs(?)").longs(seqs).list(_ -> true);
    }

    private static Lane lane(Map<QueueName, Integer> queue, NewJob job) {
        return new Lane(id(queue, job), Objects.requireNonNull(job.group()));
    }

    private static int id(Map<QueueName, Integer> queue, NewJob job) {
        return Objects.requireNonNull(queue.get(job.queue()));
    }
}
