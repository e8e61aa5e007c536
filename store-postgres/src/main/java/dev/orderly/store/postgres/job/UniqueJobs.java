package dev.orderly.store.postgres.job;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobTerms;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.ColumnCodecs;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of which a part of the terms has a column: their unique key and their expiry, by which they are found, and
 * their cost. A lock of the key, until
 * the commit, makes pushes of a key follow each other. The jobs themselves say which of them is the answer.
 */
final class UniqueJobs {
    /** The lock of a key: by half of its hash, so that two keys may share a lock, which costs a wait. */
    private static final String LOCK = "pg_advisory_xact_lock(wanted.lock)";

    private final Map<DedupeKey, Waiting> newest = new HashMap<>();
    private final Map<Long, Replacement> replaced = new TreeMap<>();

    /** A job that does not run, with the user that it belongs to. */
    record Waiting(long seq, @Nullable String owner) {}

    /** What the last push of a debounce key says of a job, and until when pushes put it off; zero for not at all. */
    private record Replacement(NewJobColumns.Encoded row, long until) {}

    private UniqueJobs() {}

    /** Whether a part of the terms of a job has a column. */
    static boolean concern(NewJob job) {
        return job.unique() != null || job.terms().expiresAt() != null || job.terms().cost() > 1;
    }

    /**
     * Locks the unique keys of jobs, and reads the newest job of each that does not run. In a transaction of a caller
     * that job is locked too: it does not start before its answer counts. The lock of the key does not keep a claim
     * away. Neither does it keep a claim away from a job whose payload a push replaces, which is locked for that.
     */
    static UniqueJobs of(Connection connection, List<NewJob> jobs, Instant now, LockPatience patience)
            throws SQLException {
        UniqueJobs unique = new UniqueJobs();
        Map<Long, DedupeKey> keys = keys(jobs);
        if (keys.isEmpty()) {
            return unique;
        }
        new Sql(connection, "SELECT " + LOCK + " FROM " + LockPatience.SET + "CROSS JOIN unnest(?) AS wanted(lock)")
                .with(patience.millis()).longs(keys.keySet()).list(_ -> true);
        Map<UUID, DedupeKey> byColumn = new HashMap<>();
        jobs.stream().map(NewJob::unique).filter(Objects::nonNull).map(Objects::requireNonNull)
                .forEach(key -> byColumn.put(JobColumns.key(key), key));
        boolean locks = patience == LockPatience.FULL || jobs.stream().anyMatch(job -> job.terms().debounce() != null);
        new Sql(connection,
                "SELECT seq, unique_key, owner FROM job WHERE unique_key = ANY(?) AND unique_key IS NOT NULL"
                        + " AND state <= DELAYED AND (expires_at IS NULL OR expires_at > ?) ORDER BY seq + 0"
                        + (locks ? " FOR UPDATE" : ""))
                .uuids(byColumn.keySet())
                .with(ColumnCodecs.millis(now))
                .list(row -> unique.newest.put(Objects.requireNonNull(byColumn.get(row.getObject(2, UUID.class))),
                        new Waiting(row.getLong(1), row.getString(3))));
        return unique;
    }

    /** The unique keys of jobs in the order of their locks; of two that share a lock the last. */
    private static Map<Long, DedupeKey> keys(List<NewJob> jobs) {
        Map<Long, DedupeKey> keys = new TreeMap<>();
        for (NewJob job : jobs) {
            if (job.unique() != null) {
                keys.put(job.unique().high(), job.unique());
            }
        }
        return keys;
    }

    /** The places in the list of the jobs whose unique key another transaction holds. Locks the others. */
    static List<Integer> blocked(Connection connection, List<NewJob> jobs) throws SQLException {
        Map<Long, DedupeKey> keys = keys(jobs);
        if (keys.isEmpty()) {
            return List.of();
        }
        List<Long> held = new Sql(connection, "SELECT wanted.lock FROM unnest(?) AS wanted(lock) WHERE NOT "
                + LOCK.replace("advisory", "try_advisory")).longs(keys.keySet()).list(row -> row.getLong(1));
        List<Integer> blocked = new ArrayList<>();
        for (int n = 0; n < jobs.size(); n++) {
            DedupeKey key = jobs.get(n).unique();
            if (key != null && held.contains(key.high())) {
                blocked.add(n);
            }
        }
        return blocked;
    }

    /** The job that answers a push by its unique key; null for none. */
    @Nullable
    Waiting newest(NewJob job) {
        return job.unique() == null ? null : newest.get(job.unique());
    }

