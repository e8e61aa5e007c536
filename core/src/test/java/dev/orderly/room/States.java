package dev.orderly.room;

import dev.orderly.room.RoomState.Line;
import dev.orderly.room.RoomState.Load;
import dev.orderly.room.RoomState.Pace;
import java.time.Instant;
import java.util.Map;

/** Rooms as tests want them to stand: open, with nobody inside and ten thousand in line, unless said otherwise. */
record States(RoomMode mode, Limits limits, Slowed slowed, Load load, Pace pace) {
    static final long LENGTH = 10_000;
    static final long CURSOR = 500;
    static final Pace NONE = new Pace(0, 0, 0, 0, 0);

    static States of(Limits limits) {
        return new States(RoomMode.AUTO, limits, Slowed.NO, load(0, 0), NONE);
    }

    static Load load(int active, int free) {
        return new Load(active, free, 0, 0, 0, 1);
    }

    /** As many entered as were called. */
    static Pace pace(int in10, int in60) {
        return new Pace(in10, in60, in10, in60, in60);
    }

    States with(RoomMode value) {
        return new States(value, limits, slowed, load, pace);
    }

    States with(Slowed value) {
        return new States(mode, limits, value, load, pace);
    }

    States with(Load value) {
        return new States(mode, limits, slowed, value, pace);
    }

    States with(Pace value) {
        return new States(mode, limits, slowed, load, value);
    }

    RoomState state() {
        return new RoomState(new RoomName("sale"), 1, mode, null, new Line(LENGTH, CURSOR, CURSOR, true), load, pace,
                limits, slowed, null, Map.of(), Instant.EPOCH);
    }
}
