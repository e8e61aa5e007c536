package dev.orderly.time;

import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The time of stored data. It follows the clock of the store's callers, but if that clock is set back, stored time
 * continues from its last moment. Ages and waits therefore stay true: a key is forgotten in time and a delayed job
 * comes due, whatever the clock showed when they were stored. From then on stored moments are ahead of the clock by the
 * amount it was set back; once the clock has caught up they are equal again.
 *
 * <p>A caller that is behind by up to 10 s does not count as a clock set back. Neither does a single caller that is
 * further behind: a clock counts as set back when a second of the new time has passed and no caller was seen with the
 * old time.
 *
 * <p>Not protected: data that is stored while a clock is ahead, since a clock set ahead cannot be told from a pause.
 * Thread-safe; never blocks for long and reads no clock.
 */
public final class StoredTime {
    private static final long LATE = Duration.ofSeconds(10).toMillis();
    private static final long SURE_AFTER = Duration.ofSeconds(1).toMillis();
    private static final int STEPS_MOST = 100;
    private static final long NONE = Long.MAX_VALUE;

    private final ReentrantLock lock = new ReentrantLock();
    /**
     * The offset of stored moments against the clock, from each stored moment on. Milliseconds, as everywhere in this
     * class.
     */
    private final TreeMap<Long, Long> steps = new TreeMap<>();
    private long latest;
    private long ahead;
    /** The first moment of a clock that seems to be set back. */
    private long backTo = NONE;
    /** The offset of moments stored for that clock. */
    private long backAhead;

    /** @param latest the last moment that is known to be stored */
    public StoredTime(Instant latest) {
        this.latest = latest.toEpochMilli();
    }

    /** The stored moment for this moment of the clock. */
    public Instant stored(Instant now) {
        return shifted(now, offsetAt(now.toEpochMilli()));
    }

    /** The stored moment for another moment, in the future or past of {@code now}. */
    public Instant stored(Instant moment, Instant now) {
        return shifted(moment, offsetAt(now.toEpochMilli()));
    }

    /** The clock's moment, past or future, of a stored moment. */
    public Instant clockTime(Instant stored) {
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

    /** Notes a moment of the clock; returns the offset of stored time against it. */
    private long offsetAt(long now) {
        lock.lock();
        try {
            return note(now);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #offsetAt}, under the lock. */
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
