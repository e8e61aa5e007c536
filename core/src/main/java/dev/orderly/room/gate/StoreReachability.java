package dev.orderly.room.gate;

import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.token.Pass;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the store was out of reach last.
 *
 * @param since when that began
 * @param until when it ended; far in the future while it lasts
 * @param lease which passes go on beyond their end while it lasts; null if no other process can reach the store either,
 *     so that nobody else gets their places
 */
record StoreReachability(Instant since, Instant until, @Nullable GateLease lease) {
    private static final Instant FOREVER = Instant.MAX.minus(Duration.ofDays(1));
    /** It never was. */
    static final StoreReachability ALWAYS = new StoreReachability(Instant.EPOCH, Instant.EPOCH, GateLease.NONE);
    /** So long visitors are still let in at the last rate. */
    static final Duration COASTING = Duration.ofSeconds(60);
    /** So long after it ended a pass that ran out meanwhile may be renewed. */
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

    /** Whether the store has been away for so long that nobody is let in at the last rate any more. */
    boolean longAway(Instant now) {
        return away() && now.isAfter(since.plus(COASTING));
    }

    /**
     * Whether a pass lived when the store went away, and its end could not be put off since. While it is away such a pass
     * goes on as far as its place inside is kept; afterwards the store decides, for as long as it knows who is void.
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
