package dev.orderly.room.gate;

import dev.orderly.Internal;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.RoomState;
import dev.orderly.room.forecast.PeopleAhead;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.token.Ticket;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The position of a visitor in line.
 *
 * @param called whether the place was called: the visitor enters as soon as the visitors ahead have
 * @param ahead present visitors with lower places. Grows only with a cause that the estimate says
 * @param progress 0 to 1, from joining to the door, in places: it does not jump when absent visitors are known
 * @param poll interval until the next request; 1 s if called
 * @param opening what keeps the visitor from entering, whatever the place: the room has not opened, or is closed; null
 *     if visitors enter
 */
@Internal(to = "dev.orderly")
public record LinePosition(Ticket ticket, boolean called, PeopleAhead ahead, double progress, WaitEstimate estimate,
        Duration poll, @Nullable OpeningStatus opening) {
    private static final Duration SOON = Duration.ofSeconds(20);

    public static LinePosition of(Ticket ticket, RoomState state, PollPolicy policy, WaitEstimate estimate,
            PeopleAhead ahead) {
        boolean called = isCalled(ticket, state);
        Duration poll = called
                ? PollPolicy.AT_THE_DOOR
                : policy.interval(WaitEstimate.plan(estimate, ahead.number()), ticket.visitor());
        double progress = called ? 1 : 1 - Math.min(1, (double) ahead(ticket, state) / (ticket.ahead() + 1));
        return new LinePosition(ticket, called, ahead, progress, estimate, poll, null);
    }

    /** The position of a visitor who waits for an opening. */
    static LinePosition before(Ticket ticket, RoomState state, PollPolicy policy, PeopleAhead ahead,
            OpeningStatus opening, Instant now) {
        Duration until = opening.untilOpening(now);
        Opening next = opening.opening();
        boolean first = ticket.place() <= state.lineOf(ticket.place()).horizon() && (next == null || !next.draw());
        Duration poll = policy.untilOpening(until == null ? Duration.ofDays(1) : until, ticket.visitor().low(),
                first ? 0 : state.waiting());
        return new LinePosition(ticket, false, ahead, 0, WaitEstimate.unknown(WaitEstimate.Cause.OPENING), poll,
                opening);
    }

    static boolean isCalled(Ticket ticket, RoomState state) {
        return ticket.place() <= state.lineOf(ticket.place()).cursor();
    }

    static long ahead(Ticket ticket, RoomState state) {
        return ahead(ticket.place(), state);
    }

    static long ahead(long place, RoomState state) {
        RoomState seen = state.seenFrom(place);
        long behind = place - seen.line().cursor();
        return behind <= 0 ? Math.max(0, seen.load().door() - 1) : behind - 1 + seen.load().door();
    }

    /**
     * Whether the visitor was called and is expected to enter within 20 seconds; in a full room that may take longer.
     */
    public boolean soon() {
        Duration high = estimate.high();
        return called && high != null && high.compareTo(SOON) <= 0;
    }

    /** This position with a poll interval of at most {@code most}. */
    LinePosition askedAgainAfter(Duration most) {
        return poll.compareTo(most) <= 0
                ? this
                : new LinePosition(ticket, called, ahead, progress, estimate, most, opening);
    }
}
