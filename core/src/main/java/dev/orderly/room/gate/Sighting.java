package dev.orderly.room.gate;

import dev.orderly.room.VisitorId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one gate knows of a visitor who waits.
 *
 * @param visitor the id; null unless a page of the visitor is connected to the gate
 * @param joined when the place was taken; null unless a page is connected
 * @param seen the moment until which the visitor counts as present; null if the gate knows of none
 * @param here whether the visitor was seen at this gate last, as far as it knows
 */
record Sighting(long epoch, long place, @Nullable VisitorId visitor, @Nullable Instant joined, @Nullable Instant seen,
        boolean here) {
    boolean isConnected() {
        return visitor != null;
    }

    ObjectNode write() {
        return JsonMapper.shared().createObjectNode().put("epoch", epoch).put("place", place)
                .put("visitor", visitor == null ? null : visitor.toString())
                .put("joined", joined == null ? null : (Long) joined.toEpochMilli())
                .put("seen", seen == null ? null : (Long) seen.toEpochMilli()).put("here", here);
    }

    static Sighting read(JsonNode json) {
        Optional<VisitorId> visitor = VisitorId.parse(json.path("visitor").asString(""));
        return new Sighting(json.path("epoch").asLong(0), json.path("place").asLong(0), visitor.orElse(null),
                moment(json.path("joined")), moment(json.path("seen")), json.path("here").asBoolean(false));
    }

    private static @Nullable Instant moment(JsonNode json) {
        return json.isNumber() ? Instant.ofEpochMilli(json.longValue()) : null;
    }
}
