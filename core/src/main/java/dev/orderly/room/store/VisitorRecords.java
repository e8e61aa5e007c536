package dev.orderly.room.store;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import java.time.Instant;

/** What a store knows of single visitors. Reads by index, and changes nothing but what time has ended. */
public interface VisitorRecords {
    /**
     * What is kept of the visitor in the room's current epoch; {@link VisitorRecord#NONE} if there is nothing. No store
     * keeps an entry by the id of a visitor who only waits: that would cost a write for each place.
     */
    VisitorRecord find(RoomName room, VisitorId visitor, Instant now);

    /**
     * What a place of the room's current epoch is used for, by the number alone.
     *
     * @param place 1 or more, issued or not
     */
    PlaceUse use(RoomName room, long place, Instant now);

    /**
     * The present visitors of a line who wait, whichever gate reported them: the lowest places first.
     *
     * @param line the number of the line: 0 for the first, see {@link dev.orderly.room.Tiers#line}
     * @param most number of places at which the answer ends, 1 or more
     */
    PresentPlaces present(RoomName room, int line, int most, Instant now);

    /** Those of the first line. */
    default PresentPlaces present(RoomName room, int most, Instant now) {
        return present(room, 0, most, now);
    }
}
