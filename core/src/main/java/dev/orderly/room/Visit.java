package dev.orderly.room;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What becomes of a request for what a room protects. */
public sealed interface Visit {
    /**
     * The visitor may enter.
     *
     * @param token of a new pass to be handed to the visitor; null if the one shown is good
     * @param ticketToken to be handed out beside it to one who never waited: until the pass is shown for the first time
     *     it keeps the place; null for none
     */
    record Admitted(Pass pass, @Nullable String token, @Nullable String ticketToken) implements Visit {
        /** With the pass that was shown. */
        Admitted(Pass pass) {
            this(pass, null, null);
        }
    }

    /**
     * The room keeps nobody out now.
     *
     * @param ticketToken to be handed to the visitor, null for none
     * @param passToken to be handed to the visitor, null for none
     */
    record LetThrough(@Nullable String ticketToken, @Nullable String passToken) implements Visit {}

    /** @param token of a new ticket to be handed to the visitor; null if the one shown is good */
    record Waiting(Standing standing, @Nullable String token) implements Visit {}

    /** The room takes nobody in; there is no place to be had. */
    record TurnedAway() implements Visit {}

    /** The visitor's ticket is used up, given back or void, and no new one was asked for. */
    record NoTicket() implements Visit {}

    /** The address has taken as many places as it may. */
    record TooMany(Duration retryAfter) implements Visit {}

    /** There is no place to be had at the moment; nothing was done. */
    record Unavailable(Duration retryAfter) implements Visit {}

    /** The store is asked: the rest follows. Completes on a thread that must not block, and never exceptionally. */
    record Asking(CompletionStage<Visit> later) implements Visit {}
}
