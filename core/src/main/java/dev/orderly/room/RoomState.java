package dev.orderly.room;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A room at one moment, as gates remember it and operators see it.
 *
 * @param message what the waiting page says; null for nothing
 * @param override limits an operator set instead of the configured ones; null if none
 * @param voided visitors whose tokens are void before they expire
 * @param at when this was so
 */
public record RoomState(RoomName room, long epoch, RoomMode mode, @Nullable String message, Line line, Load load,
        Pace pace, Limits limits, SlowdownReason slowed, @Nullable Limits override, Map<VisitorId, Instant> voided,
        Instant at) {
    public RoomState {
        voided = Map.copyOf(voided);
    }

    /** The limits an operator set, otherwise those that are configured. */
    public Limits limitsSet(RoomOptions options) {
        return override == null ? options.limits() : override;
    }

    /** Whether the tokens of this visitor are void, however long they say they last. */
    public boolean isVoid(VisitorId visitor) {
        return !voided.isEmpty() && voided.containsKey(visitor);
    }

    /**
     * The line.
     *
     * @param length the last place issued
     * @param cursor the highest place called; at most {@code length}
     * @param horizon gates tell the store of present visitors with places up to this one
     * @param crowded whether visitors were known to wait
     */
    public record Line(long length, long cursor, long horizon, boolean crowded) {
        /** Places not yet called. */
        public long waiting() {
            return length - cursor;
        }
    }

    /**
     * What is taken.
     *
     * @param active places inside that are taken: live passes, and those kept for passes that ended while a gate was out
     *     of reach
     * @param free admissions that could be given at once
     * @param door called visitors who are present
     * @param known present visitors the store knows of, those at the door included
     * @param granted visitors an operator still has to admit
     * @param gates gates that were heard of lately
     */
    public record Load(int active, int free, int door, int known, int granted, int gates) {}

    /** How it went: admissions and called places in the last 10 and 60 seconds, and since the epoch began. */
    public record Pace(int admitted10, int admitted60, int called10, int called60, long admitted) {}
}
