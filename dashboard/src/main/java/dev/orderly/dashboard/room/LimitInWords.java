package dev.orderly.dashboard.room;

import dev.orderly.dashboard.page.Figures;
import dev.orderly.operate.RoomControl;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.SlowdownReason;

/** The limit that sets the pace of a room at the moment, as a sentence. */
final class LimitInWords {
    /** The share of a rate that counts as all of it: some who are called are late. */
    private static final double USED = 0.75;

    private LimitInWords() {}

    static String of(RoomState state, RoomOptions options) {
        return switch (state.mode()) {
            case OPEN -> "Everybody passes, and no line is kept: an operator opened the room.";
            case SHADOW -> "Everybody passes. The line is kept only to show who would have waited.";
            case HOLD -> held(state);
            case REJECT -> "Visitors without a pass are turned away. Those in line keep their places.";
            case DRAIN -> "Nobody new is taken into the line. " + called(state, options);
            case AUTO -> called(state, options);
        };
    }

    private static String held(RoomState state) {
        int granted = state.load().granted();
        return "An operator holds the line: nobody new enters"
                + (granted == 0 ? "." : ", except the next " + Figures.of(granted, "visitor") + " who were admitted.");
    }

    private static String called(RoomState state, RoomOptions options) {
        OpeningStatus opening = state.opening(options, state.at());
        if (opening != null && !opening.admits()) {
            return opening.opening() == null
                    ? "Nobody new enters: the last opening is over."
                    : "Nobody new enters until the room opens.";
        }
        Limits limits = state.limits();
        RoomState.Load load = state.load();
        String instead = state.slowed() == SlowdownReason.NO
                ? ""
                : (state.slowed() == SlowdownReason.HEALTH
                        ? "The site behind the room is slow or fails"
                        : "Work that visitors cause piles up") + ": " + RoomControl.words(limits) + " instead of "
                        + RoomControl.words(state.limitsSet(options)) + ". ";
        return instead + pace(state, limits, load);
    }

    private static String pace(RoomState state, Limits limits, RoomState.Load load) {
        Integer capacity = limits.capacity();
        Rate rate = limits.rate();
        boolean line = state.waiting() > 0 || load.door() > 0;
        if (capacity != null && load.active() >= capacity) {
            return capacity == 0
                    ? "The capacity is 0: nobody enters."
                    : "The capacity sets the pace: all " + Figures.of(capacity, "place")
                            + " inside are taken, and a visitor enters when another leaves.";
        }
        boolean used = rate != null && (load.free() <= 0
                || state.pace().admitted60() >= USED * rate.perSecond() * Math.max(60, rate.period().toSeconds()));
        if (rate != null && used) {
            return "The rate sets the pace: " + Figures.of(rate.admissions(), "visitor") + " in any "
                    + Figures.duration(rate.period()) + ", and these admissions are used.";
        }
        if (!line) {
            return "No limit is reached: whoever comes enters at once.";
        }
        return load.free() > 0 && load.door() == 0
                ? "Admissions are free: visitors enter as soon as those who are called come back."
                : "Visitors enter as the limits allow: " + RoomControl.words(limits) + ".";
    }
}
