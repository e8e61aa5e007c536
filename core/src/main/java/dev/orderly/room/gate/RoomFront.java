package dev.orderly.room.gate;

import dev.orderly.Internal;
import dev.orderly.room.VisitorId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The visitors at the front of a room's line: those with the lowest places who are present at any gate.
 *
 * @param cursor the highest place called
 * @param visitors the lowest places first
 * @param unreachable nodes that did not answer, by host and process: visitors whom only they see may be missing
 */
@Internal(to = "dev.orderly")
public record RoomFront(long cursor, List<Visitor> visitors, List<String> unreachable) {
    /**
     * A present visitor who waits.
     *
     * @param place the ticket number
     * @param tier the name of the tier of the visitor's line; null for the first one
     * @param called whether the place is called
     * @param joined when the place was taken; known of visitors whose page is connected, otherwise null
     * @param id known of visitors whose page is connected, otherwise null
     */
    public record Visitor(long place, @Nullable String tier, boolean called, VisitorPresence presence,
            @Nullable Instant joined,
            @Nullable VisitorId id) {
        public Visitor {
            Objects.requireNonNull(presence, "presence");
        }
    }

    public RoomFront {
        Objects.requireNonNull(visitors, "visitors");
        Objects.requireNonNull(unreachable, "unreachable");
        visitors = List.copyOf(visitors);
        unreachable = List.copyOf(unreachable);
    }
}
