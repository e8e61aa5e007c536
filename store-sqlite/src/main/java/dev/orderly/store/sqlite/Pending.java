package dev.orderly.store.sqlite;

import dev.orderly.job.DedupeKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What the requests of the transaction under way have written so far, for those behind them to see. */
final class Pending {
    final Map<DedupeKey, Long> keys = new HashMap<>();
    final Map<DedupeKey, IdempotencyTable.First> idempotency = new HashMap<>();
    final Set<Long> settled = new HashSet<>();

    void clear() {
        keys.clear();
        idempotency.clear();
        settled.clear();
    }
}
