package dev.orderly.store;

/**
 * What no answer of a store may contradict, whatever has failed before. A contradiction is a fault of Orderly, or the
 * work of somebody who changed the store's data by hand.
 */
public enum StorePromise {
    /** A call about several things answers each of them. */
    ANSWERS,
    /** A claim hands out no more than was asked for, and each job once. */
    CLAIM,
    /** A claim hands out the jobs of a group in the order of their numbers. */
    GROUP_ORDER,
    /** A room has called no place that it has not issued. */
    LINE,
    /** No count of a room is negative. */
    ROOM_COUNTS
}
