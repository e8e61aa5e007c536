package dev.orderly.room.gate;

import dev.orderly.room.token.Pass;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of a request for what a room protects. */
public sealed interface Visit {
    /** The request goes on to what the room protects. */
    sealed interface LetIn extends Visit {}

    /** The request is answered in place of what the room protects. */
    sealed interface KeptOut extends Visit {}

    /**
     * The visitor has a pass.
     *
     * @param token of a new pass to be handed to the visitor; null if the one shown is good
     * @param ticketToken to be handed out beside it to a visitor who never waited: until the pass is shown for the first
     *     time it keeps the place; null for none
     */
    record Admitted(Pass pass, @Nullable String token, @Nullable String ticketToken) implements LetIn {
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
    record LetThrough(@Nullable String ticketToken, @Nullable String passToken) implements LetIn {}

    /** @param token of a new ticket to be handed to the visitor; null if the one shown is good */
    record Waiting(LinePosition standing, @Nullable String token) implements KeptOut {}

    /** The room takes nobody in and gives no places. */
    record TurnedAway() implements KeptOut {}

    /** The visitor's ticket is used up, given back or void, and no new one was asked for. */
    record NoTicket() implements KeptOut {}

    /** The address has taken as many places as it may. */
    record TooMany(Duration retryAfter) implements KeptOut {}

    /** No place can be given at the moment; nothing was done. */
    record Unavailable(Duration retryAfter) implements KeptOut {}
}
