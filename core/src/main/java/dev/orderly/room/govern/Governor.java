package dev.orderly.room.govern;

import dev.orderly.room.Limits;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.Load;
import dev.orderly.room.RoomState.Pace;
import dev.orderly.room.SlowdownReason;

/**
 * The limits and calls of a room for the next second: a pure function of its state and of measured signals.
 *
 * <p>The governor wants as many present visitors at the door as could enter now and are expected to enter until each
 * called visitor has asked again: three seconds, or up to ten where even the next visitors in line poll less often. The
 * store then calls past the places of absent visitors, however many there are, so that a no-show costs no other visitor
 * anything. The limits are enforced on admission, so calling too many visitors only makes them wait at the door for a
 * moment.
 *
 * <p>Outside of the openings of a room nobody is called, and the limits are closed.
 */
public final class Governor {
    private static final int LOOK_AHEAD = 1_000;
    private static final int DOOR_MOST = 1_000_000;
    private static final int EXPECTED_MOST = 20_000;
    /**
     * Longest time to look ahead, in milliseconds. Visitors at the door poll each second: calling too many too early
     * causes needless requests.
     */
    private static final long LEARNING_MOST = 10_000;
    private static final double SHOW_RATE_LEAST = 0.05;

    private Governor() {}

    /**
     * Signals from outside the room.
     *
     * @param health most visitors that the origin bears; {@link Integer#MAX_VALUE} if not measured
     * @param backlog 1 if work caused by visitors is done in time, down to 0 if it takes twice as long or more
     */
    public record Signals(int health, double backlog) {
        /** Nothing outside the room slows it. */
        public static final Signals FINE = new Signals(Integer.MAX_VALUE, 1);
    }

    /** The limits, calls and horizon of a step, as in {@link dev.orderly.room.store.GovernorStep}. */
    public record Step(Limits limits, SlowdownReason slowed, int door, long horizon) {}

    public static Step tick(RoomState state, RoomOptions options, Signals signals) {
        Limits set = state.limitsSet(options);
        OpeningStatus opening = state.opening(options, state.at());
        if (opening != null && !opening.admits()) {
            return new Step(Limits.CLOSED, SlowdownReason.NO, 0, horizon(state, expected(set)));
        }
        Limits healthy = signals.health() == Integer.MAX_VALUE ? set : set.atMost(signals.health());
        Limits limits = healthy.scaled(signals.backlog());
        SlowdownReason slowed = signals.backlog() < 1
                ? SlowdownReason.BACKLOG
                : set.capacity() != null && signals.health() < set.capacity()
                        ? SlowdownReason.HEALTH
                        : SlowdownReason.NO;
        Load load = state.load();
        Pace pace = state.pace();
        long learning = Math.min(LEARNING_MOST, PollPolicy.presence(options.poll().least()).toMillis());
        long soon = 1 + Math.max(pace.admitted10() * learning / 10_000, pace.admitted60() * learning / 60_000);
        int door = (int) Math.min(DOOR_MOST, load.free() + soon);
        return new Step(limits, slowed, door, horizon(state, door));
    }

    private static long horizon(RoomState state, int door) {
        double showRate = Math.max(SHOW_RATE_LEAST, showRate(state.pace()));
        return state.line().cursor() + Math.max(LOOK_AHEAD, (long) (4 * door / showRate));
    }

    /** Visitors who may enter at the opening: gates report them before it. */
    private static int expected(Limits set) {
        int places = Math.min(EXPECTED_MOST, set.mostPasses().orElse(EXPECTED_MOST));
        return Math.min(places, set.mostAdmissions().map(Rate::admissions).orElse(places));
    }

    /** The measured share of called visitors who entered; 1 as long as none were called. */
    static double showRate(Pace pace) {
        return pace.called60() == 0 ? 1 : Math.min(1, (double) pace.admitted60() / pace.called60());
    }
}
