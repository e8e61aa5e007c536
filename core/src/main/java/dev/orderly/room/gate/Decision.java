package dev.orderly.room.gate;

import dev.orderly.room.OnFailure;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.Ticket;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a gate on a request before any call of the store: a pure function of tokens, remembered state and
 * time.
 */
sealed interface Decision {
    /** @param renew whether less than half of the pass is left */
    record Admitted(Pass pass, boolean renew) implements Decision {}

    /** The pass ran out while the store was out of reach; the store may renew it all the same. */
    record Overdue(Pass pass) implements Decision {}

    /** All visitors pass. */
    record LetThrough() implements Decision {}

    /** The place is not called yet. */
    record Waits(Ticket ticket) implements Decision {}

    /** The room has not opened, or is closed: the place is kept, and the store is not asked. */
    record Early(Ticket ticket) implements Decision {}

    /** The place is called: the store decides. */
    record Called(Ticket ticket) implements Decision {}

    /** No token counts. */
    record Arrives() implements Decision {}

    /**
     * The room gives neither admissions nor places.
     *
     * @param opening what its openings mean; null if an operator closed it
     */
    record TurnedAway(@Nullable OpeningStatus opening) implements Decision {}

    /** @param tokens verified tokens, without those of revoked visitors */
    static Decision of(VerifiedTokens tokens, RoomState state, StoreReachability reach, RoomOptions options,
            Instant now) {
        if (state.mode() == RoomMode.OPEN) {
            return new LetThrough();
        }
        Pass pass = tokens.pass();
        if (pass != null) {
            if (now.isBefore(pass.expiresAt())) {
                return new Admitted(pass, isDue(pass, options.stay(), now) && !reach.away());
            }
            if (reach.excuses(pass, now)) {
                return reach.away() ? new Admitted(pass, false) : new Overdue(pass);
            }
        }
        OpeningStatus opening = state.opening(options, now);
        return opening == null || opening.admits()
                ? withoutPass(tokens, state, reach.longAway(now) && options.onFailure() == OnFailure.OPEN)
                : closed(tokens, state, opening);
    }

    /** Before the opening nobody enters, not even while the store is away. */
    private static Decision closed(VerifiedTokens tokens, RoomState state, OpeningStatus opening) {
        Ticket ticket = tokens.ticket();
        if (state.mode() == RoomMode.REJECT || (state.mode() == RoomMode.DRAIN && ticket == null)) {
            return new TurnedAway(null);
        }
        if (ticket != null) {
            return new Early(ticket);
        }
        return opening.givesPlaces() ? new Arrives() : new TurnedAway(opening);
    }

    private static Decision withoutPass(VerifiedTokens tokens, RoomState state, boolean open) {
        if (open) {
            return new LetThrough();
        }
        Ticket ticket = tokens.ticket();
        if (state.mode() == RoomMode.REJECT || (state.mode() == RoomMode.DRAIN && ticket == null)) {
            return new TurnedAway(null);
        }
        if (ticket == null) {
            return new Arrives();
        }
        boolean ofLater = ticket.epoch() > state.epoch();
        return ofLater || ticket.place() <= state.lineOf(ticket.place()).cursor()
                ? new Called(ticket)
                : new Waits(ticket);
    }

    /** Whether less than half of a full lifetime is left, and the pass can still be renewed. */
    static boolean isDue(Pass pass, TokenLifetimes stay, Instant now) {
        Duration left = Duration.between(now, pass.expiresAt());
        boolean ending = pass.latestEnd() != null && !pass.latestEnd().isAfter(pass.expiresAt());
        return left.plus(left).compareTo(stay.passIdle()) < 0 && !ending;
    }
}
