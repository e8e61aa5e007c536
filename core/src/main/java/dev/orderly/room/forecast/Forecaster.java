package dev.orderly.room.forecast;

import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.Pace;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.forecast.Forecast.Ahead;
import dev.orderly.room.forecast.Forecast.Wait;
import dev.orderly.room.forecast.WaitEstimate.Cause;
import dev.orderly.room.token.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells waits of one room at one gate, and learns from what comes of them: how fast visitors leave, which share of those
 * ahead is there, and how well what was told before held. A round a second looks at the line; a question then costs a
 * search in a table. Thread-safe; rounds come from one thread.
 */
public final class Forecaster {
    /** Deviations on either side that a range covers, of what is not known: all who are told at once share that error. */
    private static final double REACH_OF_DOUBT = 1.6;
    /** The same of what cannot be known, which is another error for each. */
    private static final double REACH_OF_CHANCE = 1.2;
    /** A range this wide, as a share, is no answer unless it is short: then nothing is said. */
    private static final double DOUBT_MOST = 0.15;
    private static final double SHORT = 8;
    private static final double LEAST = 0.19;
    private static final double MOST = 0.27;
    /** So many visitors say what share comes back. */
    private static final double ENOUGH = 6;
    private static final double USED_FOLLOWS = 0.06;
    /** While visitors are called who took their places just now: half of them may never come. */
    private static final double USED_FOLLOWS_NEW = 0.01;

    /** Seconds that a place inside lies idle between two visitors, at least, as long as nothing else was seen. */
    private static final double IDLE = 0.25;
    /** How often the length of stays is looked for anew. */
    private static final double FITS_IN_A_STAY = 20;

    private static final int FAST = 20;
    private static final double FASTER = 1.5;
    private static final Duration UNKNOWN_STAY = Duration.ofMinutes(1);

    private final long begun;
    private final ForecastAccuracy accuracy = new ForecastAccuracy();
    private final ReentrantLock lock = new ReentrantLock();
    private final TurnoutRate turnout;
    private RoomHistory history;
    private final ForecastCheck check = new ForecastCheck();
    private long checked = Long.MAX_VALUE;
    private double used = 1;
    private @Nullable StayLengthFit fit;
    private long fitAgain;
    private volatile long epoch;
    private volatile @Nullable View view;

    /** What a round saw. */
    private record View(RoomState state, Forecast forecast, PresenceCensus census, People people, double gates,
            long settled,
            double pace, @Nullable Duration stay) {}

    /** Of those who take a place the share that comes back, how sure that is, and how many of them give up in a second. */
    private record People(double share, double doubt, double fading, long at) {}

    public Forecaster(RoomState state, RoomOptions options) {
        this.begun = state.at().getEpochSecond() - 1;
        this.history = new RoomHistory(state);
        this.turnout = new TurnoutRate(options.poll().first());
        this.epoch = state.epoch();
    }

    // ---- what is learned

    public void heard(RoomState state) {
        if (state.epoch() != epoch) {
            epoch = state.epoch();
            history = new RoomHistory(state);
            accuracy.beginAnew();
            view = null;
        }
        history.heard(state);
        int capacity = state.limits().mostPasses().orElse(0);
        boolean full = capacity > 0 && state.load().door() > 0
                && state.load().free() == capacity - state.load().active();
        if (full) {
            double follows = settled() >= state.line().cursor() ? USED_FOLLOWS : USED_FOLLOWS_NEW;
            used += (Math.min(1, state.load().active() / (double) capacity) - used) * follows;
        }
    }

    /** Once a round, when the line was heard of. */
    public void look(RoomState state, PresenceTable attendance, Instant now) {
        if (state.line().waiting() == 0 && state.load().known() == 0 && state.load().active() == 0) {
            view = null;
            return;
        }
        if (state.limits().capacity() == null) {
            fit = null;
        } else if (fit == null || history.now() >= fitAgain) {
            fit = StayLengthFit.of(history, fit).orElse(null);
            fitAgain = history.now() + (fit == null ? 0 : (long) (fit.length().mean() / FITS_IN_A_STAY));
        }
        double mean = fit == null ? Double.POSITIVE_INFINITY : fit.length().mean();
        double usable = Math.min(used, 1 / (1 + IDLE / mean));
        Forecast forecast = Forecast.of(history, state.limits(), usable, fit);
        check(state, forecast);
        PresenceCensus census = PresenceCensus.of(state.line(), attendance, now.toEpochMilli());
        long horizon = state.line().horizon() + 1;
        double own = census.asked(horizon) + census.fresh(horizon);
        double gates = state.load().gates() > 1 && own > 0 ? Math.max(1, state.load().known() / own) : 1;
        view = new View(state, forecast, census, people(state, census, now), gates, settled(), check.share(),
                fit == null ? null : Duration.ofMillis((long) (fit.length().mean() * 1_000)));
        accuracy.forget(now.toEpochMilli());
    }

