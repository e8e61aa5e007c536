/**
 * The handling of visitors' requests at one gate. {@link dev.orderly.room.gate.RoomVisits} answers a visit, {@link
 * dev.orderly.room.gate.RoomEngine} runs the rounds of all rooms; applications have {@link dev.orderly.room.gate.Rooms}
 * and {@link dev.orderly.room.gate.Room}.
 */
@NullMarked
package dev.orderly.room.gate;

import org.jspecify.annotations.NullMarked;
