package dev.orderly.room;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The visitors whose tokens are void before they expire, and until when that has to be known; of very many the first are
 * forgotten. Not thread-safe.
 */
final class Voided {
    private static final int MOST = 100_000;

    private final Map<VisitorId, Instant> untils = new LinkedHashMap<>();
    private @Nullable Map<VisitorId, Instant> copy;

    void add(VisitorId visitor, Instant until) {
        if (untils.size() >= MOST) {
            untils.remove(untils.keySet().iterator().next());
        }
        untils.put(visitor, until);
        copy = null;
    }

    boolean contains(VisitorId visitor) {
        return untils.containsKey(visitor);
    }

    void expire(Instant now) {
        if (untils.values().removeIf(until -> !until.isAfter(now))) {
            copy = null;
        }
    }

    void clear() {
        untils.clear();
        copy = null;
    }

    /** All of them, as of now. Copied once between two changes: every gate asks for it every second. */
    Map<VisitorId, Instant> all() {
        Map<VisitorId, Instant> all = copy == null ? Map.copyOf(untils) : copy;
        copy = all;
        return all;
    }
}
