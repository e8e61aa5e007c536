package dev.orderly.room.forecast;

import dev.orderly.Internal;
import dev.orderly.room.RoomObserver.AnnouncedWait;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.Pace;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.forecast.Forecast.Ahead;
import dev.orderly.room.forecast.Forecast.Wait;
import dev.orderly.room.forecast.WaitEstimate.Cause;
import dev.orderly.room.store.PresentPlaces;
import dev.orderly.room.token.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts of the waits of one room at one gate, learned from past admissions: how fast visitors leave, which share of
 * the visitors ahead is present, and how well earlier forecasts held. A round per second evaluates the line; the first
 * estimate after it computes the admissions to come, and the others cost a search in a table. Thread-safe; rounds come
 * from one thread.
 */
@Internal(to = "dev.orderly")
public final class Forecaster {
    /** Width of a range on either side, in deviations of the error by lack of knowledge, which all visitors share. */
    private static final double DOUBT_WIDTH = 1.6;
    /** Width of a range on either side, in deviations of the error by chance, which is independent for each visitor. */
    private static final double CHANCE_WIDTH = 1.2;
    /** A forecast with a larger error by lack of knowledge is not announced, unless its range is short. */
    private static final double DOUBT_MOST = 0.15;
    private static final double SHORT = 8;
    /** The doubt about the number of people ahead, as a share of it, up to which the number counts as known. */
    private static final double KNOWN = 0.2;
    private static final double LEAST = 0.19;
    private static final double MOST = 0.27;
    /** Visitors needed to estimate the share that comes back. */
    private static final double ENOUGH = 6;
    /** Until the gates have learned of a draw, have reported who waits at the drawn places, and have read it. */
    private static final Duration ROUNDS_OF_ALL_GATES = Duration.ofSeconds(3);
    private static final double USED_FOLLOWS = 0.06;
    /** Used while recent arrivals are called: half of them may never come back. */
    private static final double USED_FOLLOWS_NEW = 0.01;

    /** Least assumed idle time of a place inside between two visitors, in seconds. */
    private static final double IDLE = 0.25;
    /** The same where gates hold the requests of called visitors. */
    private static final double IDLE_HELD = 0.1;
    /**
     * Gates hold the requests of called visitors where stays are shorter on average: a place inside that waits for the
     * next poll lies idle for half a second, and for longer stays that is little.
     */
    private static final Duration SHORT_STAY = Duration.ofSeconds(3);
    /** The length of stays is fitted this many times per stay. */
    private static final double FITS_IN_A_STAY = 20;

    /** Seconds over which the arrivals of a line are measured for the others; a spike that is over does not go on. */
    private static final int ARRIVALS = 30;
    private static final int ARRIVALS_NOW = 3;
    private static final int FAST = 20;
    private static final double FASTER = 1.5;
    private static final Duration UNKNOWN_STAY = Duration.ofMinutes(1);

    private final long begun;
    private final ForecastAccuracy accuracy = new ForecastAccuracy();
    private final EstimateScore score = new EstimateScore();
    private final ReentrantLock lock = new ReentrantLock();
    private final TurnoutRate turnout;
    private RoomHistory history;
    private final ForecastCheck check = new ForecastCheck();
    private long checked = Long.MAX_VALUE;
    private double used = 1;
    private @Nullable StayLengthFit fit;
    private long fitAgain;
    private volatile long epoch;
    private int lobbies;
    /** The presence of visitors at other gates is not known before. */
    private Instant othersKnown = Instant.MIN;
    private volatile @Nullable View view;
    /** The last place up to which the visitors of all gates are known. */
    private volatile long sharedUpTo = Long.MAX_VALUE;
    /** Visitors of all gates for each one that this gate saw itself. */
    private double others = 1;
    private List<AnnouncedWait> enteredElsewhere = new ArrayList<>();

    /** The result of a round. */
    private record View(RoomState state, Forecast forecast, PresenceCensus census, People people, long settled,
            double pace, @Nullable Duration stay, OtherLines others) {}

    /**
     * The share of visitors who come back after taking a place, its error, and the share of waiting visitors who give
     * up per second.
     */
    private record People(double share, double doubt, double fading, long at) {}

