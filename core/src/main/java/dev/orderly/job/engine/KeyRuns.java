package dev.orderly.job.engine;

import dev.orderly.job.store.ClaimRequest.Demand;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What this node tells the store about the keys of a queue with its next claim: those of which jobs have ended here, so
 * that the next jobs of full keys start at once, and the mean run time of each, by which keys take turns. Thread-safe.
 */
final class KeyRuns {
    private static final int KEYS_MAX = 10_000;
    private static final double NEWEST = 0.2;
    /**
     * The shortest run time that counts. Those of shorter jobs are what the machine does beside them, by which keys
     * would go apart, and with them the places of the jobs that end together.
     */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final ReentrantLock lock = new ReentrantLock();
    /** Mean run times in nanoseconds, the key that ran last at the end. */
    private final LinkedHashMap<String, Double> means = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<String> ended = new LinkedHashSet<>();

    /** A job of a key has run on this node. */
    void ran(String key, Duration time) {
        lock.lock();
        try {
            double nanos = Math.max(time.toNanos(), SHORTEST.toNanos());
            Double before = means.get(key);
            means.put(key, before == null ? nanos : before + NEWEST * (nanos - before));
            if (means.size() > KEYS_MAX) {
                means.pollFirstEntry();
            }
        } finally {
            lock.unlock();
        }
    }

    /** An outcome of a job of a key was stored. */
    void settled(String key) {
        lock.lock();
        try {
            if (ended.size() < KEYS_MAX) {
                ended.add(key);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The keys of which jobs have ended since the last call, with their mean run times; of many the first ones. */
    Map<String, Duration> take() {
        lock.lock();
        try {
            Map<String, Duration> taken = new HashMap<>();
            for (var each = ended.iterator(); each.hasNext() && taken.size() < Demand.RAN_MAX;) {
                String key = each.next();
                Double mean = means.get(key);
                taken.put(key, mean == null ? Duration.ZERO : Duration.ofNanos(mean.longValue()));
                each.remove();
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }
}
