package dev.orderly.store.postgres.job;

import dev.orderly.job.DedupeKey;
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
 * The jobs that are found by a part of their terms: by their unique key, and by their expiry. A lock of the key, until
 * the commit, makes pushes of a key follow each other. The jobs themselves say which of them is the answer.
 */
final class UniqueJobs {
    /** The lock of a key: by half of its hash, so that two keys may share a lock, which costs a wait. */
    private static final String LOCK = "pg_advisory_xact_lock(wanted.lock)";

    private final Map<DedupeKey, Long> newest = new HashMap<>();

    private UniqueJobs() {}

    /** Whether a job is found by a part of its terms. */
    static boolean concern(NewJob job) {
        return job.unique() != null || job.terms().expiresAt() != null;
    }

    /**
     * Locks the unique keys of jobs, and reads the newest job of each that does not run. In a transaction of a caller
     * that job is locked too: it does not start before its answer counts. The lock of the key does not keep a claim
     * away.
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
        new Sql(connection, "SELECT seq, unique_key FROM job WHERE unique_key = ANY(?) AND unique_key IS NOT NULL"
                + " AND state <= DELAYED AND (expires_at IS NULL OR expires_at > ?) ORDER BY seq"
                + (patience == LockPatience.FULL ? " FOR UPDATE" : "")).uuids(byColumn.keySet())
                .with(ColumnCodecs.millis(now))
                .list(row -> unique.newest.put(Objects.requireNonNull(byColumn.get(row.getObject(2, UUID.class))),
                        row.getLong(1)));
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
    Long newest(NewJob job) {
        return job.unique() == null ? null : newest.get(job.unique());
    }

    /** Notes a new job: it answers further pushes of its key. */
    void stored(NewJob job, long seq) {
        if (job.unique() != null) {
            newest.put(job.unique(), seq);
        }
    }

    /** Writes the columns that new jobs are found by. */
    static void mark(Connection connection, List<NewJob> jobs, List<Long> seqs) throws SQLException {
        List<Long> marked = new ArrayList<>();
        List<Long> expiries = new ArrayList<>();
        List<@Nullable String> keys = new ArrayList<>();
        for (int n = 0; n < jobs.size(); n++) {
            NewJob job = jobs.get(n);
            if (concern(job)) {
                marked.add(seqs.get(n));
                expiries.add(ColumnCodecs.expiry(job.terms()));
                keys.add(job.unique() == null ? null : JobColumns.key(job.unique()).toString());
            }
        }
        if (!marked.isEmpty()) {
            new Sql(connection, """
                    UPDATE job SET expires_at = nullif(found.expiry, 0), unique_key = found.key::uuid
                    FROM unnest(?, ?, ?) AS found(seq, expiry, key) WHERE job.seq = ANY(ARRAY[found.seq])""")
                    .longs(marked).longs(expiries).texts(keys).update();
        }
    }
}