    public Forecaster(RoomState state, RoomOptions options) {
        this.begun = state.at().getEpochSecond() - 1;
        this.history = new RoomHistory(state);
        this.turnout = new TurnoutRate(options.poll().first());
        this.epoch = state.epoch();
        this.lobbies = state.draws().drawn();
    }

    // ---- learning

    /** Takes over a state from the store. */
    public void update(RoomState state) {
        if (state.epoch() != epoch) {
            epoch = state.epoch();
            history = new RoomHistory(state);
            accuracy.beginEpoch();
            score.beginEpoch();
            view = null;
        }
        if (state.draws().drawn() != lobbies) {
            lobbies = state.draws().drawn();
            othersKnown = state.load().gates() > 1 ? state.at().plus(ROUNDS_OF_ALL_GATES) : Instant.MIN;
        }
        history.update(state);
        int capacity = state.limits().mostPasses().orElse(0);
        boolean full = capacity > 0 && state.load().door() > 0
                && state.load().free() == capacity - state.load().active();
        if (full) {
            double follows = settled() >= state.line().cursor() ? USED_FOLLOWS : USED_FOLLOWS_NEW;
            used += (Math.min(1, state.load().active() / (double) capacity) - used) * follows;
        }
    }

    /**
     * Takes over which visitors the gates have reported to the store. Called once a second before {@link #forecast}
     * while there are several gates.
     */
    public void share(PresentPlaces known, PresenceTable presence, Instant now) {
        int second = second(now);
        long cursor = history.cursor();
        sharedUpTo = known.upTo();
        others = presence.share(known, settled(), now.toEpochMilli(), second, new PresenceTable.Sharer() {
            @Override
            public void taken() {
                learn(() -> turnout.taken(now.getEpochSecond()));
            }

            @Override
            public void back(long takenAt) {
                learn(() -> turnout.back(takenAt + begun, now.getEpochSecond()));
            }

            @Override
            public void late() {
                learn(turnout::late);
            }

            @Override
            public void left(long place) {
                if (place <= cursor) {
                    score.entered(place, now.toEpochMilli());
                    accuracy.entered(place, now.toEpochMilli()).ifPresent(enteredElsewhere::add);
                }
            }
        });
    }

    /** Records that no other gate may have seen visitors. */
    public void alone() {
        sharedUpTo = Long.MAX_VALUE;
        others = 1;
    }

    private void learn(Runnable what) {
        lock.lock();
        try {
            what.run();
        } finally {
            lock.unlock();
        }
    }

    private int second(Instant now) {
        return Math.clamp(now.getEpochSecond() - begun, 0, Integer.MAX_VALUE / 2);
    }

    /**
     * What a round found out.
     *
     * @param absent visitors seen at this gate last who became absent since the last round
     * @param compared waits, and the ranges announced here, of visitors who entered at other gates
     */
    public record Round(int absent, List<AnnouncedWait> compared) {}

    /**
     * Makes the forecast of a round. Called once a second, after {@link #update}.
     *
     * @param lines the other lines of a room with tiers
     */
    public Round forecast(RoomState state, PresenceTable presence, OtherLines lines, Instant now) {
        List<AnnouncedWait> compared = enteredElsewhere;
        enteredElsewhere = new ArrayList<>();
        return new Round(absent(state, presence, lines, now), compared);
    }

    /** This line as others of its room see it. */
    public OtherLines.Other asOther(RoomState state, int share, double turn) {
        RoomState.Line line = state.line();
        double turnUp = showShare().orElse(1);
        double unknown = Math.max(0, line.length() - Math.max(line.horizon(), line.cursor()));
        double arrivals = Math.min(arrivals(ARRIVALS), arrivals(ARRIVALS_NOW));
        return new OtherLines.Other(share, turn, state.load().known() + unknown * turnUp, arrivals * turnUp);
    }

    private double arrivals(int seconds) {
        return Math.max(0, history.length(0) - history.length(seconds)) / (double) seconds;
    }

