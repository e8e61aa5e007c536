package dev.orderly.room;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has to become durable before the answers of a {@link RoomBook} are given.
 *
 * @param room the room itself; null if only the rest changed
 * @param newEpoch whether everything kept about places and voided visitors goes first
 * @param places to be written over what is kept of them
 * @param voided to be written over what is kept of them
 */
public record RoomUpdates(@Nullable RoomRecord room, boolean newEpoch, List<PlaceRecord> places,
        Map<VisitorId, Instant> voided) {
    public boolean isEmpty() {
        return room == null && !newEpoch && places.isEmpty() && voided.isEmpty();
    }

    /**
     * A room as it is kept.
     *
     * @param crowded whether visitors were known to wait
     * @param granted visitors an operator still has to admit
     */
    public record RoomRecord(RoomName room, long epoch, long length, long cursor, boolean crowded, RoomMode mode,
            @Nullable String message, int granted, @Nullable Limits override) {}

    /**
     * A place that was admitted, or whose ticket is used up.
     *
     * @param admittedAt when, if it counts towards the rate; null otherwise
     * @param until when its pass ends or ended
     * @param usedUp whether its ticket is worth nothing any more
     */
    public record PlaceRecord(long place, VisitorId visitor, @Nullable Instant admittedAt, Instant until,
            boolean usedUp) {}
}
