package dev.orderly.live;

import dev.orderly.flow.TokenBucket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** How fast each of many may send, from the first message until it is forgotten. Thread-safe, never blocks. */
final class Rates<K> {
    private final TokenBucket.Pace pace;
    private final ConcurrentMap<K, TokenBucket> buckets = new ConcurrentHashMap<>();

    Rates(TokenBucket.Pace pace) {
        this.pace = pace;
    }

    /** Whether one more may come from there now; if so, it is counted. */
    boolean take(K key) {
        boolean[] taken = {false};
        buckets.compute(key, (_, before) -> {
            TokenBucket bucket = before == null ? new TokenBucket(pace) : before;
            taken[0] = bucket.take();
            return bucket;
        });
        return taken[0];
    }

    /** To be called when nothing more comes from there. */
    void forget(K key) {
        buckets.remove(key);
    }
}
