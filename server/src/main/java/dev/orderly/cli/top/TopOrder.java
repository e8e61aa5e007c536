package dev.orderly.cli.top;

import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** The orders of queues, first the queue that needs attention most. */
public enum TopOrder {
    /** The oldest waiting job first; queues without a waiting job last. */
    AGE,
    /** Most waiting jobs first. */
    WAITING,
    /** Most dead letters first. */
    DEAD,
    /** By name. */
    NAME;

    /** The order of two queues of the API; names decide between equals. */
    Comparator<JsonNode> comparator() {
        Comparator<JsonNode> byName = Comparator.comparing(queue -> queue.path("queue").asString(""));
        return switch (this) {
            case AGE -> Comparator.comparing(TopOrder::oldest).thenComparing(byName);
            case WAITING -> most("waiting").thenComparing(byName);
            case DEAD -> most("dead").thenComparing(byName);
            case NAME -> byName;
        };
    }

    /** The order after this one, in turns. */
    public TopOrder next() {
        return switch (this) {
            case AGE -> WAITING;
            case WAITING -> DEAD;
            case DEAD -> NAME;
            case NAME -> AGE;
        };
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static Comparator<JsonNode> most(String state) {
        return Comparator.comparingLong(queue -> -queue.path("jobs").path(state).asLong(0));
    }

    private static Instant oldest(JsonNode queue) {
        String oldest = queue.path("oldestPushedAt").asString("");
        return oldest.isEmpty() ? Instant.MAX : Instant.parse(oldest);
    }
}
