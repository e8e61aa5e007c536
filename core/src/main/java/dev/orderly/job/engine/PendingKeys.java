package dev.orderly.job.engine;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Approximate numbers of waiting and delayed jobs of the keys of a queue: the store's last count, at most a second old,
 * plus the pushes of this node since. Of many keys those that were asked for last are known. Thread-safe.
 */
final class PendingKeys {
    private static final int KEYS_MAX = 10_000;
    private static final Duration AGE_MAX = Duration.ofSeconds(1);

    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    /** The key that was asked for last at the end. */
    private final LinkedHashMap<String, Count> counts = new LinkedHashMap<>(16, 0.75f, true);

    /** @param until the moment from which the store is asked again */
    private record Count(long jobs, long until) {}

    PendingKeys(Time time) {
        this.time = time;
    }

    /**
     * The number of jobs of each of the keys.
     *
     * @param store counts the jobs of keys, but for those that have none; called without the lock
     */
    Map<String, Long> of(Set<String> keys, Function<Set<String>, Map<String, Integer>> store) {
        Map<String, Long> found = new LinkedHashMap<>();
        Set<String> old = new HashSet<>();
        lock.lock();
        try {
            for (String key : keys) {
                Count known = counts.get(key);
                if (known == null || time.reached(known.until)) {
                    old.add(key);
                } else {
                    found.put(key, known.jobs);
                }
            }
        } finally {
            lock.unlock();
        }
        if (!old.isEmpty()) {
            Map<String, Integer> fresh = store.apply(old);
            old.forEach(key -> found.put(key, (long) fresh.getOrDefault(key, 0)));
            put(found, old);
        }
        return found;
    }

    private void put(Map<String, Long> found, Set<String> keys) {
        lock.lock();
        try {
            long until = time.deadline(AGE_MAX);
            keys.forEach(key -> counts.put(key, new Count(found.getOrDefault(key, 0L), until)));
            while (counts.size() > KEYS_MAX) {
                counts.pollFirstEntry();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Counts a pushed job. */
    void pushed(String key) {
        lock.lock();
        try {
            counts.computeIfPresent(key, (_, count) -> new Count(count.jobs + 1, count.until));
        } finally {
            lock.unlock();
        }
    }
}
