package dev.orderly.http.room;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.http.room.page.WaitingPage;
import dev.orderly.room.gate.Room;

/**
 * A room with the requests that it protects and the answers for its waiting visitors.
 *
 * @param waitingStatus 503, 429, 202 or 200
 * @param traffic records exchanges of admitted visitors with the origin; must be the traffic of the room's signals
 */
public record GatedRoom(Room room, RoomMatch match, WaitingPage page, int waitingStatus, OriginTraffic traffic) {
    /** @throws IllegalArgumentException if the status is none of these */
    public GatedRoom {
        if (waitingStatus != 503 && waitingStatus != 429 && waitingStatus != 202 && waitingStatus != 200) {
            throw new IllegalArgumentException(
                    "The waiting status is " + waitingStatus + ": use 503, 429, 202 or 200");
        }
    }
}