    private People people(RoomState state, PresenceCensus census, Instant now) {
        lock.lock();
        try {
            turnout.waited(census.askedInAll(), census.missedNow(), now.getEpochSecond());
            double known = turnout.known();
            double share = known < ENOUGH ? 0.5 : Math.max(turnout.share(), elsewhere(state));
            double doubt = known < ENOUGH ? 0.5 : Math.sqrt((share * (1 - share) + 0.05) / known);
            return new People(share, doubt, turnout.fading(), now.toEpochMilli());
        } finally {
            lock.unlock();
        }
    }

    /** The share of those known at all gates: whoever comes back may do so at another one. */
    private double elsewhere(RoomState state) {
        RoomState.Line line = state.line();
        long told = Math.min(line.length(), line.horizon());
        long old = Math.min(settled(), told) - line.cursor();
        long fresh = told - Math.max(line.cursor(), Math.min(settled(), told));
        int known = state.load().known() - state.load().door();
        return state.load().gates() <= 1 || old < ENOUGH ? 0 : Math.clamp((known - fresh) / (double) old, 0, 1);
    }

    /** The last place whose visitor would have come back by now. */
    private long settled() {
        return history.length(turnout.ripe() + 1);
    }

    private void check(RoomState state, Forecast forecast) {
        long admitted = state.pace().admitted();
        boolean contended = state.load().known() > state.load().door() && state.mode().calls()
                && settled() >= state.line().cursor();
        double period = state.limits().mostAdmissions().map(rate -> rate.period().toMillis() / 1_000.0).orElse(0.0);
        double lumps = fit == null ? period : Math.max(period, fit.length().mean());
        check.round(forecast.likely(), (double) Math.max(0, admitted - checked), history.now(), contended, lumps);
        checked = admitted;
    }

    public void taken(Ticket ticket, PresenceTable attendance) {
        attendance.taken(ticket.place());
        lock.lock();
        try {
            turnout.taken(ticket.issuedAt().getEpochSecond());
        } finally {
            lock.unlock();
        }
    }

