package dev.orderly.access.control;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sessions of the local credential, at most {@value #MOST}: beyond that the one that was used the longest ago ends.
 * In memory, since they belong to no token of the store: they end with the process, and count on its node only.
 * Thread-safe.
 */
final class LocalSessions {
    private static final int MOST = 100;

    private final AccessOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Span> sessions = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Span> eldest) {
            return size() > MOST;
        }
    };

    /** When a session was opened, and when it was used last. */
    private record Span(Instant opened, Instant seen) {}

    LocalSessions(AccessOptions options) {
        this.options = options;
    }

    void open(String hash, Instant now) {
        lock.lock();
        try {
            sessions.put(hash, new Span(now, now));
        } finally {
            lock.unlock();
        }
    }

    /** Whether a session counts; it is used then. */
    boolean use(String hash, Instant now) {
        lock.lock();
        try {
            return sessions.computeIfPresent(hash, (_, span) -> options.isOver(span.opened, span.seen, now)
                    ? null
                    : new Span(span.opened, now)) != null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether there was such a session, which is closed now. */
    boolean close(String hash) {
        lock.lock();
        try {
            return sessions.remove(hash) != null;
        } finally {
            lock.unlock();
        }
    }
}
