package dev.orderly.room.gate;

import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;

/**
 * The rounds of a room at one gate. A round reports, hears, governs, and lets in connected visitors who are called; once a
 * second it also measures, makes the forecast and tidies. Between two rounds connected visitors are let in as soon as
 * somebody leaves: a place inside that waits for the next round is lost for half a second, which is much where visitors
 * stay for a few seconds. Called by one thread.
 */
final class RoomRounds {
    /** Departures of this long are one call of the store. */
    static final Duration TOGETHER = Duration.ofMillis(20);
    private static final Duration ROUND = Duration.ofSeconds(1);
    /** Rounds come a second apart, or little less. */
    private static final Duration SECOND = Duration.ofMillis(900);
    private static final int TIDY_SECONDS = 30;
    /** The shortest interval for departures at other gates and passes that end by themselves, which nobody reports here. */
    private static final Duration OFTEN = Duration.ofMillis(100);
    /** A place may lie idle for this share of a stay, twice as long at most. */
    private static final int OF_A_STAY = 20;
    private static final int MORE = 2;

    private final RoomCache cache;
    private final Outage outage;
    private final RoomSync sync;
    private final ConnectedVisitors listeners;
    private final PassRenewals renewals;
    private final Time time;
    private Instant nextSecond = Instant.EPOCH;
    private long seconds;
    private Instant lastCall = Instant.EPOCH;
    private Instant lastRound = Instant.EPOCH;

    RoomRounds(RoomCache cache, RoomSync sync, ConnectedVisitors listeners, PassRenewals renewals, Time time) {
        this.cache = cache;
        this.outage = cache.outage();
        this.sync = sync;
        this.listeners = listeners;
        this.renewals = renewals;
        this.time = time;
    }

    /** One round, with the work of a second unless a round of this second has done that. */
    void step() {
        Instant now = time.now();
        boolean second = !now.isBefore(nextSecond);
        if (second) {
            nextSecond = now.plus(SECOND);
            tidy(now);
            listeners.keepPresent(now);
        }
        sync(second);
        Instant synced = time.now();
        listeners.round(synced);
        cache.resetFreed();
        lastCall = synced;
        lastRound = synced;
    }

    private void sync(boolean second) {
        try {
            sync.report();
            if (second) {
                sync.measure();
            }
            sync.govern();
            if (second) {
                cache.forecast();
            }
        } catch (StoreException e) {
            outage.begin(e, 0);
        }
    }

    private void tidy(Instant now) {
        renewals.tidy(now);
        if (++seconds % TIDY_SECONDS == 0) {
            cache.tidy(now);
        }
    }

    /** Between two rounds: lets in whoever may enter by now. Answers with the time until the next call. */
    Duration callUp() {
        Instant now = time.now();
        int left = cache.freed();
        if (outage.isOn() || (listeners.atDoor() == 0 && left == 0)) {
            return ROUND;
        }
        Duration every = every();
        Duration due = left > 0 ? TOGETHER : every;
        Duration since = Duration.between(lastCall, now);
        if (since.compareTo(due) < 0) {
            return due.minus(since);
        }
        lastCall = now;
        cache.resetFreed();
        if (needsRound(left, now)) {
            step();
        } else {
            listeners.ask(Math.max(left, expected(every)) * MORE);
        }
        return every;
    }

    /**
     * Whether more places are free than visitors are called, so that the governor has to call more. Not where several
     * gates share the store, which counts their rounds to know which of them is silent.
     */
    private boolean needsRound(int left, Instant now) {
        return outage.isAlone() && left > listeners.atDoor() && cache.state().line().waiting() > 0
                && Duration.between(lastRound, now).compareTo(OFTEN) >= 0;
    }

    /** The interval at which to look for places that are free without notice. */
    private Duration every() {
        Duration share = cache.stay().dividedBy(OF_A_STAY);
        return share.compareTo(OFTEN) < 0 ? OFTEN : share.compareTo(ROUND) > 0 ? ROUND : share;
    }

    /** Visitors who are likely to have left within this span. */
    private int expected(Duration span) {
        long stay = Math.max(1, cache.stay().toMillis());
        return (int) Math.min(1_000, 1 + cache.state().load().active() * span.toMillis() / stay);
    }
}
