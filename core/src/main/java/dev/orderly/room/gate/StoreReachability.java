package dev.orderly.room.gate;

import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.token.Pass;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The last outage of the store.
 *
 * @param since begin of the outage
 * @param until end of the outage; far in the future while it lasts
 * @param lease covers the passes that continue beyond their end during the outage; null if no other process can reach
 *     the store either, so that no other visitor gets their places
 */
record StoreReachability(Instant since, Instant until, @Nullable GateLease lease) {
    private static final Instant FOREVER = Instant.MAX.minus(Duration.ofDays(1));
    /** No outage yet. */
    static final StoreReachability ALWAYS = new StoreReachability(Instant.EPOCH, Instant.EPOCH, GateLease.NONE);
    /** How long visitors are still admitted at the last rate. */
    static final Duration ADMITTING = Duration.ofSeconds(60);
    /** How long after an outage a pass that ran out during it may be renewed. */
    private static final Duration REVIVING = Duration.ofSeconds(60);

    static StoreReachability lost(Instant now, @Nullable GateLease lease) {
        return new StoreReachability(now, FOREVER, lease);
    }

    StoreReachability found(Instant now) {
        return new StoreReachability(since, now, lease);
    }

    boolean away() {
        return until.equals(FOREVER);
    }

    /** Whether the outage has lasted so long that visitors are no longer admitted at the last rate. */
    boolean longAway(Instant now) {
        return away() && now.isAfter(since.plus(ADMITTING));
    }

    /**
     * Whether a pass was live when the outage began, and could not be renewed since. During the outage such a pass
     * continues as long as its place inside is kept; afterwards the store decides, as long as it knows the revoked
     * visitors.
     */
    boolean excuses(Pass pass, Instant now) {
        Instant end = pass.expiresAt();
        if (!end.isAfter(since)) {
            return false;
        }
        if (away()) {
            return lease == null || lease.covers(end, now);
        }
        Instant back = until.plus(REVIVING);
        return now.isBefore(back) && end.isBefore(back) && now.isBefore(end.plus(TokenLifetimes.REVIVABLE));
    }
}
