package dev.orderly.room.gate;

import dev.orderly.room.VisitorId;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.Ticket;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a request has to show, verified: everything here is authentic and of the room's present epoch.
 *
 * @param ticket that has not expired; of several the one with the lowest place
 * @param pass of several the one that ends last; may have ended
 */
record VerifiedTokens(@Nullable Ticket ticket, @Nullable Pass pass) {
    static final VerifiedTokens NONE = new VerifiedTokens(null, null);

    /** Those whose visitors are not sent away. */
    VerifiedTokens without(Predicate<VisitorId> sentAway) {
        return new VerifiedTokens(ticket == null || sentAway.test(ticket.visitor()) ? null : ticket,
                pass == null || sentAway.test(pass.visitor()) ? null : pass);
    }
}
