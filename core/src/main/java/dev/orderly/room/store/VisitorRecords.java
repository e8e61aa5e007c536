package dev.orderly.room.store;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * The look-up of a visitor by the id alone. No store keeps an entry for a visitor who only waits: that would cost a
 * write for each place.
 */
public interface VisitorRecords {
    /**
     * What is kept of the visitor in the room's current epoch; {@link VisitorRecord#NONE} if there is nothing. Reads
     * by index, and changes nothing but what time has ended.
     */
    VisitorRecord find(RoomName room, VisitorId visitor, Instant now);
}
