package dev.orderly.store.postgres.job;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.PushRequest.IdempotencyKey;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.job.scan.PassedBound;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.ColumnCodecs;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Remembered keys of earlier pushes, as one push sees them. The lock of a lane guards the keys of its group. Other
 * keys are read first and written last; a push that finds a key written by another push meanwhile starts over.
 */
final class StoredDedupeKeys {
    static final int DEDUPE = 0;
    static final int IDEMPOTENCY = 1;
    /** Of dedupe keys that are kept for a time of their own. */
    static final int KEPT = 2;

    private final long now;
    private final Map<Key, Remembered> known = new HashMap<>();
    private final Map<Key, Remembered> fresh = new LinkedHashMap<>();

    private record Key(int kind, UUID key) {}

    /** The first job under a key, and the fingerprint of the request: that of a dedupe key without one is the key. */
    record Remembered(long seq, UUID fingerprint, long until) {}

    private StoredDedupeKeys(Instant now) {
        this.now = ColumnCodecs.millis(now);
    }

    static StoredDedupeKeys of(Connection connection, List<NewJob> jobs, Instant now) throws SQLException {
        List<Key> asked = new ArrayList<>();
        for (NewJob job : jobs) {
            if (job.dedupe() != null) {
                asked.add(dedupe(job, job.dedupe()));
            }
            if (job.idempotency() != null) {
                asked.add(idempotency(job.idempotency()));
            }
        }
        StoredDedupeKeys keys = new StoredDedupeKeys(now);
        if (!asked.isEmpty()) {
            new Sql(connection, """
                    SELECT recent.kind, recent.key, recent.seq, recent.fingerprint, recent.until
                    FROM unnest(?, ?) AS wanted(kind, key) JOIN recent
                      ON recent.kind = ANY(ARRAY[wanted.kind]) AND recent.key = ANY(ARRAY[wanted.key])
                    WHERE recent.until > ?""")
                    .ints(asked.stream().map(Key::kind).toList()).uuids(asked.stream().map(Key::key).toList())
                    .with(keys.now)
                    .list(row -> keys.known.put(new Key(row.getInt(1), row.getObject(2, UUID.class)),
                            new Remembered(row.getLong(3), row.getObject(4, UUID.class), row.getLong(5))));
        }
        return keys;
    }

    /** The remembered push of an idempotency key; null if there is none. */
    @Nullable
    Remembered asked(@Nullable IdempotencyKey key) {
        return key == null ? null : known.get(idempotency(key));
    }

    /** The remembered push of the dedupe key of a job; null if there is none. */
    @Nullable
    Remembered same(NewJob job) {
        return job.dedupe() == null ? null : known.get(dedupe(job, job.dedupe()));
    }

    /** Whether a job with a remembered dedupe key is the same job again. */
    static boolean repeats(NewJob job, DedupeKey key, Remembered first) {
        return first.fingerprint.equals(JobColumns.key(key)) || job.fingerprint() == null
                || first.fingerprint.equals(JobColumns.key(job.fingerprint()));
    }

    static UUID fingerprint(DedupeKey key, NewJob job) {
        return JobColumns.key(job.fingerprint() == null ? key : job.fingerprint());
    }

    void rememberDedupe(NewJob job, long seq) {
        DedupeKey key = job.dedupe();
        if (key != null) {
            put(dedupe(job, key), seq, fingerprint(key, job), job.dedupeFor());
        }
    }

    void remember(@Nullable IdempotencyKey key, long seq) {
        if (key != null) {
            put(idempotency(key), seq, JobColumns.key(key.fingerprint()), JobStore.IDEMPOTENCY_WINDOW);
        }
    }

    private void put(Key key, long seq, UUID fingerprint, Duration window) {
        Remembered first = new Remembered(seq, fingerprint, now + window.toMillis());
        known.put(key, first);
        fresh.put(key, first);
    }

    /** @throws Transactions.OvertakenException if another push used one of the keys since they were read */
    void write(Connection connection, LockPatience patience) throws SQLException {
        if (fresh.isEmpty()) {
            return;
        }
        List<Key> keys = List.copyOf(fresh.keySet());
        List<Remembered> firsts = List.copyOf(fresh.values());
        int written = new Sql(connection, """
                INSERT INTO recent(kind, key, seq, fingerprint, until)
                SELECT kind, key, seq, fingerprint, until
                FROM\s""" + LockPatience.SET + """
                 CROSS JOIN unnest(?, ?, ?, ?, ?) AS fresh(kind, key, seq, fingerprint, until) ORDER BY kind, key
                ON CONFLICT (kind, key) DO UPDATE SET seq = excluded.seq, fingerprint = excluded.fingerprint,
                  until = excluded.until WHERE recent.until <= ?""").with(patience.millis())
                .ints(keys.stream().map(Key::kind).toList()).uuids(keys.stream().map(Key::key).toList())
                .longs(firsts.stream().map(Remembered::seq).toList())
                .uuids(firsts.stream().map(Remembered::fingerprint).toList())
                .longs(firsts.stream().map(Remembered::until).toList()).with(now).update();
        if (written < keys.size()) {
            throw new Transactions.OvertakenException("Another push used one of these keys");
        }
    }

    /** Deletes keys whose window has passed; returns their number, at most {@code limit}. */
    static int prune(Connection connection, Instant now, int limit, UpkeepRound.Bounds bounds) throws SQLException {
        int pruned = 0;
        for (int kind : List.of(DEDUPE, IDEMPOTENCY, KEPT)) {
            PassedBound passed = bounds.keys(kind);
            List<Long> gone = new Sql(connection,
                    """
                            DELETE FROM recent WHERE ctid = ANY(ARRAY(
                              SELECT ctid FROM recent WHERE kind + 0 = ? AND until + 0 <= ? AND until + 0 >= ? ORDER BY until + 0 LIMIT ?
                                FOR UPDATE SKIP LOCKED))
                            RETURNING until""")
                    .with(kind).with(now.toEpochMilli()).with(passed.from()).with(limit - pruned)
                    .list(row -> row.getLong(1));
            passed.passed(gone.stream().mapToLong(Long::longValue).max().orElse(0));
            pruned += gone.size();
        }
        return pruned;
    }

    /** The kind of the dedupe key of a job. */
    static int kind(NewJob job) {
        return job.terms().dedupeFor() == null ? DEDUPE : KEPT;
    }

    private static Key dedupe(NewJob job, DedupeKey key) {
        return new Key(kind(job), JobColumns.key(key));
    }

    private static Key idempotency(IdempotencyKey key) {
        return new Key(IDEMPOTENCY, JobColumns.key(key.key()));
    }
}
