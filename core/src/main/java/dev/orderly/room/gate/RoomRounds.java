package dev.orderly.room.gate;

import dev.orderly.room.RoomObserver;
import dev.orderly.room.Tiers;
import dev.orderly.room.forecast.Forecaster;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import dev.orderly.trace.LogContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The rounds of a room at one gate. A round reports presence, takes over the state, governs, and admits connected
 * visitors who are called; once a second it also measures, makes the forecast and tidies. Between two rounds, connected
 * visitors are admitted as soon as another visitor leaves: a place inside that waits for the next round lies idle for
 * half a second, which is long where visitors stay for a few seconds. Called by one thread.
 */
final class RoomRounds {
    /** Departures within this time are handled together. */
    static final Duration DEPARTURE_GATHER = Duration.ofMillis(20);
    private static final Duration ROUND = Duration.ofSeconds(1);
    /** Least time between two rounds with the work of a second; rounds come a second apart, or slightly less. */
    private static final Duration SECOND = Duration.ofMillis(900);
    private static final int TIDY_SECONDS = 30;
    /**
     * Shortest interval of the search for departures at other gates and passes that expire: neither is reported here.
     */
    private static final Duration SHORTEST = Duration.ofMillis(100);
    /** The interval of the search is a stay divided by this number. */
    private static final int STAY_FRACTION = 20;
    /** Admissions requested for each expected departure, since more visitors may have left than expected. */
    private static final int SPARE_FACTOR = 2;

    private final RoomCache cache;
    private final Outage outage;
    private final RoomSync sync;
    private final ConnectedVisitors listeners;
    private final PassRenewals renewals;
    private final Time time;
    private final RoomObserver observer;
    private Instant nextSecond = Instant.EPOCH;
    private long seconds;
    private Instant lastCall = Instant.EPOCH;
    private Instant lastRound = Instant.EPOCH;

    RoomRounds(GateContext context, RoomCache cache, RoomSync sync, ConnectedVisitors listeners,
            PassRenewals renewals) {
        this.cache = cache;
        this.outage = cache.outage();
        this.sync = sync;
        this.listeners = listeners;
        this.renewals = renewals;
        this.time = context.time();
        this.observer = context.observer();
    }

    /** Runs one round, with the work of a second unless a round of this second has done it. */
    void step() {
        try (LogContext _ = LogContext.ofRoom(cache.name().value())) {
            round();
        }
    }

    private void round() {
        Instant now = time.now();
        boolean second = !now.isBefore(nextSecond);
        if (second) {
            nextSecond = now.plus(SECOND);
            tidy(now);
            listeners.keepPresent(now);
            cache.keepPresent(now);
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
                sync.share();
                observe(cache.forecast());
            }
        } catch (StoreException e) {
            outage.begin(e, 0);
        }
    }

    /** @param lines the rounds of the lines by number */
    private void observe(List<Forecaster.Round> lines) {
        int absent = lines.stream().mapToInt(Forecaster.Round::absent).sum();
        if (absent > 0) {
            observer.becameAbsent(cache.name(), absent);
        }
        for (int line = 0; line < lines.size(); line++) {
            String tier = cache.state().tierName(Tiers.start(line));
            lines.get(line).compared().forEach(wait -> observer.compared(cache.name(), tier, wait));
        }
    }

    private void tidy(Instant now) {
        renewals.tidy(now);
        if (++seconds % TIDY_SECONDS == 0) {
            cache.tidy(now);
        }
    }

    /** Admits visitors who may enter by now, between two rounds. Returns the time until the next call. */
    Duration callUp() {
        Instant now = time.now();
        int left = cache.freed();
        if (outage.isOn() || (listeners.atDoor() == 0 && left == 0)) {
            return ROUND;
        }
        Duration every = every();
        Duration due = left > 0 ? DEPARTURE_GATHER : every;
        Duration since = Duration.between(lastCall, now);
        if (since.compareTo(due) < 0) {
            return due.minus(since);
        }
        lastCall = now;
        cache.resetFreed();
        if (needsRound(left, now)) {
            step();
        } else {
            listeners.requestAdmission(Math.max(left, expected(every)) * SPARE_FACTOR);
        }
        return every;
    }

    /**
     * Whether more places are free than visitors are called, so that the governor has to call more. Always false for a
     * shared store, which counts governor steps to detect silent gates.
     */
    private boolean needsRound(int left, Instant now) {
        return outage.isAlone() && left > listeners.atDoor() && cache.state().waiting() > 0
                && Duration.between(lastRound, now).compareTo(SHORTEST) >= 0;
    }

    /** The interval of the search for places that became free without notice. */
    private Duration every() {
        Duration share = cache.stay().dividedBy(STAY_FRACTION);
        return share.compareTo(SHORTEST) < 0 ? SHORTEST : share.compareTo(ROUND) > 0 ? ROUND : share;
    }

    /** Expected departures within this span. */
    private int expected(Duration span) {
        long stay = Math.max(1, cache.stay().toMillis());
        return (int) Math.min(1_000, 1 + cache.state().load().active() * span.toMillis() / stay);
    }
}
