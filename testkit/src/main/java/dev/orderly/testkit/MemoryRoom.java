package dev.orderly.testkit;

import dev.orderly.room.PlaceSet;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomBook;
import dev.orderly.room.RoomKept;
import dev.orderly.room.RoomUpdates;
import dev.orderly.room.RoomUpdates.PlaceRecord;
import dev.orderly.room.RoomUpdates.RoomRecord;
import dev.orderly.room.VisitorId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What of one room outlives the process. */
final class MemoryRoom {
    private final Map<Long, PlaceRecord> places = new TreeMap<>();
    private final Map<VisitorId, Instant> voided = new HashMap<>();
    private final TreeMap<Instant, Integer> admissions = new TreeMap<>();
    private @Nullable RoomRecord room;
    private Instant endedBy = Instant.EPOCH;

    void keep(RoomBook book) {
        RoomUpdates updates = book.drain();
        endedBy = book.endedBy().isAfter(endedBy) ? book.endedBy() : endedBy;
        if (updates.newEpoch()) {
            places.clear();
            voided.clear();
        }
        if (updates.room() != null) {
            room = updates.room();
        }
        updates.places().forEach(place -> places.put(place.place(), place));
        voided.putAll(updates.voided());
        updates.admissions().forEach((at, count) -> admissions.merge(at, count, Integer::sum));
        if (!updates.admissions().isEmpty()) {
            admissions.headMap(admissions.lastKey().minus(Rate.LONGEST), true).clear();
        }
    }

    /** As another process finds it. */
    RoomBook book() {
        RoomRecord last = Objects.requireNonNull(room, "The first updates bring the room");
        RoomRecord now = new RoomRecord(last.room(), last.epoch(), last.length(), last.cursor(), last.crowded(),
                last.mode(), last.message(), last.granted(), last.override(), endedBy);
        RoomBook book = new RoomBook(
                new RoomKept(now, new PlaceSet(), List.copyOf(places.values()), voided, admissions));
        book.leasesUnknown();
        return book;
    }
}
