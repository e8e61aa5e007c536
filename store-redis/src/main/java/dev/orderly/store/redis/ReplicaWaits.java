package dev.orderly.store.redis;

import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Waits for replicas on one connection. All other commands of the connection wait behind a {@code WAIT}, so one is
 * under way at a time, and writes of meanwhile share the next one. Thread-safe.
 */
final class ReplicaWaits {
    private final ReentrantLock lock = new ReentrantLock();
    private boolean underWay;
    /** The wait that begins after the one under way; null for none. */
    private @Nullable CompletableFuture<Long> next;

    /** The number of replicas that have all that was answered on the connection before this call. */
    Future<Long> begin(RedisAsyncCommands<String, String> redis, int replicas, Duration longest) {
        CompletableFuture<Long> wait = new CompletableFuture<>();
        lock.lock();
        try {
            if (underWay) {
                next = next == null ? wait : next;
                return next;
            }
            underWay = true;
        } finally {
            lock.unlock();
        }
        send(wait, redis, replicas, longest);
        return wait;
    }

    private void send(CompletableFuture<Long> wait, RedisAsyncCommands<String, String> redis, int replicas,
            Duration longest) {
        redis.waitForReplication(replicas, longest.toMillis()).whenComplete((have, failure) -> {
            if (failure == null) {
                wait.complete(have);
            } else {
                wait.completeExceptionally(failure);
            }
            CompletableFuture<Long> waiting = takeNext();
            if (waiting != null) {
                send(waiting, redis, replicas, longest);
            }
        });
    }

    private @Nullable CompletableFuture<Long> takeNext() {
        lock.lock();
        try {
            CompletableFuture<Long> waiting = next;
            next = null;
            underWay = waiting != null;
            return waiting;
        } finally {
            lock.unlock();
        }
    }
}
