package dev.orderly.http.listener;

import dev.orderly.flow.Quota;
import dev.orderly.http.listener.HttpLimits.Capacity;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** The used part of a listener's capacity. Thread-safe, never blocks. */
final class ListenerCapacity {
    /** Most bytes of answers that one connection may leave unread. */
    static final int UNREAD_MAX = 4 << 20;
    /** A client of HTTP/2 has many requests on a connection, so connections do not bound its share of them. */
    private static final int SHARE = 4;

    final Quota<String> pushes;
    final Quota<String> shared;
    private final Semaphore requests;
    private final int requestsMax;
    private final long bodyBytesMax;
    private final AtomicLong bodyBytes = new AtomicLong();
    private final AtomicLong unreadBytes = new AtomicLong();

    ListenerCapacity(Capacity capacity) {
        this.pushes = new Quota<>(capacity.pushes());
        this.shared = new Quota<>(
                new Quota.Limit(capacity.requests(), Math.max(1, capacity.requests() / SHARE)));
        this.requests = new Semaphore(capacity.requests());
        this.requestsMax = capacity.requests();
        this.bodyBytesMax = capacity.bodyBytes();
    }

    boolean takeRequest() {
        return requests.tryAcquire();
    }

    void giveRequest() {
        requests.release();
    }

    /** Requests under way. */
    int requests() {
        return requestsMax - requests.availablePermits();
    }

    /** Bytes of bodies in memory. */
    long bodyBytes() {
        return bodyBytes.get();
    }

    /** Takes bytes, or none if fewer are left. */
    boolean takeBytes(int bytes) {
        return take(bodyBytes, bytes);
    }

    /** Takes bytes of an answer that its client has not read, or none if there are too many. */
    boolean takeUnread(ListenerConnection connection, int bytes) {
        if (connection.unread + bytes > UNREAD_MAX || !take(unreadBytes, bytes)) {
            return false;
        }
        connection.unread += bytes;
        return true;
    }

    void giveUnread(ListenerConnection connection, int bytes) {
        connection.unread -= bytes;
        unreadBytes.addAndGet(-bytes);
    }

    private boolean take(AtomicLong held, int bytes) {
        long before = held.get();
        while (before + bytes <= bodyBytesMax) {
            long found = held.compareAndExchange(before, before + bytes);
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
