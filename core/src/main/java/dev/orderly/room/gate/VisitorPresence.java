package dev.orderly.room.gate;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The presence of a visitor who waits, as the gates see it.
 *
 * @param until the moment until which the visitor counts as present; in the past for one who is away, null for one who
 *     was never seen
 * @param connected whether a page of the visitor is connected by events, or a request of the visitor is held
 * @param gate the node that saw the visitor last, by host and process; null if it is not known
 */
public record VisitorPresence(@Nullable Instant until, boolean connected, @Nullable String gate) {
    static final VisitorPresence NONE = new VisitorPresence(null, false, null);
}