    private int absent(RoomState state, PresenceTable presence, OtherLines lines, Instant now) {
        score.round(now.toEpochMilli());
        if (state.at().isBefore(othersKnown)) {
            view = null;
            return 0;
        }
        if (state.line().waiting() == 0 && state.load().known() == 0 && state.load().active() == 0) {
            view = null;
            return 0;
        }
        if (state.limits().capacity() == null) {
            fit = null;
        } else if (fit == null || history.now() >= fitAgain) {
            fit = StayLengthFit.of(history, fit).orElse(null);
            fitAgain = history.now() + (fit == null ? 0 : (long) (fit.length().mean() / FITS_IN_A_STAY));
        }
        double mean = fit == null ? Double.POSITIVE_INFINITY : fit.length().mean();
        double idle = mean < SHORT_STAY.toSeconds() ? IDLE_HELD : IDLE;
        double usable = Math.min(used, 1 / (1 + idle / mean));
        Forecast forecast = Forecast.of(history, state.limits(), usable, fit);
        check(state, forecast);
        PresenceCensus census = PresenceCensus.of(state.line(), presence, sharedUpTo, others, now.toEpochMilli());
        view = new View(state, forecast, census, people(state, census, now), settled(), check.share(),
                fit == null ? null : Duration.ofMillis((long) (fit.length().mean() * 1_000)), lines);
        accuracy.forget(now.toEpochMilli());
        return census.missedHere();
    }

