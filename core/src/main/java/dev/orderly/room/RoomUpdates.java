package dev.orderly.room;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has to become durable before the answers of a {@link RoomBook} are given.
 *
 * @param room the room itself; null if only the rest changed
 * @param newEpoch whether everything kept about places and voided visitors goes first; admissions stay
 * @param places to be written over what is kept of them
 * @param voided to be written over what is kept of them
 * @param admissions how many more were given at a moment, of those that count towards the rate; to be added to what is
 *     kept of it
 */
public record RoomUpdates(@Nullable RoomRecord room, boolean newEpoch, Collection<PlaceRecord> places,
        Map<VisitorId, Instant> voided, Map<Instant, Integer> admissions) {
    public RoomUpdates {
        places = List.copyOf(places);
        voided = Map.copyOf(voided);
        admissions = Map.copyOf(admissions);
    }

    public boolean isEmpty() {
        return room == null && !newEpoch && places.isEmpty() && voided.isEmpty() && admissions.isEmpty();
    }

    /**
     * A room as it is kept.
     *
     * @param crowded whether visitors were known to wait
     * @param granted visitors an operator still has to admit
     * @param at when this was so: passes that had ended by then have ended for good
     */
    public record RoomRecord(RoomName room, long epoch, long length, long cursor, boolean crowded, RoomMode mode,
            @Nullable String message, int granted, @Nullable Limits override, Instant at) {}

    /**
     * A place that was admitted, or whose ticket is used up.
     *
     * @param until when its pass ends or ended
     * @param usedUp whether its ticket is worth nothing any more
     */
    public record PlaceRecord(long place, VisitorId visitor, Instant until, boolean usedUp) {}
}
