package dev.orderly.http.listener;

import dev.orderly.flow.Quota;
import dev.orderly.http.listener.HttpLimits.Capacity;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** The used part of a listener's capacity. Thread-safe, never blocks. */
final class ListenerCapacity {
    final Quota<String> pushes;
    private final Semaphore requests;
    private final long bodyBytesMax;
    private final AtomicLong bodyBytes = new AtomicLong();

    ListenerCapacity(Capacity capacity) {
        this.pushes = new Quota<>(capacity.pushes());
        this.requests = new Semaphore(capacity.requests());
        this.bodyBytesMax = capacity.bodyBytes();
    }

    boolean takeRequest() {
        return requests.tryAcquire();
    }

    void giveRequest() {
        requests.release();
    }

    /** Takes bytes, or none if fewer are left. */
    boolean takeBytes(int bytes) {
        long before = bodyBytes.get();
        while (before + bytes <= bodyBytesMax) {
            long found = bodyBytes.compareAndExchange(before, before + bytes);
            if (found == before) {
                return true;
            }
            before = found;
        }
        return false;
    }

    void giveBytes(int bytes) {
        bodyBytes.addAndGet(-bytes);
    }
}
