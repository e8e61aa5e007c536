package dev.orderly.http.room;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.http.room.page.WaitingPage;
import dev.orderly.room.gate.Room;

/**
 * A room, what it protects, and how who waits is answered.
 *
 * @param waitingStatus 503, 429, 202 or 200
 * @param traffic is told how the origin does with what the room let through: the same that the room listens to
 */
public record GatedRoom(Room room, RoomMatch match, WaitingPage page, int waitingStatus, OriginTraffic traffic) {
    /** @throws IllegalArgumentException if the status is another one */
    public GatedRoom {
        if (waitingStatus != 503 && waitingStatus != 429 && waitingStatus != 202 && waitingStatus != 200) {
            throw new IllegalArgumentException(
                    "The waiting status is " + waitingStatus + ": use 503, 429, 202 or 200");
        }
    }
}
