package dev.orderly.room;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets in connected visitors between two rounds, as soon as somebody leaves: a place inside that waits for the next round
 * is lost for half a second, which is much where visitors stay for a few seconds. Departures of some milliseconds share
 * one call of the store, however many they are. Stepped by one thread.
 */
final class EarlyCalls {
    /** Departures of this long are one call. */
    static final Duration TOGETHER = Duration.ofMillis(20);
    private static final Duration ROUND = Duration.ofSeconds(1);
    /** Departures at other gates, and passes that end by themselves, are not told of here: then it looks so often at most. */
    private static final Duration OFTEN = Duration.ofMillis(100);
    /** A place may lie idle for this share of a stay, twice as long at most. */
    private static final int OF_A_STAY = 20;
    private static final int MORE = 2;

    private final RoomLine line;
    private final Listeners listeners;
    private final Function<Ticket, CompletableFuture<ClaimResult>> claim;
    private final @Nullable Runnable round;
    private final Runnable ring;
    private final AtomicInteger freed = new AtomicInteger();
    private Instant last = Instant.EPOCH;
    private Instant lastRound = Instant.EPOCH;

    /**
     * @param round a whole round, for when more places are free than visitors are called; null where several gates share the
     *     store, which counts their rounds to know who is silent
     * @param ring lets {@link #step} come at once
     */
    EarlyCalls(RoomLine line, Listeners listeners, Function<Ticket, CompletableFuture<ClaimResult>> claim,
            @Nullable Runnable round, Runnable ring) {
        this.line = line;
        this.listeners = listeners;
        this.claim = claim;
        this.round = round;
        this.ring = ring;
    }

    /** Somebody left. */
    void freed() {
        freed.incrementAndGet();
        ring.run();
    }

    /** A round just called all who may enter. */
    void called(Instant now) {
        freed.set(0);
        last = now;
        lastRound = now;
    }

    /** Calls whoever may enter by now; says after which to ask again. */
    Duration step(Instant now) {
        Duration every = every();
        if (line.reach().away() || (listeners.atDoor() == 0 && freed.get() == 0)) {
            return ROUND;
        }
        Duration since = Duration.between(last, now);
        int left = freed.get();
        Duration due = left > 0 ? TOGETHER : every;
        if (since.compareTo(due) < 0) {
            return due.minus(since);
        }
        last = now;
        freed.set(0);
        if (round != null && left > listeners.atDoor() && line.state().line().waiting() > 0
                && Duration.between(lastRound, now).compareTo(OFTEN) >= 0) {
            round.run();
        } else {
            listeners.ask(claim, Math.max(left, expected(every)) * MORE);
        }
        return every;
    }

    /** How often to look without having been told. */
    private Duration every() {
        Duration stay = line.stay();
        Duration share = stay.dividedBy(OF_A_STAY);
        return share.compareTo(OFTEN) < 0 ? OFTEN : share.compareTo(ROUND) > 0 ? ROUND : share;
    }

    /** How many are likely to have left within this span. */
    private int expected(Duration span) {
        long stay = Math.max(1, line.stay().toMillis());
        return (int) Math.min(1_000, 1 + line.state().load().active() * span.toMillis() / stay);
    }
}
