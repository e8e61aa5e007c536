package dev.orderly.room.gate;

import dev.orderly.room.RoomObserver;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.time.Time;
import java.util.random.RandomGenerator;

/**
 * The collaborators that the parts of a gate share.
 *
 * @param time steady
 * @param random unpredictable: the source of visitor ids
 */
record GateContext(GateId gate, RoomStore store, RoomTokens tokens, Time time, RandomGenerator random,
        RoomObserver observer) {
    /** The same collaborators with an observer of visitors. */
    GateContext with(RoomObserver other) {
        return new GateContext(gate, store, tokens, time, random, other);
    }
}