    public void asked(Ticket ticket, PresenceTable attendance, Instant now) {
        PresenceTable.Asked asked = attendance.asked(ticket.place());
        if (asked != PresenceTable.Asked.AGAIN) {
            lock.lock();
            try {
                if (asked == PresenceTable.Asked.FIRST) {
                    turnout.back(ticket.issuedAt().getEpochSecond(), now.getEpochSecond());
                } else {
                    turnout.late();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    public void entered(Ticket ticket, Instant now) {
        if (ticket.epoch() == epoch) {
            accuracy.entered(ticket.place(), now.toEpochMilli());
        }
    }

    /** How long visitors stay, as far as that is known; otherwise a minute. */
    public Duration stay() {
        View seen = view;
        return seen == null || seen.stay() == null ? UNKNOWN_STAY : seen.stay();
    }

    // ---- what is told

    /** As {@link #tell}, without being told to anybody. */
    public WaitEstimate estimate(RoomState state, long place, Instant now) {
        View seen = view;
        Cause cause = cause(state, seen);
        if (!state.mode().calls()) {
            return WaitEstimate.unknown(Cause.HELD);
        }
        if (seen == null || seen.state().epoch() != state.epoch()) {
            return WaitEstimate.unknown(cause == Cause.STEADY || cause == Cause.FASTER ? Cause.LEARNING : cause);
        }
        Optional<Wait> wait = seen.forecast().wait(ahead(seen, place));
        if (wait.isEmpty() || isVague(wait.get())) {
            boolean leavers = wait.isEmpty() || !leaversKnown(state, seen);
            return WaitEstimate.unknown(leavers ? Cause.WAITS_FOR_LEAVERS : Cause.LEARNING);
        }
        double passed = Math.max(0, now.toEpochMilli() - seen.people().at()) / 1_000.0;
        double likely = wait.get().seconds() / seen.pace();
        double reach = Math.min(MOST, accuracy.factor() * Math.max(LEAST, reach(wait.get())));
        double low = likely * Math.exp(-reach) - passed;
        // A place is kept for each who was called, until it turns out that nobody comes for it.
        boolean held = place > seen.settled() && likely < turnout.ripe();
        double absent = held ? (1 - seen.people().share()) * turnout.ripe() : 0;
        double high = likely * Math.exp(reach) + 0.5 + absent - passed;
        return new WaitEstimate(seconds(Math.floor(Math.max(0, low + 0.3))), seconds(Math.ceil(Math.max(1, high))),
                cause);
    }

    /** A range never ends later than the one that was told before, unless the reason says why. */
    public WaitEstimate tell(RoomState state, Ticket ticket, PresenceTable attendance, Instant now) {
        WaitEstimate fresh = estimate(state, ticket.place(), now);
        Duration low = fresh.low();
        Duration high = fresh.high();
        if (low == null || high == null) {
            return fresh.cause() == Cause.HELD ? fresh : asBefore(state, ticket, attendance, now, fresh);
        }
        int second = (int) Math.min(Integer.MAX_VALUE / 2, now.getEpochSecond() - begun);
        int end = (int) Math.min(Integer.MAX_VALUE, second + high.toSeconds());
        int middle = (int) Math.min(Integer.MAX_VALUE, second + (low.toSeconds() + high.toSeconds()) / 2);
        int[] before = new int[1];
        int told = attendance.promised(ticket.place(), last -> {
            before[0] = last;
            boolean over = middle > last || second >= last;
            return last == 0 || end <= last || over ? end : last;
        });
        if (before[0] == 0) {
            accuracy.told(ticket.place(), (double) low.toSeconds(), (double) high.toSeconds(), now.toEpochMilli());
        } else if (told > before[0]) {
            return new WaitEstimate(low, high, slower(state, fresh.cause()));
        }
        Duration kept = Duration.ofSeconds(Math.max(1, told - second));
        return new WaitEstimate(low.compareTo(kept) > 0 ? kept : low, kept, fresh.cause());
    }

    /** What was told before holds where nothing better is known. */
    private WaitEstimate asBefore(RoomState state, Ticket ticket, PresenceTable attendance, Instant now,
            WaitEstimate fresh) {
        int told = attendance.promised(ticket.place(), last -> last);
        if (told == 0) {
            return fresh;
        }
        long left = told - (now.getEpochSecond() - begun);
        return left < 1
                ? WaitEstimate.unknown(slower(state, fresh.cause()))
                : new WaitEstimate(Duration.ofSeconds(left / 2), Duration.ofSeconds(left), fresh.cause());
    }

    /** Those before a place: who asked again and is there, and the share to be expected of those who are new. */
    private static Ahead ahead(View seen, long place) {
        PresenceCensus census = seen.census();
        long called = seen.state().line().cursor() + 1;
        long fresh = Math.max(seen.settled() + 1, called);
        double sure = census.asked(Math.min(place, fresh)) * seen.gates();
        double atDoor = census.fresh(Math.min(place, fresh)) - census.fresh(Math.min(place, seen.settled() + 1));
        double open = Math.max(0, atDoor) * seen.gates() + Math.max(0, place - fresh);
        double back = place <= fresh
                ? 0
                : (census.asked(Math.min(place, census.last() + 1)) - census.asked(fresh)) * seen.gates();
        People people = seen.people();
        double expected = Math.max(back, open * people.share());
        double noise = Math.sqrt(open * people.share() * (1 - people.share()));
        return new Ahead(sure + expected, Math.hypot(open * people.doubt(), noise), people.fading());
    }

    /** As a logarithm, on either side. */
    private static double reach(Wait wait) {
        return Math.hypot(REACH_OF_DOUBT * wait.doubt(), REACH_OF_CHANCE * wait.chance());
    }

    private static boolean isVague(Wait wait) {
        return wait.doubt() > DOUBT_MOST && wait.seconds() * 2 * Math.sinh(REACH_OF_DOUBT * wait.doubt()) > SHORT;
    }

    private static boolean leaversKnown(RoomState state, View seen) {
        return seen.stay() != null || state.limits().capacity() == null || !isFull(state);
    }

    private static boolean isFull(RoomState state) {
        return state.limits().mostPasses().filter(most -> state.load().active() >= most).isPresent();
    }

    private static Cause cause(RoomState state, @Nullable View seen) {
        if (state.slowed() != SlowdownReason.NO) {
            return state.slowed() == SlowdownReason.HEALTH ? Cause.SLOWER_BUSY : Cause.SLOWER_BACKLOG;
        }
        Pace pace = state.pace();
        if (pace.called10() >= FAST && pace.called10() * 6.0 > pace.called60() * FASTER) {
            return Cause.FASTER;
        }
        return isFull(state) ? Cause.WAITS_FOR_LEAVERS : seen == null ? Cause.LEARNING : Cause.STEADY;
    }

    private static Cause slower(RoomState state, Cause known) {
        if (known == Cause.SLOWER_BUSY || known == Cause.SLOWER_BACKLOG) {
            return known;
        }
        return isFull(state) ? Cause.SLOWER_LEAVERS : Cause.SLOWER_RETURNS;
    }

    private static Duration seconds(double seconds) {
        return Duration.ofSeconds(Math.min(Duration.ofDays(7).toSeconds(), (long) seconds));
    }
}
