package dev.orderly.room.gate;

import dev.orderly.Internal;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.token.Pass;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of a request for a protected resource. */
@Internal(to = "dev.orderly")
public sealed interface Visit {
    /** The outcome in a room that lets every visitor pass. */
    default Visit letThrough() {
        return switch (this) {
            case Allowed in -> in;
            case Waiting(_, String token, _) -> new Ungated(token, null);
            case Slowed(_, String token, _) -> new Ungated(token, null);
            case NotAllowed _ -> new Ungated(null, null);
        };
    }

    /** This outcome with a ticket to be sent to the visitor, unless it has one. */
    default Visit withTicket(String token) {
        return switch (this) {
            case Waiting(LinePosition position, String own, boolean taken) when own == null ->
                new Waiting(position, token, taken);
            case Admitted(Pass pass, String own, String ticket) when ticket == null -> new Admitted(pass, own, token);
            default -> this;
        };
    }

    /** The request continues to the protected resource. */
    sealed interface Allowed extends Visit {}

    /** The request is answered instead of reaching the protected resource. */
    sealed interface NotAllowed extends Visit {}

    /**
     * The visitor has a pass.
     *
     * @param token a new pass to be sent to the visitor; null if the shown pass is good
     * @param ticketToken a ticket to be sent beside it to a visitor who never waited: it keeps the place until the pass
     *     is shown for the first time; null for none
     */
    record Admitted(Pass pass, @Nullable String token, @Nullable String ticketToken) implements Allowed {
        /** An admission by the pass that was shown. */
        Admitted(Pass pass) {
            this(pass, null, null);
        }
    }

    /**
     * All visitors pass.
     *
     * @param ticketToken to be sent to the visitor; null for none
     * @param passToken to be sent to the visitor; null for none
     */
    record Ungated(@Nullable String ticketToken, @Nullable String passToken) implements Allowed {}

    /**
     * The visitor waits.
     *
     * @param token a ticket to be sent to the visitor; null if the shown ticket is good
     * @param taken whether the place is new, rather than the ticket
     */
    record Waiting(LinePosition position, @Nullable String token, boolean taken) implements NotAllowed {}

    /**
     * The room gives neither admissions nor places.
     *
     * @param opening what its openings mean; null if an operator closed it
     */
    record TurnedAway(@Nullable OpeningStatus opening) implements NotAllowed {}

    /** No ticket counts (none was shown, or it is used up, given back or void), and no new place was requested. */
    record NoTicket() implements NotAllowed {}

    /** The place of the shown ticket was moved to another device; no new place was taken. */
    record Moved() implements NotAllowed {}

    /**
     * The address has taken as many places as it may.
     *
     * @param retryAfter time until it may take another
     */
    record TooMany(Duration retryAfter) implements NotAllowed {}

    /**
     * The visitor gets a place after a wait.
     *
     * @param token a proof of the wait to be sent to the visitor, who shows it as a ticket; null if the shown one is
     *     good
     * @param challenge work that ends the wait, as JSON in the format of ALTCHA; null if none does
     */
    record Slowed(Duration retryAfter, @Nullable String token, @Nullable String challenge) implements NotAllowed {}

    /** The invitation that was sent gives no place; a place that the visitor has is kept. */
    record NotInvited(InvitationRefusal why) implements NotAllowed {}

    /** Only users have places in this room, and the visitor is not signed in. */
    record NotSignedIn() implements NotAllowed {}

    /** The check of the room gives the visitor no place. */
    record Refused() implements NotAllowed {}

    /**
     * The check of the room gave no verdict, and visitors without one get no place.
     *
     * @param retryAfter time until the visitor may ask again
     */
    record Unchecked(Duration retryAfter) implements NotAllowed {}

    /** No place can be issued at the moment; nothing was changed. */
    record Unavailable(Duration retryAfter) implements NotAllowed {}
}
