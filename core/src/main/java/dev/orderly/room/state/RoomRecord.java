package dev.orderly.room.state;

import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.store.StoredLine;
import dev.orderly.text.LocalizedText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored record of a room.
 *
 * @param crowded whether visitors were known to wait
 * @param granted visitors whom an operator admitted and who have not entered yet
 * @param openings changes of openings by operators
 * @param draws the draws of openings, with their seeds
 * @param tiers the lines of a room with tiers, the first line at index 0; empty without tiers
 * @param at the moment of this record: passes that had ended by then have ended for good
 */
public record RoomRecord(RoomName room, long epoch, long length, long cursor, boolean crowded, RoomMode mode,
        @Nullable LocalizedText message, int granted, @Nullable Limits override, List<OpeningChange> openings,
        DrawLedger draws, List<StoredLine> tiers, Instant at) {
    public RoomRecord {
        openings = List.copyOf(openings);
        tiers = List.copyOf(tiers);
    }
}
