package dev.orderly.store.postgres.job;

import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.JobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs. Numbers are drawn after the lanes are locked, and the locks last until the commit, so in a group numbers
 * grow in the order of the commits, on all nodes. Numbers of duplicates stay unused.
 */
public final class PushJobs {
    private final JobIds ids;
    private final QueueTable queues;
    private final LockPatience patience;

    private record Stored(long seq, NewJob job) {}

    /** @param patience not {@link LockPatience#NONE} */
    public PushJobs(JobIds ids, QueueTable queues, LockPatience patience) {
        this.ids = ids;
        this.queues = queues;
        this.patience = patience;
    }

    /** The numbers of the jobs' queues. Adds unknown queues and commits, so call it first, before {@link #write}. */
    public Map<QueueName, Integer> queues(Connection connection, List<NewJob> jobs) throws SQLException {
        return queues.all(connection, jobs.stream().map(NewJob::queue).distinct().toList());
    }

    public List<PushResult> write(Connection connection, Map<QueueName, Integer> queue, List<NewJob> jobs, Instant now)
            throws SQLException {
        Set<Lane> lanes = new LinkedHashSet<>();
        for (NewJob job : jobs) {
            if (job.group() != null) {
                lanes.add(new Lane(id(queue, job), job.group()));
            }
        }
        Set<Lane> made = Lanes.open(connection, lanes, patience);
        RecentKeys keys = RecentKeys.of(connection, jobs, now);
        if (lanes.isEmpty() && keys.areEmpty()) {
            return writeAtOnce(connection, queue, jobs, now);
        }
        long next = new Sql(connection, "SELECT draw(?, ?)").with(jobs.size()).with(JobSequence.startOf(now)).number();
        List<PushResult> results = new ArrayList<>();
        List<Stored> stored = new ArrayList<>();
        for (NewJob job : jobs) {
            PushResult earlier = answer(keys, job);
            if (earlier == null) {
                stored.add(new Stored(next, job));
                keys.remember(job.dedupe(), next);
                keys.remember(job.idempotency(), next);
            }
            results.add(earlier == null ? new PushResult.Accepted(ids.of(next)) : earlier);
            next++;
        }
        if (!stored.isEmpty()) {
            insert(connection, queue, stored, now);
        }
        Lanes.remove(connection, unused(queue, made, stored));
        keys.write(connection, patience);
        return results;
    }

    private @Nullable PushResult answer(RecentKeys keys, NewJob job) {
        RecentKeys.Remembered asked = keys.asked(job.idempotency());
        if (job.idempotency() != null && asked != null) {
            return asked.fingerprint().equals(JobColumns.key(job.idempotency().fingerprint()))
                    ? new PushResult.Duplicate(ids.of(asked.seq()))
                    : new PushResult.KeyReused(ids.of(asked.seq()));
        }
        RecentKeys.Remembered same = keys.same(job.dedupe());
        if (same == null) {
            return null;
        }
        keys.remember(job.idempotency(), same.seq());
        return new PushResult.Duplicate(ids.of(same.seq()));
    }

    private static Set<Lane> unused(Map<QueueName, Integer> queue, Set<Lane> made, List<Stored> stored) {
        Set<Lane> unused = new HashSet<>(made);
        for (Stored each : stored) {
            if (each.job.group() != null) {
                unused.remove(new Lane(id(queue, each.job), each.job.group()));
            }
        }
        return unused;
    }

    /** Stores jobs without group and key in one statement: each is stored, numbered in the order of the list. */
    private List<PushResult> writeAtOnce(Connection connection, Map<QueueName, Integer> queue, List<NewJob> jobs,
            Instant now) throws SQLException {
        Sql sql = new Sql(connection,
                """
                        WITH drawn AS MATERIALIZED (SELECT draw(?, ?) AS first)
                        INSERT INTO job(seq, queue, ready_at, state, priority, grp, owner, params, content_type, payload)
                        SELECT drawn.first + job.place - 1, job.queue, job.ready_at, job.state, job.priority, job.grp, job.owner,
                          job.params, job.content_type, job.payload
                        FROM drawn, unnest(?, ?, ?, ?, ?, ?, ?, ?, ?) WITH ORDINALITY
                          AS job(queue, ready_at, state, priority, grp, owner, params, content_type, payload, place)
                        RETURNING seq""")
                .with(jobs.size()).with(JobSequence.startOf(now));
        List<Long> seqs = new ArrayList<>(columns(sql, queue, jobs, now).list(row -> row.getLong(1)));
        Collections.sort(seqs);
        return seqs.stream().<PushResult>map(seq -> new PushResult.Accepted(ids.of(seq))).toList();
    }

    private static void insert(Connection connection, Map<QueueName, Integer> queue, List<Stored> stored, Instant now)
            throws SQLException {
        columns(new Sql(connection, """
                INSERT INTO job(seq, queue, ready_at, state, priority, grp, owner, params, content_type, payload)
                SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""")
                .longs(stored.stream().map(Stored::seq).toList()), queue, stored.stream().map(Stored::job).toList(),
                now)
                .update();
    }

    private static Sql columns(Sql sql, Map<QueueName, Integer> queue, List<NewJob> jobs, Instant now) {
        List<Long> readyAt = new ArrayList<>();
        List<Integer> states = new ArrayList<>();
        List<@Nullable String> groups = new ArrayList<>();
        List<@Nullable String> owners = new ArrayList<>();
        List<@Nullable String> params = new ArrayList<>();
        for (NewJob job : jobs) {
            Instant runAt = job.runAt();
            boolean later = runAt != null && ColumnCodecs.millis(runAt) > ColumnCodecs.millis(now);
            readyAt.add(later && runAt != null ? ColumnCodecs.millis(runAt) : 0L);
            states.add(later ? JobColumns.DELAYED : JobColumns.WAITING);
            groups.add(job.group());
            owners.add(job.user());
            params.add(ColumnCodecs.params(job.params()));
        }
        return sql.ints(jobs.stream().map(job -> id(queue, job)).toList()).longs(readyAt).ints(states)
                .ints(jobs.stream().map(job -> job.priority().number()).toList()).texts(groups).texts(owners)
                .texts(params).texts(jobs.stream().map(job -> job.payload().contentType()).toList())
                .bytes(jobs.stream().<byte @Nullable []>map(job -> job.payload().bytes()).toList());
    }

    private static int id(Map<QueueName, Integer> queue, NewJob job) {
        return Objects.requireNonNull(queue.get(job.queue()));
    }
}
