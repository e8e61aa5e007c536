package dev.orderly.room;

import dev.orderly.room.RoomUpdates.PlaceRecord;
import dev.orderly.room.RoomUpdates.RoomRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All that a store kept of a room, for a {@link RoomBook} to begin with.
 *
 * @param usedUp places whose tickets are used up, as far as {@code places} does not say so
 * @param places of the room's epoch. Those that had ended by {@link RoomRecord#at} may be left out, and have to stand in
 *     {@code usedUp} if their tickets are used up
 * @param admissions how many were given at a moment, those of earlier epochs too; what is older than {@link
 *     Rate#LONGEST} may be left out
 */
public record RoomKept(RoomRecord room, PlaceSet usedUp, List<PlaceRecord> places, Map<VisitorId, Instant> voided,
        Map<Instant, Integer> admissions) {}
