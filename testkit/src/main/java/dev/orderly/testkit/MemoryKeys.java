package dev.orderly.testkit;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.PushRequest.IdempotencyKey;
import dev.orderly.job.PushResult;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NewJob;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Remembered keys of earlier pushes: dedupe keys for 5 minutes or as said, idempotency keys for 24 hours. */
final class MemoryKeys {
    private final Map<DedupeKey, Remembered> dedupe = new LinkedHashMap<>();
    /** Dedupe keys that are kept for a time of their own. */
    private final Map<DedupeKey, Remembered> kept = new LinkedHashMap<>();
    private final Map<DedupeKey, Remembered> idempotency = new LinkedHashMap<>();

    MemoryKeys copy() {
        MemoryKeys copy = new MemoryKeys();
        copy.dedupe.putAll(dedupe);
        copy.kept.putAll(kept);
        copy.idempotency.putAll(idempotency);
        return copy;
    }

    /** The answer to a push that repeats an earlier one; null for a new push. */
    @Nullable
    PushResult answer(NewJob job, Instant now) {
        IdempotencyKey key = job.idempotency();
        Remembered asked = key == null ? null : current(idempotency, key.key(), now);
        if (key != null && asked != null) {
            return key.fingerprint().equals(asked.fingerprint)
                    ? new PushResult.Duplicate(asked.id)
                    : new PushResult.KeyReused(asked.id);
        }
        Remembered same = job.dedupe() == null ? null : current(of(job), job.dedupe(), now);
        if (same == null) {
            return null;
        }
        if (!job.repeats(same.fingerprint)) {
            return new PushResult.DedupeReused(same.id);
        }
        rememberIdempotency(key, same.id, now);
        return new PushResult.Duplicate(same.id);
    }

    /** The first job under a dedupe key that is still known. */
    Optional<JobId> find(DedupeKey key) {
        return Optional.ofNullable(dedupe.getOrDefault(key, kept.get(key))).map(first -> first.id);
    }

    void accepted(NewJob job, JobId id, Instant now) {
        DedupeKey key = job.dedupe();
        if (key != null) {
            of(job).put(key, new Remembered(id, job.fingerprint(), now.plus(job.dedupeFor())));
        }
        rememberIdempotency(job.idempotency(), id, now);
    }

    void rememberIdempotency(@Nullable IdempotencyKey key, JobId id, Instant now) {
        if (key != null) {
            idempotency.put(key.key(), new Remembered(id, key.fingerprint(), now.plus(JobStore.IDEMPOTENCY_WINDOW)));
        }
    }

    /** Deletes keys whose window has passed; returns their number, at most {@code limit}. */
    int prune(Instant now, int limit) {
        int pruned = prune(dedupe, now, limit);
        pruned += prune(kept, now, limit - pruned);
        return pruned + prune(idempotency, now, limit - pruned);
    }

    private Map<DedupeKey, Remembered> of(NewJob job) {
        return job.terms().dedupeFor() == null ? dedupe : kept;
    }

    private static int prune(Map<DedupeKey, Remembered> keys, Instant now, int limit) {
        int pruned = 0;
        for (Iterator<Remembered> each = keys.values().iterator(); pruned < limit && each.hasNext();) {
            if (!each.next().until.isAfter(now)) {
                each.remove();
                pruned++;
            }
        }
        return pruned;
    }

    private static @Nullable Remembered current(Map<DedupeKey, Remembered> keys, DedupeKey key, Instant now) {
        Remembered found = keys.get(key);
        return found != null && found.until.isAfter(now) ? found : null;
    }

    private record Remembered(JobId id, @Nullable DedupeKey fingerprint, Instant until) {}
}
