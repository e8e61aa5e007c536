package dev.orderly.web.room;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.room.gate.Room;
import dev.orderly.web.room.log.VisitorLog;
import dev.orderly.web.room.page.WaitingPage;

/**
 * A room with the requests that it protects and the answers for its waiting visitors.
 *
 * @param waitingStatus 503, 429, 202 or 200
 * @param traffic records exchanges of admitted visitors with the origin; must be the traffic of the room's signals
 * @param log records the requests
 */
public record GatedRoom(Room room, RoomMatch match, WaitingPage page, int waitingStatus, OriginTraffic traffic,
        VisitorLog log) {
    /** @throws IllegalArgumentException if the status is none of these */
    public GatedRoom {
        checkStatus(waitingStatus);
    }

    /** @throws IllegalArgumentException if waiting visitors cannot be answered with this status */
    public static void checkStatus(int waitingStatus) {
        if (waitingStatus != 503 && waitingStatus != 429 && waitingStatus != 202 && waitingStatus != 200) {
            throw new IllegalArgumentException(
                    "The waiting status is " + waitingStatus + ": use 503, 429, 202 or 200");
        }
    }

    /** The same room for a site below a path, see {@link WaitingPage#below}. */
    public GatedRoom below(String path) {
        return new GatedRoom(room, match, page.below(path), waitingStatus, traffic, log);
    }

    /** A room whose requests are not recorded. */
    public GatedRoom(Room room, RoomMatch match, WaitingPage page, int waitingStatus, OriginTraffic traffic) {
        this(room, match, page, waitingStatus, traffic, VisitorLog.NONE);
    }
}
