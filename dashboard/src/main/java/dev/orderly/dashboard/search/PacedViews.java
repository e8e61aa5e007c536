package dev.orderly.dashboard.search;

import dev.orderly.time.Time;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Views whose cost grows with what the store holds: a view is read again only after many times the time that reading it
 * took, so that open pages take a small share of the store. Thread-safe; two readers of one view may read it together.
 */
final class PacedViews {
    private static final int KEPT_MAX = 200;
    /** A view is this many times as old as reading it took before it is read again. */
    private static final int SHARE = 20;

    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Kept> views = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Kept> eldest) {
            return size() > KEPT_MAX;
        }
    };

    private record Kept(Object value, long fresh) {}

    PacedViews(Time time) {
        this.time = time;
    }

    /** The view of a key: the last one, or a new one. */
    <T> T read(Object key, Class<T> type, Supplier<T> view) {
        Kept kept = kept(key);
        if (kept != null && !time.reached(kept.fresh)) {
            return type.cast(kept.value);
        }
        long began = time.nanos();
        T value = view.get();
        long ended = time.nanos();
        lock.lock();
        try {
            views.put(key, new Kept(value, ended + SHARE * (ended - began)));
        } finally {
            lock.unlock();
        }
        return value;
    }

    private @Nullable Kept kept(Object key) {
        lock.lock();
        try {
            return views.get(key);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets all views, after a change. */
    void forget() {
        lock.lock();
        try {
            views.clear();
        } finally {
            lock.unlock();
        }
    }
}
