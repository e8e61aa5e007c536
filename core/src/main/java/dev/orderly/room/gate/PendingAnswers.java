package dev.orderly.room.gate;

import dev.orderly.room.token.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requests of waiting visitors that are under way at this gate: while they wait for the store, and while their answers
 * leave. Their visitors count as present, however long that takes. Thread-safe.
 */
final class PendingAnswers {
    /** A request that takes longer counts as lost. */
    private static final Duration LONGEST = Duration.ofSeconds(20);
    /** Weight of one request in the mean time. */
    private static final double WEIGHT = 1 / 16.0;
    /** Most time that answers are assumed to take: a client may read its answer as slowly as it likes. */
    private static final double MOST_MILLIS = 10_000;

    /** Of a size at which event loops rarely meet in a cache line of its table. */
    private final Set<Pending> pending = ConcurrentHashMap.newKeySet(1_024);
    private volatile double meanMillis;

    /** A request; equal to no other. */
    static final class Pending {
        final Ticket ticket;
        final Instant since;

        private Pending(Ticket ticket, Instant since) {
            this.ticket = ticket;
            this.since = since;
        }
    }

    Pending begin(Ticket ticket, Instant now) {
        Pending begun = new Pending(ticket, now);
        pending.add(begun);
        return begun;
    }

    void end(Pending ended, Instant now) {
        if (pending.remove(ended)) {
            long took = Duration.between(ended.since, now).toMillis();
            double mean = meanMillis;
            if (Math.abs(took - mean) >= 1) { // event loops share it: a mean that is right is not written
                meanMillis = mean + (took - mean) * WEIGHT; // of two at once one may be lost
            }
        }
    }

    /** The time that most answers take now: twice the mean, on which few slow clients have no influence. */
    Duration usual() {
        return Duration.ofMillis((long) Math.clamp(2 * meanMillis, 0, MOST_MILLIS));
    }

    /** Extends the presence of all visitors whose requests are under way. Called once a second by one thread. */
    void keepPresent(LocalPresence presence, Instant until, Instant now) {
        pending.removeIf(each -> Duration.between(each.since, now).compareTo(LONGEST) > 0);
        pending.forEach(each -> presence.seen(each.ticket, until));
    }
}
