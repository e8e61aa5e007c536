package dev.orderly.web.room;

import dev.orderly.room.gate.Room;
import dev.orderly.web.room.log.VisitorLog;
import dev.orderly.web.room.page.WaitingPage;
import java.util.Objects;

/**
 * A room with the requests that it protects and the answers for its waiting visitors. Applications begin with
 * {@link #of}: the constructor may get more parameters.
 *
 * @param waitingStatus 503, 429, 202 or 200
 * @param holds whether the request of a called visitor may wait for a free admission, see {@link Room#hold}: for a
 *     server in which a request that waits takes no thread
 * @param log records the requests
 */
public record GatedRoom(Room room, RoomMatch match, WaitingPage page, int waitingStatus, boolean holds,
        VisitorLog log) {
    /** @throws IllegalArgumentException if the status is none of these */
    public GatedRoom {
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(match, "match");
        Objects.requireNonNull(page, "page");
        Objects.requireNonNull(log, "log");
        checkStatus(waitingStatus);
    }

    /** A room that answers with 503 and at once, and whose requests are not recorded. */
    public static GatedRoom of(Room room, RoomMatch match, WaitingPage page) {
        return new GatedRoom(room, match, page, 503, false, VisitorLog.NONE);
    }

    /** @throws IllegalArgumentException if waiting visitors cannot be answered with this status */
    public static void checkStatus(int waitingStatus) {
        if (waitingStatus != 503 && waitingStatus != 429 && waitingStatus != 202 && waitingStatus != 200) {
            throw new IllegalArgumentException(
                    "The waiting status is " + waitingStatus + ": use 503, 429, 202 or 200");
        }
    }

    /** @throws IllegalArgumentException if it is none of 503, 429, 202 and 200 */
    public GatedRoom withWaitingStatus(int value) {
        return new GatedRoom(room, match, page, value, holds, log);
    }

    public GatedRoom withHolds(boolean value) {
        return new GatedRoom(room, match, page, waitingStatus, value, log);
    }

    public GatedRoom withLog(VisitorLog value) {
        Objects.requireNonNull(value, "value");
        return new GatedRoom(room, match, page, waitingStatus, holds, value);
    }

    /** The same room for a site below a path, see {@link WaitingPage#below}. */
    public GatedRoom below(String path) {
        return new GatedRoom(room, match, page.below(path), waitingStatus, holds, log);
    }
}
