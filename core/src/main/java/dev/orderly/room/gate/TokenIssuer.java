package dev.orderly.room.gate;

import dev.orderly.Internal;
import dev.orderly.room.RoomName;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.VisitorId;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Creates the tickets and passes of a room, and computes their ends in whole seconds, as tokens have. */
@Internal(to = "dev.orderly")
public record TokenIssuer(RoomName room, TokenLifetimes stay) {
    public Ticket ticket(VisitorId visitor, long epoch, long place, long ahead, Instant now) {
        return new Ticket(room, visitor, epoch, place, ahead, now, now.plus(stay.ticket()));
    }

    /**
     * The pass for an admitted ticket. A pass that ends before the requested end was taken before: the latest end of
     * its stay is fixed but not known here, so the stay is counted from when the ticket was issued.
     */
    Pass pass(Ticket ticket, Instant until, Instant asked, Instant now) {
        Instant latest = latestEnd(until.isBefore(asked) ? ticket.issuedAt() : now);
        Duration waited = Duration.between(ticket.issuedAt(), now);
        Instant end = until.truncatedTo(ChronoUnit.SECONDS);
        return new Pass(room, ticket.visitor(), ticket.epoch(), ticket.place(),
                waited.isNegative() ? Duration.ZERO : waited, now, end,
                latest != null && latest.isBefore(end) ? end : latest);
    }

    Pass longer(Pass pass, Instant until, Instant now) {
        return new Pass(room, pass.visitor(), pass.epoch(), pass.place(), pass.waited(), now, until, pass.latestEnd());
    }

    /**
     * The end to ask for a pass that is taken now: the token's, and some milliseconds, which the end of no renewal has.
     * A renewal in this second ends before it, and tells that the pass was taken before.
     */
    Instant taken(Instant now) {
        return renewed(now, latestEnd(now)).plusMillis(1 + now.toEpochMilli() % 999);
    }

    /** The end of a pass that is renewed now. */
    Instant renewed(Instant now, @Nullable Instant latestEnd) {
        Instant end = now.plus(stay.passIdle());
        return (latestEnd != null && latestEnd.isBefore(end) ? latestEnd : end).truncatedTo(ChronoUnit.SECONDS);
    }

    /** The end of a pass that its visitor has not shown yet: a client without cookies holds it no longer than this. */
    Instant untaken(Instant now) {
        return untaken(now, TokenLifetimes.UNTAKEN);
    }

    /** The end of a pass that is not shown yet, with a lifetime of at most {@code most}. */
    Instant untaken(Instant now, Duration most) {
        Duration idle = stay.passIdle();
        Duration life = idle.compareTo(most) < 0 ? idle : most;
        return now.plus(life).truncatedTo(ChronoUnit.SECONDS);
    }

    /** The moment until which a visitor's passes must be void if the place is known, so that the ticket is used up. */
    Instant passesVoidUntil(Instant now) {
        return now.plus(stay.longestPass());
    }

    private @Nullable Instant latestEnd(Instant now) {
        Duration most = stay.passMax();
        return most == null ? null : now.plus(most).truncatedTo(ChronoUnit.SECONDS);
    }
}
