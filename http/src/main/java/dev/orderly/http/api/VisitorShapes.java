package dev.orderly.http.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.RoomMode;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of the answers to visitors. {@code RoomJson} of {@code web} writes them without a mapper. */
final class VisitorShapes {
    static final String LANGUAGE = "The language of the message, a BCP 47 tag; null if unknown.";

    private VisitorShapes() {}

    /** The position of a visitor. */
    @Doc(name = "VisitorPosition")
    record Position(@Doc(facets = "enum: ['waiting', 'door', 'held', 'lobby', 'turn', 'closed']") String state,
            String room,
            long epoch, @Doc(facets = "minimum: 1") @OmitNull @Nullable Long place,
            @Doc("The people before the visitor.") @OmitNull @Nullable Long ahead,
            @Doc("False as long as ahead is only the most there can be: who of them is present is not known"
                    + " yet.") @OmitNull @Nullable Boolean aheadKnown,
            @Doc(facets = "minimum: 0, maximum: 1") @OmitNull @Nullable Double progress,
            @Doc(value = "The least expected wait in seconds; null if it is unknown.",
                    facets = OR_NULL) @OmitNull @Nullable Integer low,
            @Doc(value = "The most expected wait in seconds.", facets = OR_NULL) @OmitNull @Nullable Integer high,
            @Doc("The reason for the estimate, or for the lack of one.") @OmitNull @Nullable String cause,
            @Doc(value = "Of ten visitors who entered at this gate in the last hour, the number who waited no longer"
                    + " than announced first; null if fewer than twenty are known, or the wait has no known end.",
                    facets = OR_NULL + ", maximum: 10") @OmitNull @Nullable Integer kept,
            @Doc(value = "Seconds until the next request.", facets = "minimum: 1") @OmitNull @Nullable Integer poll,
            RoomMode mode,
            @Doc("The operator's message, in the first language of Accept-Language that has a"
                    + " text.") @Nullable String message,
            @Doc(LANGUAGE) @Nullable String messageLanguage,
            @Doc(Opening.ABOUT) @OmitNull @Nullable Opening opening) {
        static final String OR_NULL = "type: ['integer', 'null']";
    }

    /** How far a line is. */
    @Doc(name = "RoomCursor")
    record Cursor(String room, long epoch, long length, long cursor, int door,
            @Doc("Places called in the last 10 and 60 seconds.") Called called,
            @Doc("The shortest and longest interval between requests, in seconds.") Poll poll, RoomMode mode,
            @Doc("The operator's message, for visitors whose language has no text of its"
                    + " own.") @Nullable String message,
            @Doc(LANGUAGE) @Nullable String messageLanguage,
            @Doc("The message by language, a BCP 47 tag.") Map<String, String> messages,
            @Doc(Opening.ABOUT) @OmitNull @Nullable Opening opening, Instant time) {}

    /** The scheduled openings at the moment. */
    @Doc(name = "VisitorOpening")
    record Opening(OpeningStatus.Phase phase,
            @Doc("When visitors enter; absent after the last opening.") @OmitNull @Nullable Instant opens,
            @Doc("The time zone of the opening.") @OmitNull @Nullable String zone,
            @Doc(value = "Seconds until then.", facets = "minimum: 0") @OmitNull @Nullable Long in,
            @Doc("From when on places are given.") @OmitNull @Nullable Instant lobby,
            @Doc(value = "When nobody new enters; null for no end.",
                    facets = "type: ['string', 'null']") @OmitNull @Nullable Instant closes,
            @Doc(value = "About how many visitors there is something for; null if that is not known.",
                    facets = Position.OR_NULL) @OmitNull @Nullable Integer stock,
            @Doc("Visitors in line.") @OmitNull @Nullable Long waiting,
            @Doc("Whether the places of the lobby are drawn.") @OmitNull @Nullable Boolean draw,
            @Doc("When it was to begin before it was moved; null if it was not.") @Nullable Instant instead,
            @Doc("When an opening was to begin that was cancelled; null for none.") @Nullable Instant cancelled) {
        static final String ABOUT = "What the scheduled openings mean now; absent in a room without.";
    }

    /** Places called lately. */
    record Called(@JsonProperty("10s") int last10s, @JsonProperty("60s") int last60s) {}

    /** Intervals. */
    record Poll(int least, int most) {}
}
