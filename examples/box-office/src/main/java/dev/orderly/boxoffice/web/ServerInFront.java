package dev.orderly.boxoffice.web;

import dev.orderly.room.RoomName;
import dev.orderly.room.gate.Rooms;

/**
 * The Orderly server in front of the shop.
 *
 * @param room the room before the ticket pages
 * @param admin address of its admin listener, without a slash at the end
 */
public record ServerInFront(Rooms rooms, RoomName room, String admin) {}
