package dev.orderly.room;

import dev.orderly.time.Time;
import java.util.random.RandomGenerator;

/**
 * What the parts of a gate share.
 *
 * @param time steady
 * @param random unpredictable: visitor ids come from it
 */
record GateContext(GateId gate, RoomStore store, RoomTokens tokens, Time time, RandomGenerator random) {}
