package dev.orderly.room.gate;

import dev.orderly.room.VisitorId;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.Ticket;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The verified tokens of a request: authentic, and of the room's current epoch or the next.
 *
 * @param ticket an unexpired ticket; of several of one epoch, the one with the lowest place
 * @param pass of several of one epoch, the one that ends last; may have ended
 */
record VerifiedTokens(@Nullable Ticket ticket, @Nullable Pass pass) {
    static final VerifiedTokens NONE = new VerifiedTokens(null, null);

    /** These tokens, the ticket with another place. */
    VerifiedTokens placed(UnaryOperator<Ticket> place) {
        return ticket == null ? this : new VerifiedTokens(place.apply(ticket), pass);
    }

    /** These tokens, without those of revoked visitors. */
    VerifiedTokens without(Predicate<VisitorId> revoked) {
        return new VerifiedTokens(ticket == null || revoked.test(ticket.visitor()) ? null : ticket,
                pass == null || revoked.test(pass.visitor()) ? null : pass);
    }
}
