package dev.orderly.room.govern;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.room.HealthPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An adaptive bound on visitors at an origin: it grows by a twentieth in each good second in which at least half of it
 * is used, and shrinks by a tenth in each bad second. Additive increase would take minutes to find a large origin's
 * bound. Called by one thread, once a second; not thread-safe.
 */
public final class HealthLimit {
    private static final int START = 100;
    private static final int MOST = 1_000_000;
    private static final int SAMPLES_LEAST = 10;
    private static final double GROW = 1.05;
    private static final double SHRINK = 0.9;
    /** Weight of a good window in the usual latency, which so follows over some minutes. */
    private static final double FOLLOW = 1.0 / 120;
    private static final int WINDOWS_TO_LEARN = 10;
    private static final double TOLERANCE = 2;

    private final HealthPolicy policy;
    private double limit;
    private double usualNanos;
    private int learned;
    private boolean slowing;

    public HealthLimit(HealthPolicy policy, @Nullable Integer capacity) {
        this.policy = policy;
        this.limit = capacity == null ? START : capacity;
    }

    /**
     * Takes over the exchanges with the origin since the last call.
     *
     * @param active visitors inside
     * @param capacity the bound in force; null if there is none
     * @return the most visitors from now on, 1 or more
     */
    public int tick(OriginTraffic.Window window, int active, @Nullable Integer capacity) {
        int most = capacity == null ? MOST : Math.max(1, capacity);
        if (window.count() >= SAMPLES_LEAST) {
            boolean bad = isBad(window);
            if (bad) {
                limit = Math.min(limit, Math.max(active, 1)) * SHRINK;
            } else {
                learn(window.p95());
                if (active >= limit / 2) {
                    limit = Math.max(limit + 1, limit * GROW);
                }
            }
            slowing = bad;
        } else if (!slowing && active >= limit / 2) {
            limit += 1;
        }
        limit = Math.clamp(limit, 1, most);
        return (int) limit;
    }

    private boolean isBad(OriginTraffic.Window window) {
        if (window.failures() > window.count() * policy.maxFailures()) {
            return true;
        }
        if (policy.target() != null) {
            return window.p95().compareTo(policy.target()) > 0;
        }
        Duration usual = Duration.ofNanos((long) (usualNanos * TOLERANCE)).plusMillis(20);
        return learned >= WINDOWS_TO_LEARN && window.p95().compareTo(usual) > 0;
    }

    private void learn(Duration p95) {
        double weight = Math.max(FOLLOW, 1.0 / ++learned);
        usualNanos += (p95.toNanos() - usualNanos) * weight;
    }
}
