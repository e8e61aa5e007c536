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
 * What a room should keep to for the next second: a pure function of how it stands and of what is measured.
 *
 * <p>It asks for as many present visitors at the door as could enter now and are expected to until each of those who are
 * called has asked again: three seconds, or up to ten where even the next in line are told to ask less often.
 * The store then calls over the heads of the absent, whatever their share is, so a no-show costs nobody anything; the
 * limits are kept where visitors enter, so calling too many only lets them stand at the door for a moment.
 */
public final class Governor {
    private static final int LOOK_AHEAD = 1_000;
    private static final int DOOR_MOST = 1_000_000;
    /** Those at the door ask each second: too many called too soon would be work for nothing. Milliseconds. */
    private static final long LEARNING_MOST = 10_000;
    private static final double SHOW_LEAST = 0.05;

    private Governor() {}

    /**
     * What is measured outside the room.
     *
     * @param health the most visitors the origin bears, {@link Integer#MAX_VALUE} if that is not measured
     * @param backlog 1 if work that visitors cause is done in time, down to 0 if it takes twice as long or more
     */
    public record Signals(int health, double backlog) {
        static final Signals FINE = new Signals(Integer.MAX_VALUE, 1);
    }

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
        double show = Math.max(SHOW_LEAST, show(pace));
        Line line = state.line();
        long horizon = line.cursor() + Math.max(LOOK_AHEAD, (long) (4 * door / show));
        return new Step(limits, slowed, door, horizon);
    }

    /** The measured share of the called who came in, 1 as long as none were called. */
    static double show(Pace pace) {
        return pace.called60() == 0 ? 1 : Math.min(1, (double) pace.admitted60() / pace.called60());
    }
}
