package dev.orderly.store.postgres.job;

import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.ColumnCodecs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The keys of a list of jobs as columns, of which none is used twice. */
final class NewDedupeKeys {
    private final long now;
    private final List<Integer> kinds = new ArrayList<>();
    private final List<UUID> keys = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();
    private final List<UUID> fingerprints = new ArrayList<>();
    private final List<Long> untils = new ArrayList<>();
    private final Set<List<Object>> seen = new HashSet<>();

    private NewDedupeKeys(long now) {
        this.now = now;
    }

    /** The keys; null if two jobs have the same. */
    static @Nullable NewDedupeKeys of(List<NewJob> jobs, Instant now) {
        NewDedupeKeys fresh = new NewDedupeKeys(ColumnCodecs.millis(now));
        boolean unique = true;
        for (int n = 0; n < jobs.size() && unique; n++) {
            var dedupe = jobs.get(n).dedupe();
            if (dedupe != null) {
                UUID key = JobColumns.key(dedupe);
                unique = fresh.add(StoredDedupeKeys.kind(jobs.get(n)), key, n + 1,
                        StoredDedupeKeys.fingerprint(dedupe, jobs.get(n)), jobs.get(n).dedupeFor());
            }
            var idempotency = jobs.get(n).idempotency();
            if (idempotency != null) {
                unique &= fresh.add(StoredDedupeKeys.IDEMPOTENCY, JobColumns.key(idempotency.key()), n + 1,
                        JobColumns.key(idempotency.fingerprint()), JobStore.IDEMPOTENCY_WINDOW);
            }
        }
        return unique ? fresh : null;
    }

    private boolean add(int kind, UUID key, int place, UUID fingerprint, Duration window) {
        kinds.add(kind);
        keys.add(key);
        places.add(place);
        fingerprints.add(fingerprint);
        untils.add(now + window.toMillis());
        return seen.add(List.of(kind, key));
    }

    /** Adds kind, key, place of the job from 1, fingerprint and end of the window. */
    Sql addTo(Sql sql) {
        return sql.ints(kinds).uuids(keys).ints(places).uuids(fingerprints).longs(untils);
    }
}
