package dev.orderly.room;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Makes the tickets and passes of a room, and says how long they live: to the second, as their tokens do. */
record Issuer(RoomName room, Stay stay) {
    Ticket ticket(VisitorId visitor, long epoch, long place, long ahead, Instant now) {
        return new Ticket(room, visitor, epoch, place, ahead, now, now.plus(stay.ticket()));
    }

    /**
     * The pass that a ticket came to. One that ends before the end asked for was taken before: its stay has a latest end
     * already that is not known here, so it is not renewed again where stays have one.
     */
    Pass pass(Ticket ticket, Instant until, Instant asked, Instant now) {
        Instant latest = latestEnd(now);
        Duration waited = Duration.between(ticket.issuedAt(), now);
        return new Pass(room, ticket.visitor(), ticket.epoch(), ticket.place(),
                waited.isNegative() ? Duration.ZERO : waited, now, until,
                latest != null && until.isBefore(asked) ? until : latest);
    }

    Pass longer(Pass pass, Instant until, Instant now) {
        return new Pass(room, pass.visitor(), pass.epoch(), pass.place(), pass.waited(), now, until, pass.latestEnd());
    }

    /** The end of a pass that is taken now. */
    Instant taken(Instant now) {
        return renewed(now, latestEnd(now));
    }

    /** The end of a pass that is renewed now. */
    Instant renewed(Instant now, @Nullable Instant latestEnd) {
        Instant end = now.plus(stay.passIdle());
        return (latestEnd != null && latestEnd.isBefore(end) ? latestEnd : end).truncatedTo(ChronoUnit.SECONDS);
    }

    /** The end of a pass that its visitor has not shown yet: a client without cookies holds it no longer than this. */
    Instant untaken(Instant now) {
        Duration idle = stay.passIdle();
        Duration life = idle.compareTo(Stay.UNTAKEN) < 0 ? idle : Stay.UNTAKEN;
        return now.plus(life).truncatedTo(ChronoUnit.SECONDS);
    }

    /** When the last token that a visitor may hold now expires. */
    Instant lastToken(Instant now) {
        return now.plus(stay.ticket());
    }

    private @Nullable Instant latestEnd(Instant now) {
        Duration most = stay.passMax();
        return most == null ? null : now.plus(most).truncatedTo(ChronoUnit.SECONDS);
    }
}
