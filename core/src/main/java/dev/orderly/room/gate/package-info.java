/**
 * The handling of visitors' requests at one gate. {@link dev.orderly.room.gate.Room} answers a visit, {@link
 * dev.orderly.room.gate.RoomEngine} runs the rounds of all rooms.
 */
@NullMarked
package dev.orderly.room.gate;

import org.jspecify.annotations.NullMarked;
