package dev.orderly.room.quota;

import dev.orderly.room.VisitorId;
import dev.orderly.room.token.JoinWait;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The waits before a place that were used at this gate, so that each gives one place here. Bounded: beyond {@value
 * #WAITS_MOST} all are forgotten. Thread-safe.
 */
public final class UsedWaits {
    private static final int WAITS_MOST = 200_000;

    private final ConcurrentMap<VisitorId, Instant> used = new ConcurrentHashMap<>();

    /** Uses a wait. False if it was used before. */
    public boolean use(JoinWait wait) {
        return used.putIfAbsent(wait.id(), wait.until()) == null;
    }

    /** Gives back a wait whose place was not taken. */
    public void giveBack(JoinWait wait) {
        used.remove(wait.id());
    }

    public void tidy(Instant now) {
        used.values().removeIf(until -> !now.isBefore(until));
        if (used.size() > WAITS_MOST) {
            used.clear();
        }
    }
}