    /** Notes a new job: it answers further pushes of its key. */
    void stored(NewJobColumns.Encoded row, long seq) {
        if (row.job().unique() != null) {
            newest.put(row.job().unique(), new Waiting(seq, row.owner()));
        }
    }

    /**
     * Notes that a push with a debounce replaces what is stored of a job that waits; false without a debounce.
     *
     * @param firstPushed the moment of the job's own push
     */
    boolean replace(Waiting job, NewJobColumns.Encoded row, Instant firstPushed) {
        JobTerms.Debounce debounce = row.job().terms().debounce();
        if (debounce == null) {
            return false;
        }
        Instant until = row.readyAt() == 0 ? null : debounce.until(Instant.ofEpochMilli(row.readyAt()), firstPushed);
        Replacement before = replaced.get(job.seq);
        replaced.put(job.seq, new Replacement(row,
                Math.max(before == null ? 0 : before.until, until == null ? 0 : until.toEpochMilli())));
        return true;
    }

    /** Writes what pushes say of jobs that wait. These jobs are locked, or new in this transaction. */
    void writeReplaced(Connection connection, Instant now) throws SQLException {
        if (replaced.isEmpty()) {
            return;
        }
        List<NewJobColumns.Encoded> rows = replaced.values().stream().map(Replacement::row).toList();
        List<@Nullable String> params = new ArrayList<>();
        List<byte @Nullable []> payloads = new ArrayList<>();
        rows.forEach(row -> {
            params.add(row.params());
            payloads.add(row.job().payload().bytes());
        });
        new Sql(connection, """
                WITH later AS MATERIALIZED (SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?)
                  AS later(seq, until, params, content_type, payload, expiry, cost)),
                waiting AS MATERIALIZED (
                  SELECT job.seq, job.state FROM later JOIN job ON job.seq = ANY(ARRAY[later.seq])),
                changed AS (
                  UPDATE job SET params = later.params, content_type = later.content_type, payload = later.payload,
                    expires_at = nullif(later.expiry, 0), cost = nullif(later.cost, 1),
                    state = CASE WHEN later.until > ? THEN DELAYED ELSE job.state END,
                    ready_at = CASE WHEN later.until > ? THEN greatest(job.ready_at, later.until) ELSE job.ready_at END
                  FROM later WHERE job.seq = ANY(ARRAY[later.seq]) RETURNING job.seq, job.queue, job.state),
                moved AS (
                  SELECT changed.queue, waiting.state AS was, changed.state AS became
                  FROM changed JOIN waiting ON waiting.seq = changed.seq WHERE changed.state <> waiting.state)
                INSERT INTO tally SELECT queue, was, -count(*) FROM moved GROUP BY queue, was
                  UNION ALL SELECT queue, became, count(*) FROM moved GROUP BY queue, became""")
                .longs(replaced.keySet()).longs(replaced.values().stream().map(Replacement::until).toList())
                .texts(params).texts(rows.stream().map(row -> row.job().payload().contentType()).toList())
                .bytes(payloads)
                .longs(rows.stream().map(row -> ColumnCodecs.expiry(row.job().terms())).toList())
                .ints(rows.stream().map(row -> row.job().terms().cost()).toList())
                .with(ColumnCodecs.millis(now)).with(ColumnCodecs.millis(now)).update();
    }

    /** Writes the columns of the terms of new jobs. */
    static void mark(Connection connection, List<NewJob> jobs, List<Long> seqs) throws SQLException {
        List<Long> marked = new ArrayList<>();
        List<Long> expiries = new ArrayList<>();
        List<@Nullable String> keys = new ArrayList<>();
        List<Integer> costs = new ArrayList<>();
        for (int n = 0; n < jobs.size(); n++) {
            NewJob job = jobs.get(n);
            if (concern(job)) {
                marked.add(seqs.get(n));
                expiries.add(ColumnCodecs.expiry(job.terms()));
                costs.add(job.terms().cost());
                keys.add(job.unique() == null ? null : JobColumns.key(job.unique()).toString());
            }
        }
        if (!marked.isEmpty()) {
            new Sql(connection, """
                    UPDATE job SET expires_at = nullif(found.expiry, 0), unique_key = found.key::uuid,
                      cost = nullif(found.cost, 1)
                    FROM unnest(?, ?, ?, ?) AS found(seq, expiry, key, cost) WHERE job.seq = ANY(ARRAY[found.seq])""")
                    .longs(marked).longs(expiries).texts(keys).ints(costs).update();
        }
    }
}
