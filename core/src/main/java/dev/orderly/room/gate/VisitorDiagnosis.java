package dev.orderly.room.gate;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.store.VisitorRecord;
import dev.orderly.room.token.Ticket;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What keeps the visitor of a ticket from entering, at one moment and as one gate sees it.
 *
 * @param sentence for people
 * @param remedy what an operator may do; empty if there is nothing to do
 * @param place the place of the ticket; null if it counts for nothing
 * @param ahead visitors who go first; null if the ticket counts for nothing
 * @param seen the moment until which the visitor counts as present by what this gate knows; null if the visitor never
 *     asked here
 * @param history what is known of the past
 */
public record VisitorDiagnosis(Cause cause, String sentence, String remedy, @Nullable Long place, @Nullable Long ahead,
        @Nullable Instant seen, History history) {
    /** The reasons why a visitor waits. */
    public enum Cause {
        /** The text is no ticket of this room that this server signed. */
        FORGED,
        /** The ticket is too old. */
        EXPIRED,
        /** The ticket belongs to a line that an operator ended. */
        OLD_EPOCH,
        /** The ticket was revoked, given back, or is used up. */
        REVOKED,
        /** The visitor moved the place to another device. */
        MOVED,
        /** The room admits everybody. */
        OPEN,
        /** The room turns visitors away. */
        REJECTED,
        /** An operator holds the line. */
        HELD,
        /** The store is out of reach, and the gate's budget for that is spent. */
        STORE,
        /** The visitor has not asked this gate for a while. */
        NOT_PRESENT,
        /** After a restart the room waits for reports of who is present. */
        RESTART,
        /** All places inside are taken. */
        CAPACITY,
        /** The site is slow or fails, so fewer visitors may enter. */
        HEALTH,
        /** Work that visitors cause piles up, so fewer visitors may enter. */
        BACKLOG,
        /** The admissions of the period are used. */
        RATE,
        /** The place is not called yet. */
        PLACE,
        /** Nothing keeps the visitor: the next request enters. */
        READY,
        /** The visitor has a live pass. */
        INSIDE,
        /** Nothing is kept of the visitor, and the ticket is not known. */
        UNKNOWN
    }

    /**
     * What is known of a visitor's past. No store writes down each step: that would cost a write for each visit.
     *
     * @param joined when the place was taken; null unless the ticket is known
     * @param stored what the store keeps
     */
    public record History(@Nullable Instant joined, VisitorRecord stored) {
        static final History NONE = new History(null, VisitorRecord.NONE);
    }

    /**
     * The facts about a gate and a room.
     *
     * @param storePaused whether the store is out of reach and the gate admits nobody
     * @param restarting whether the gate waits for reports after a restart
     * @param present whether the visitor is present, as far as this gate knows
     * @param seen as in the diagnosis
     */
    record Facts(RoomState state, boolean storePaused, boolean restarting, boolean present, @Nullable Instant seen) {}

    static VisitorDiagnosis forged(RoomName room) {
        return new VisitorDiagnosis(Cause.FORGED, "The text is no ticket of room " + room + ": it was changed, belongs"
                + " to another room, or was signed with a secret that this server does not have.",
                "Copy the whole value of the visitor's cookie; nodes must share one secret.", null, null, null,
                History.NONE);
    }

    private static VisitorDiagnosis ended(Cause cause, String sentence, History history) {
        String remedy = cause == Cause.MOVED
                ? "On the former device, the button of the page takes a new place."
                : "The visitor gets a new place at the next request.";
        return new VisitorDiagnosis(cause, sentence, remedy, null, null, null, history);
    }

    /** @param here the diagnosis of the visitor's ticket, which a connected page has shown here; null for none */
    static VisitorDiagnosis of(VisitorRecord stored, @Nullable VisitorDiagnosis here) {
        History history = new History(here == null ? null : here.history.joined, stored);
        VisitorRecord.LivePass pass = stored.pass();
        if (stored.movedTo() != null) {
            return ended(Cause.MOVED, "The place was moved to another device, which is visitor " + stored.movedTo()
                    + " now.", history);
        }
        if (stored.voidUntil() != null) {
            return ended(Cause.REVOKED, "The visitor left, or was revoked by the site or an operator; the tokens are"
                    + " void.", history);
        }
        if (pass != null) {
            return new VisitorDiagnosis(Cause.INSIDE, "The visitor of place " + pass.place() + " is inside until "
                    + pass.until() + (pass.taken()
                            ? ", longer with further requests."
                            : ", and has not shown the pass"
                                    + " yet."),
                    "", pass.place(), null, null, history);
        }
        return here != null
                ? new VisitorDiagnosis(here.cause, here.sentence, here.remedy, here.place, here.ahead, here.seen,
                        history)
                : new VisitorDiagnosis(Cause.UNKNOWN, "Nothing is kept of this visitor: there is no live pass and no"
                        + " revocation, and no page of the visitor is connected to this node.",
                        "A visitor who waits elsewhere or is away is found by the ticket, the value of the cookie.",
                        null, null, null, history);
    }

    /** @param ticket authentic */
    static VisitorDiagnosis of(Ticket ticket, RoomCache cache, boolean restarting, Instant now) {
        RoomState state = cache.state();
        History history = new History(ticket.issuedAt(), VisitorRecord.NONE);
        if (ticket.epoch() < state.epoch()) {
            return ended(Cause.OLD_EPOCH, "The ticket is of line " + ticket.epoch()
                    + ", which an operator ended; the line is number " + state.epoch() + " now.", history);
        }
        if (!now.isBefore(ticket.expiresAt())) {
            return ended(Cause.EXPIRED, "The ticket expired at " + ticket.expiresAt() + ".", history);
        }
        if (cache.isMoved(ticket.visitor())) {
            return ended(Cause.MOVED, "The place of the ticket was moved to another device, which has a ticket of its"
                    + " own.", history);
        }
        if (cache.isVoid(ticket.visitor())) {
            return ended(Cause.REVOKED, "The ticket was given back, or revoked by the site or an operator.", history);
        }
        Instant seen = cache.presence().until(ticket);
        boolean paused = cache.outage().isOn() && cache.outage().budget(now) <= 0;
        return of(ticket, new Facts(state, paused, restarting, seen != null && now.isBefore(seen), seen));
    }

    /** @param ticket authentic, unexpired, of this or the next epoch, and not revoked */
    static VisitorDiagnosis of(Ticket ticket, Facts facts) {
        RoomState state = facts.state;
        long ahead = LinePosition.ahead(ticket, state);
        String place = "Place " + ticket.place() + " has " + ahead + " visitors ahead; ";
        Outcome outcome = outcome(ticket, facts);
        return new VisitorDiagnosis(outcome.cause, place + outcome.reason + ".", outcome.remedy, ticket.place(), ahead,
                facts.seen, new History(ticket.issuedAt(), VisitorRecord.NONE));
    }

    private record Outcome(Cause cause, String reason, String remedy) {}

    private static Outcome outcome(Ticket ticket, Facts facts) {
        RoomState state = facts.state;
        RoomMode mode = state.mode();
        if (mode.letsAllPass()) {
            return new Outcome(Cause.OPEN,
                    "the room is in mode " + mode.name().toLowerCase(Locale.ROOT) + ", so every request enters", "");
        }
        if (mode == RoomMode.REJECT) {
            return new Outcome(Cause.REJECTED, "the room is in mode reject and admits nobody; the place is kept",
                    "orderly room auto " + state.room());
        }
        if (facts.storePaused) {
            return new Outcome(Cause.STORE, "the store is out of reach, so no new visitor enters; the place is kept",
                    "Bring the store back: visitors enter again by themselves.");
        }
        if (!facts.present) {
            return new Outcome(Cause.NOT_PRESENT, facts.seen == null
                    ? "the visitor has not asked this node"
                    : "the visitor was present until " + facts.seen + " and has not asked this node since",
                    "The visitor has to open the page again; if it is open, look at the proxy in front.");
        }
        if (facts.restarting) {
            return new Outcome(Cause.RESTART, "after a restart the room first waits to learn who is present",
                    "It takes some seconds.");
        }
        if (mode == RoomMode.HOLD && state.load().granted() == 0) {
            return new Outcome(Cause.HELD, "an operator holds the line",
                    "orderly room auto " + state.room() + ", or orderly room admit " + state.room() + " N");
        }
        return limited(ticket, state);
    }

    private static String text(Limits limits) {
        return limits.mostPasses().map(most -> "a capacity of " + most).orElse("no capacity")
                + limits.mostAdmissions().map(rate -> " and a rate of " + rate).orElse("");
    }

    private static Outcome limited(Ticket ticket, RoomState state) {
        Limits limits = state.limits();
        RoomState.Load load = state.load();
        Integer capacity = limits.capacity();
        boolean full = capacity != null && load.active() >= capacity;
        if (state.slowed() != SlowdownReason.NO && load.free() <= 0) {
            boolean health = state.slowed() == SlowdownReason.HEALTH;
            return new Outcome(health ? Cause.HEALTH : Cause.BACKLOG, health
                    ? "the site is slow or fails, so " + text(limits) + " is in force"
                    : "a backlog of jobs slows the room, so " + text(limits) + " is in force",
                    health ? "Look at the site." : "Look at the queue of rooms." + state.room() + ".backlog.");
        }
        if (full) {
            return new Outcome(Cause.CAPACITY, "the room is full, " + load.active() + " of " + capacity
                    + " are inside: a visitor enters when another leaves",
                    "Raise the capacity: orderly room limit " + state.room() + " --capacity N");
        }
        Rate rate = limits.rate();
        if (load.free() <= 0 && rate != null) {
            return new Outcome(Cause.RATE, "the admissions of " + rate + " are used",
                    "Raise the rate: orderly room limit " + state.room() + " --rate \"N per TIME\"");
        }
        if (ticket.place() > state.line().cursor()) {
            return new Outcome(Cause.PLACE, "places up to " + state.line().cursor() + " are called", "");
        }
        return new Outcome(Cause.READY, "nothing keeps the visitor, the next request enters", "");
    }
}
