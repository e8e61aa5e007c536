package dev.orderly.room;

import dev.orderly.room.RoomState.Pace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a visitor still waits: a range, and the reason for it. An estimate, not a promise.
 *
 * @param low null if nothing can be said
 * @param high null if nothing can be said
 */
public record Estimate(@Nullable Duration low, @Nullable Duration high, Cause cause) {
    private static final double FASTER = 1.5;
    /** What is taken for the wait where nothing can be said: by this many visitors a second. */
    private static final double UNKNOWN_PACE = 5;

    /** Why it is as it is. */
    public enum Cause {
        /** Visitors enter at the usual pace. */
        STEADY,
        /** They enter faster than in the last minute. */
        FASTER,
        /** The origin is busy. */
        SLOWER_BUSY,
        /** Work that visitors caused is being done first. */
        SLOWER_BACKLOG,
        /** An operator holds the line. */
        HELD,
        /** All places inside are taken: somebody enters when somebody leaves. */
        WAITS_FOR_LEAVERS,
        /** Nobody has entered yet, or not for a while. */
        LEARNING
    }

    /** For one who would come now. */
    public static Estimate forNewcomer(RoomState state) {
        return of(state, state.line().waiting() + state.load().door());
    }

    /** For one who stands behind so many places that are not called yet. */
    static Estimate of(RoomState state, long ahead) {
        Cause cause = cause(state);
        if (cause == Cause.HELD) {
            return new Estimate(null, null, cause);
        }
        Pace pace = state.pace();
        double minute = pace.called60() == pace.called10() ? pace.called10() / 10.0 : pace.called60() / 60.0;
        double limit = state.limits().mostAdmissions().map(rate -> rate.perSecond() / show(pace)).orElse(0.0);
        double recent = pace.called10() >= 20 ? pace.called10() / 10.0 : 0;
        double pacing = recent > 0 ? recent : Math.max(minute, limit);
        if (pacing == 0) {
            return new Estimate(null, null, cause);
        }
        // In the first minute, and after a change, the last ten seconds say more than the minute.
        double slow = minute == 0 ? pacing : Math.min(pacing, (pacing + minute) / 2);
        double people = Math.max(1, ahead);
        return new Estimate(seconds(people / (pacing * 1.2)), seconds(people / (slow * 0.8) + 2), cause);
    }

    /** The wait to plan the next question by. */
    static Duration plan(Estimate estimate, long ahead) {
        return estimate.low() == null ? seconds(Math.max(1, ahead) / UNKNOWN_PACE) : estimate.low();
    }

    private static Cause cause(RoomState state) {
        if (!state.mode().calls()) {
            return Cause.HELD;
        }
        if (state.slowed() != Slowed.NO) {
            return state.slowed() == Slowed.HEALTH ? Cause.SLOWER_BUSY : Cause.SLOWER_BACKLOG;
        }
        Pace pace = state.pace();
        boolean full = state.limits().mostPasses().filter(most -> state.load().active() >= most).isPresent();
        if (pace.called60() == 0) {
            return full ? Cause.WAITS_FOR_LEAVERS : Cause.LEARNING;
        }
        boolean faster = pace.called10() >= 20 && pace.called10() * 6.0 > pace.called60() * FASTER;
        return faster ? Cause.FASTER : full ? Cause.WAITS_FOR_LEAVERS : Cause.STEADY;
    }

    private static double show(Pace pace) {
        return Math.max(0.05, Governor.show(pace));
    }

    private static Duration seconds(double seconds) {
        return Duration.ofSeconds(Math.min(Duration.ofDays(7).toSeconds(), (long) Math.ceil(seconds)));
    }
}
