package dev.orderly.time;

import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The time of what a store keeps. It follows the clock of the store's callers, but when that is set back it goes on from
 * where it was, so that ages and waits stay as long as they are: a key is forgotten in time and a delayed job comes due,
 * whatever a clock showed when they were stored. From then on stored moments are ahead of the clock, by as much as the
 * clock was set back; once the clock has caught up they are equal again.
 *
 * <p>A caller that is late by up to 10 s is no clock set back. Nor is a single caller that is later: a clock counts as
 * set back when a second of the new time has passed and no caller was seen that still has the old one.
 *
 * <p>Not protected: what is stored while a clock is ahead. Time seems to pass until the clock is ahead, for nothing tells
 * a clock that is set ahead from a pause. Thread-safe; never blocks for long and reads no clock.
 */
public final class StoredTime {
    private static final long LATE = Duration.ofSeconds(10).toMillis();
    private static final long SURE_AFTER = Duration.ofSeconds(1).toMillis();
    private static final int STEPS_MOST = 100;
    private static final long NONE = Long.MAX_VALUE;

    private final ReentrantLock lock = new ReentrantLock();
    /** By how much stored moments are ahead of the clock, from a stored moment on. Milliseconds, as all here. */
    private final TreeMap<Long, Long> steps = new TreeMap<>();
    private long latest;
    private long ahead;
    /** The first moment seen of a clock that seems to be set back, and what is stored for it is so far ahead. */
    private long backTo = NONE;
    private long backAhead;

    /** @param latest the last moment that is known to be stored */
    public StoredTime(Instant latest) {
        this.latest = latest.toEpochMilli();
    }

    /** What to store for this moment of the clock. */
    public Instant stored(Instant now) {
        return shifted(now, seen(now.toEpochMilli()));
    }

    /** What to store for another moment, in the future or past of {@code now}. */
    public Instant stored(Instant moment, Instant now) {
        return shifted(moment, seen(now.toEpochMilli()));
    }

    /** What the clock showed, or will show, at a stored moment. */
    public Instant told(Instant stored) {
        lock.lock();
        try {
            if (backTo != NONE && stored.toEpochMilli() >= latest) {
                return shifted(stored, -backAhead);
            }
            var step = steps.floorEntry(stored.toEpochMilli());
            return shifted(stored, step == null ? 0 : -step.getValue());
        } finally {
            lock.unlock();
        }
    }

    /** The last moment stored. */
    public Instant latest() {
        lock.lock();
        try {
            return Instant.ofEpochMilli(latest);
        } finally {
            lock.unlock();
        }
    }

    /** Notes a moment of the clock; returns how far ahead of it the stored one is. */
    private long seen(long now) {
        lock.lock();
        try {
            return note(now);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #seen}, under the lock. */
    private long note(long now) {
        if (ahead != 0 && now >= latest - LATE) {
            step(0, now);
        }
        long moment = now + ahead;
        if (moment >= latest - LATE) {
            latest = Math.max(latest, moment);
            backTo = NONE;
            return ahead;
        }
        if (backTo == NONE || now < backTo - LATE) {
            backTo = now;
            backAhead = latest - now;
        }
        if (now - backTo >= SURE_AFTER) {
            step(backAhead, latest);
            latest = now + ahead;
            backTo = NONE;
            return ahead;
        }
        return backAhead;
    }

    private void step(long nowAhead, long from) {
        ahead = nowAhead;
        steps.put(from, nowAhead);
        if (steps.size() > STEPS_MOST) {
            steps.pollFirstEntry();
        }
    }

    private static Instant shifted(Instant moment, long by) {
        return by == 0 ? moment : moment.plusMillis(by);
    }
}
