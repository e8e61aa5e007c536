package dev.orderly.testkit.contract.room;

/** One subject of the contract of rooms. */
interface RoomPart {
    RoomTrial trial();
}
