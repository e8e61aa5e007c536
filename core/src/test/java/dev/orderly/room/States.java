package dev.orderly.room;

import dev.orderly.room.RoomState.Line;
import dev.orderly.room.RoomState.Load;
import dev.orderly.room.RoomState.Pace;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/** States of rooms for tests: open, with no visitors inside and ten thousand in line, unless given otherwise. */
public record States(RoomMode mode, Limits limits, SlowdownReason slowed, Load load, Pace pace) {
    static final long LENGTH = 10_000;
    public static final long CURSOR = 500;
    static final Pace NONE = new Pace(0, 0, 0, 0, 0);

    public static States of(Limits limits) {
        return new States(RoomMode.AUTO, limits, SlowdownReason.NO, load(0, 0), NONE);
    }

    public static Load load(int active, int free) {
        return new Load(active, free, 0, 0, 0, 1);
    }

    /** A pace at which every called visitor entered. */
    public static Pace pace(int in10, int in60) {
        return new Pace(in10, in60, in10, in60, in60);
    }

    States with(RoomMode value) {
        return new States(value, limits, slowed, load, pace);
    }

    States with(SlowdownReason value) {
        return new States(mode, limits, value, load, pace);
    }

    public States with(Load value) {
        return new States(mode, limits, slowed, value, pace);
    }

    public States with(Pace value) {
        return new States(mode, limits, slowed, load, value);
    }

    public RoomState state() {
        return new RoomState(new RoomName("sale"), 1, mode, null, new Line(LENGTH, CURSOR, CURSOR, true), load, pace,
                limits, slowed, null, Map.of(), Set.of(), Instant.EPOCH);
    }
}
