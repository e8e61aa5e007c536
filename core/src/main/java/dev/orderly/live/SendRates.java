package dev.orderly.live;

import dev.orderly.flow.TokenBucket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A rate limit for each of many senders, kept from a sender's first message until it is forgotten. Thread-safe, never
 * blocks.
 */
final class SendRates<K> {
    private final TokenBucket.Pace pace;
    private final ConcurrentMap<K, TokenBucket> buckets = new ConcurrentHashMap<>();

    SendRates(TokenBucket.Pace pace) {
        this.pace = pace;
    }

    /** Whether the sender may send one more message now; if so, it is counted. */
    boolean take(K key) {
        boolean[] taken = {false};
        buckets.compute(key, (_, before) -> {
            TokenBucket bucket = before == null ? new TokenBucket(pace) : before;
            taken[0] = bucket.take();
            return bucket;
        });
        return taken[0];
    }

    /** Forgets a sender that sends nothing more. */
    void forget(K key) {
        buckets.remove(key);
    }
}
