package dev.orderly.room.govern;

import dev.orderly.room.Limits;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.Line;
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
 */
public final class Governor {
    private static final int LOOK_AHEAD = 1_000;
    private static final int DOOR_MOST = 1_000_000;
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
        double showRate = Math.max(SHOW_RATE_LEAST, showRate(pace));
        Line line = state.line();
        long horizon = line.cursor() + Math.max(LOOK_AHEAD, (long) (4 * door / showRate));
        return new Step(limits, slowed, door, horizon);
    }

    /** The measured share of called visitors who entered; 1 as long as none were called. */
    static double showRate(Pace pace) {
        return pace.called60() == 0 ? 1 : Math.min(1, (double) pace.admitted60() / pace.called60());
    }
}