    private People people(RoomState state, PresenceCensus census, Instant now) {
        lock.lock();
        try {
            turnout.waited(census.followed(), census.missedNow(), now.getEpochSecond());
            double known = turnout.known();
            double share = turnout.share();
            if (known < ENOUGH) {
                known = called(state);
                share = turnoutOfCalled(state, known);
            }
            double doubt = known < ENOUGH ? 0.5 : Math.sqrt((share * (1 - share) + 0.05) / known);
            return new People(known < ENOUGH ? 0.5 : share, doubt, turnout.fading(), now.toEpochMilli());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Places, not called yet, of which all gates know whether their visitors came back. In a long line behind several
     * gates nobody sees the visitors who come back to the end of it.
     */
    private double called(RoomState state) {
        return state.load().gates() <= 1
                ? 0
                : Math.max(0, Math.min(settled(), reported(state)) - state.line().cursor());
    }

    /** The share of them who are present. */
    private double turnoutOfCalled(RoomState state, double called) {
        RoomState.Line line = state.line();
        long reported = reported(state);
        long fresh = reported - Math.max(line.cursor(), Math.min(settled(), reported));
        int known = state.load().known() - state.load().door();
        return called < ENOUGH ? 0 : Math.clamp((known - fresh) / called, 0, 1);
    }

    private static long reported(RoomState state) {
        return Math.min(state.line().length(), state.line().horizon());
    }

    /** The last place whose visitor would have come back by now, if ever. */
    private long settled() {
        return history.length(turnout.ripe() + 1);
    }

    private void check(RoomState state, Forecast forecast) {
        long admitted = state.pace().admitted();
        boolean contended = state.load().known() > state.load().door() && state.mode().calls()
                && settled() >= state.line().cursor();
        double period = state.limits().mostAdmissions().map(rate -> rate.period().toMillis() / 1_000.0).orElse(0.0);
        double lumps = fit == null ? period : Math.max(period, fit.length().mean());
        check.round(forecast, (double) Math.max(0, admitted - checked), history.now(), contended, lumps);
        checked = admitted;
    }

    /** Records a place that was taken at this gate. */
    public void taken(Ticket ticket, PresenceTable presence) {
        presence.taken(ticket.place(), second(ticket.issuedAt()));
        if (ticket.place() <= sharedUpTo) {
            learn(() -> turnout.taken(ticket.issuedAt().getEpochSecond()));
        }
    }

    /** Records a request, or the begin of a connection, of a waiting visitor. */
    public void asked(Ticket ticket, PresenceTable presence, Instant now) {
        Ticket.Told told = ticket.told();
        if (told != null) {
            presence.announcedElsewhere(ticket.place(), second(told.end()), told.ahead());
        }
        PresenceTable.RequestTiming asked = presence.asked(ticket.place());
        if (ticket.place() <= sharedUpTo) {
            switch (asked) {
                case FIRST -> {
                    long takenAt = begun + presence.takenAt(ticket.place());
                    learn(() -> turnout.back(takenAt, now.getEpochSecond()));
                }
                case LATE -> learn(turnout::late);
                case AGAIN -> {
                    // it is known that the visitor waits
                }
            }
        }
    }

    /** Records an admission at this gate, and compares its wait with the first range announced here, if any. */
    public Optional<AnnouncedWait> entered(Ticket ticket, Instant now) {
        if (ticket.epoch() != epoch) {
            return Optional.empty();
        }
        score.entered(ticket.place(), now.toEpochMilli());
        return accuracy.entered(ticket.place(), now.toEpochMilli());
    }

    /** The measured share of visitors who come back after taking a place; empty while nobody waits. */
    public OptionalDouble showShare() {
        View seen = view;
        return seen == null ? OptionalDouble.empty() : OptionalDouble.of(seen.people().share());
    }

    /** The mean stay of visitors as far as it is known; otherwise a minute. */
    public Duration stay() {
        View seen = view;
        return seen == null || seen.stay() == null ? UNKNOWN_STAY : seen.stay();
    }

    /** Whether visitors are known to stay so briefly that a place should not wait for the next poll. */
    public boolean isStayShort() {
        return stay().compareTo(SHORT_STAY) < 0;
    }

    // ---- estimates

    /**
     * Of ten visitors who entered at this gate in the last hour, the number who waited no longer than announced first;
     * empty while fewer than {@value EstimateScore#LEAST} are known.
     */
    public OptionalInt estimatesKept() {
        return score.ofTen();
    }

    /** The estimate for a place, which is not remembered as announced. */
    public WaitEstimate estimate(RoomState state, long place, Instant now) {
        View seen = view;
        Cause cause = cause(state, seen);
        if (!state.mode().calls()) {
            return WaitEstimate.unknown(Cause.HELD);
        }
        if (seen == null || seen.state().epoch() != state.epoch()) {
            return WaitEstimate.unknown(cause == Cause.STEADY || cause == Cause.FASTER ? Cause.LEARNING : cause);
        }
        Optional<Wait> wait = seen.others().wait(ahead(seen, place), seen.forecast()::wait);
        if (wait.isEmpty() || isVague(wait.get())) {
            boolean leavers = wait.isEmpty() || !leaversKnown(state, seen);
            return WaitEstimate.unknown(leavers ? Cause.WAITS_FOR_LEAVERS : Cause.LEARNING);
        }
        double passed = Math.max(0, now.toEpochMilli() - seen.people().at()) / 1_000.0;
        double likely = wait.get().seconds() / seen.pace();
        double spread = Math.min(MOST, accuracy.factor() * Math.max(LEAST, spread(wait.get())));
        double low = likely * Math.exp(-spread) - passed;
        // An admission is reserved for each called visitor until the visitor turns out to be absent.
        boolean held = place > seen.settled() && likely < turnout.ripe();
        double absent = held ? (1 - seen.people().share()) * turnout.ripe() : 0;
        double high = likely * Math.exp(spread) + 0.5 + absent - passed;
        return new WaitEstimate(seconds(Math.floor(Math.max(0, low + 0.3))), seconds(Math.ceil(Math.max(1, high))),
                cause);
    }

    /**
     * The estimate for a visitor, to be shown to the visitor. A range never ends later than the range announced before,
     * unless its cause explains the delay.
     */
    public WaitEstimate announce(RoomState state, Ticket ticket, PresenceTable presence, Instant now) {
        WaitEstimate fresh = estimate(state, ticket.place(), now);
        Duration low = fresh.low();
        Duration high = fresh.high();
        if (low == null || high == null) {
            return fresh.cause() == Cause.HELD ? fresh : asBefore(state, ticket, presence, now, fresh);
        }
        int second = second(now);
        int end = (int) Math.min(Integer.MAX_VALUE, second + high.toSeconds());
        int middle = (int) Math.min(Integer.MAX_VALUE, second + (low.toSeconds() + high.toSeconds()) / 2);
        int[] before = new int[1];
        int announced = presence.announcedEnd(ticket.place(), last -> {
            before[0] = last;
            boolean over = middle > last || second >= last;
            return last == 0 || end <= last || over ? end : last;
        });
        if (before[0] == 0) {
            accuracy.announced(ticket.place(), (double) low.toSeconds(), (double) high.toSeconds(), now.toEpochMilli());
            score.announced(ticket.place(), now.toEpochMilli(), now.plus(high).toEpochMilli());
        } else if (announced > before[0]) {
            return new WaitEstimate(low, high, slower(state, fresh.cause()));
        }
        Duration kept = Duration.ofSeconds(Math.max(1, announced - second));
        return new WaitEstimate(low.compareTo(kept) > 0 ? kept : low, kept, fresh.cause());
    }

    /** The moment until which the visitor was told to wait; null if no range was announced. */
    public @Nullable Instant announcedEnd(Ticket ticket, PresenceTable presence) {
        int end = presence.announcedEnd(ticket.place(), last -> last);
        return end == 0 ? null : Instant.ofEpochSecond(begun + end);
    }

    /**
     * The number of present visitors with lower places, to be shown to the visitor: as many as there can be, as long as
     * it is not known who of them comes back. Not higher than the number shown before, unless the cause of the estimate
     * explains it.
     */
    public PeopleAhead announceAhead(RoomState state, Ticket ticket, PresenceTable presence, Cause cause) {
        View seen = view;
        long behind = ticket.place() - state.line().cursor();
        PeopleAhead ahead = behind > 0
                ? present(state, seen, ticket.place(), behind - 1 + state.load().door())
                : PeopleAhead.known(Math.clamp(seen == null ? 0 : (long) seen.census().all(ticket.place()), 0,
                        Math.max(0, state.load().door() - 1)));
        return new PeopleAhead(
                presence.announcedAhead(ticket.place(), ahead.number(), cause.explainsDelay()), ahead.isKnown());
    }

    /** The present visitors ahead of a place that is not called, at most as many as there are places. */
    private static PeopleAhead present(RoomState state, @Nullable View seen, long place, long places) {
        if (seen == null || seen.state().epoch() != state.epoch()) {
            return new PeopleAhead(places, places == 0);
        }
        Ahead known = ahead(seen, place);
        double doubt = DOUBT_WIDTH * known.doubt();
        return new PeopleAhead(Math.min(places, (long) Math.ceil(known.present() + doubt)),
                doubt <= Math.max(1, known.present() * KNOWN));
    }

    /** The earlier range, if there is one, where no new range is known. */
    private WaitEstimate asBefore(RoomState state, Ticket ticket, PresenceTable presence, Instant now,
            WaitEstimate fresh) {
        int announced = presence.announcedEnd(ticket.place(), last -> last);
        if (announced == 0) {
            return fresh;
        }
        long left = announced - (now.getEpochSecond() - begun);
        return left < 1
                ? WaitEstimate.unknown(slower(state, fresh.cause()))
                : new WaitEstimate(Duration.ofSeconds(left / 2), Duration.ofSeconds(left), fresh.cause());
    }

    /** The visitors ahead of a place: visitors who asked again, and the expected share of recent arrivals. */
    private static Ahead ahead(View seen, long place) {
        PresenceCensus census = seen.census();
        long called = seen.state().line().cursor() + 1;
        long fresh = Math.max(seen.settled() + 1, called);
        double sure = census.asked(Math.min(place, fresh));
        double atDoor = census.fresh(Math.min(place, fresh)) - census.fresh(Math.min(place, seen.settled() + 1));
        double open = Math.max(0, atDoor) + Math.max(0, place - fresh);
        double back = place <= fresh
                ? 0
                : census.asked(Math.min(place, census.last() + 1)) - census.asked(fresh);
        People people = seen.people();
        double expected = Math.max(back, open * people.share());
        double noise = Math.sqrt(open * people.share() * (1 - people.share()));
        return new Ahead(sure + expected, Math.hypot(open * people.doubt(), noise), people.fading());
    }

    /** Half the width of a range, as a logarithm. */
    private static double spread(Wait wait) {
        return Math.hypot(DOUBT_WIDTH * wait.doubt(), CHANCE_WIDTH * wait.chance());
    }

    private static boolean isVague(Wait wait) {
        return wait.doubt() > DOUBT_MOST && wait.seconds() * 2 * Math.sinh(DOUBT_WIDTH * wait.doubt()) > SHORT;
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
