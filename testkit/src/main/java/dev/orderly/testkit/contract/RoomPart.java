package dev.orderly.testkit.contract;

/** One subject of the contract of rooms. */
interface RoomPart {
    RoomTrial trial();
}
