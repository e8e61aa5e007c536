package dev.orderly.room.gate;

import dev.orderly.room.Draw;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.VisitorRecord;
import dev.orderly.room.token.Ticket;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a visitor from entering, at one moment and as all gates see it that answer.
 *
 * @param sentence for people
 * @param remedy what an operator may do; empty if there is nothing to do
 * @param place the place of the ticket; null if it counts for nothing
 * @param ahead visitors who go first; null if the ticket counts for nothing
 * @param presence of a visitor who waits
 * @param history what is known of the past
 * @param unreachable nodes that did not answer, by host and process: what only they know is missing
 */
public record VisitorDiagnosis(Cause cause, String sentence, String remedy, @Nullable Long place, @Nullable Long ahead,
        VisitorPresence presence, History history, List<String> unreachable) {
    public VisitorDiagnosis {
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(sentence, "sentence");
        Objects.requireNonNull(remedy, "remedy");
        Objects.requireNonNull(presence, "presence");
        Objects.requireNonNull(history, "history");
        Objects.requireNonNull(unreachable, "unreachable");
        unreachable = List.copyOf(unreachable);
    }

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
        /** The room has not opened yet, or is closed. */
        OPENING,
        /** An operator holds the line. */
        HELD,
        /** The store is out of reach, and the gate's budget for that is spent. */
        STORE,
        /** The visitor has not asked any gate for a while. */
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
        /** The line has not issued the ticket number yet. */
        NOT_ISSUED,
        /** The visitor of the ticket number was inside, or gave the place back. */
        USED,
        /** Nothing is kept of the visitor, and the ticket is not known. */
        UNKNOWN
    }

    /**
     * What is known of a visitor's past. No store writes down each step: that would cost a write for each visit.
     *
     * @param joined when the place was taken; null unless the ticket is known
     * @param visitor the id; null for a visitor who is known by the ticket number alone
     * @param stored what the store keeps
     */
    public record History(@Nullable Instant joined, @Nullable VisitorId visitor, VisitorRecord stored) {
        static final History NONE = new History(null, null, VisitorRecord.NONE);

        public History {
            Objects.requireNonNull(stored, "stored");
        }
    }

    /** The same for the ticket of a device that shares the place of its user. */
    VisitorDiagnosis ofFurtherDevice() {
        return new VisitorDiagnosis(cause, sentence + " The device shares the place of its user, which another device"
                + " took.", remedy, place, ahead, presence, history, unreachable);
    }

    static VisitorDiagnosis forged(RoomName room) {
        return new VisitorDiagnosis(Cause.FORGED, "The text is no ticket of room " + room + ": it was changed, belongs"
                + " to another room, or was signed with a secret that this server does not have.",
                "Copy the whole value of the visitor's cookie; nodes must share one secret.", null, null,
                VisitorPresence.NONE, History.NONE, List.of());
    }

    private static VisitorDiagnosis ended(Cause cause, String sentence, History history) {
        String remedy = cause == Cause.MOVED
                ? "On the former device, the button of the page takes a new place."
                : "The visitor gets a new place at the next request.";
        return new VisitorDiagnosis(cause, sentence, remedy, null, null, VisitorPresence.NONE, history, List.of());
    }

    /** What the store alone says of a visitor; empty if it says nothing. */
    static Optional<VisitorDiagnosis> stored(VisitorId visitor, VisitorRecord stored) {
        History history = new History(null, visitor, stored);
        VisitorRecord.LivePass pass = stored.pass();
        if (stored.movedTo() != null) {
            return Optional.of(ended(Cause.MOVED, "The place was moved to another device, which is visitor "
                    + stored.movedTo() + " now.", history));
        }
        if (stored.voidUntil() != null) {
            return Optional.of(ended(Cause.REVOKED, "The visitor left, or was revoked by the site or an operator; the"
                    + " tokens are void.", history));
        }
        return pass == null
                ? Optional.empty()
                : Optional.of(new VisitorDiagnosis(Cause.INSIDE, "The visitor of place " + Tiers.number(pass.place())
                        + " is inside until " + pass.until()
                        + (pass.taken() ? ", longer with further requests." : ", and has not shown the pass yet."),
                        "", pass.place(), null, VisitorPresence.NONE, history, List.of()));
    }

    /** A visitor of whom the store keeps nothing, by the id and by what the gates know. */
    static VisitorDiagnosis of(VisitorId visitor, RoomState state, GateSightings gates, Instant now) {
        Sighting connected = gates.connected();
        return connected != null
                ? waiting(connected.place(), state, new History(connected.joined(), visitor, VisitorRecord.NONE), gates,
                        now)
                : new VisitorDiagnosis(Cause.UNKNOWN, "Nothing is kept of this visitor: there is no live pass and no"
                        + " revocation, and no page of the visitor is connected to any " + gates.gates() + ".",
                        "A visitor whose page asks from time to time, or who is away, is found by the ticket number"
                                + " on the page, or by the ticket, the value of the cookie.",
                        null, null, VisitorPresence.NONE, new History(null, visitor, VisitorRecord.NONE),
                        gates.unreachable());
    }

    /** The visitor of a ticket number of the present line who is not inside. */
    static VisitorDiagnosis of(long place, boolean used, RoomState state, GateSightings gates, Instant now) {
        Sighting connected = gates.connected();
        History history = connected == null
                ? History.NONE
                : new History(connected.joined(), connected.visitor(), VisitorRecord.NONE);
        if (used) {
            return ended(Cause.USED,
                    "The visitor of place " + state.ticketNumber(place)
                            + " was inside and the stay has ended, or gave the"
                            + " place back.",
                    history);
        }
        return place > state.lineOf(place).length() && gates.latest().until() == null
                ? new VisitorDiagnosis(Cause.NOT_ISSUED, "The line has issued places up to "
                        + Tiers.number(state.lineOf(place).length()) + ": nobody has place "
                        + state.ticketNumber(place) + ".", "Ask for the number again, and for the room's address.",
                        null, null, VisitorPresence.NONE, History.NONE, gates.unreachable())
                : waiting(place, state, history, gates, now);
    }

    /**
     * Why an authentic ticket counts for nothing; empty if it counts.
     *
     * @param history of the ticket
     */
    static Optional<VisitorDiagnosis> ended(Ticket ticket, RoomCache cache, History history, Instant now) {
        RoomState state = cache.state();
        if (ticket.epoch() < state.epoch()) {
            return Optional.of(ended(Cause.OLD_EPOCH, "The ticket is of line " + ticket.epoch()
                    + ", which an operator ended; the line is number " + state.epoch() + " now.", history));
        }
        if (!now.isBefore(ticket.expiresAt())) {
            return Optional.of(ended(Cause.EXPIRED, "The ticket expired at " + ticket.expiresAt() + ".", history));
        }
        if (cache.isMoved(ticket.visitor())) {
            return Optional.of(ended(Cause.MOVED, "The place of the ticket was moved to another device, which has a"
                    + " ticket of its own.", history));
        }
        return cache.isVoid(ticket.visitor())
                ? Optional.of(ended(Cause.REVOKED, "The ticket was given back, or revoked by the site or an operator.",
                        history))
                : Optional.empty();
    }

    /** A visitor with a place that counts, by what all gates know. */
    static VisitorDiagnosis waiting(long place, RoomState state, History history, GateSightings gates, Instant now) {
        long ahead = LinePosition.ahead(place, state);
        Outcome outcome = outcome(place, state, gates, now);
        return new VisitorDiagnosis(outcome.cause,
                "Place " + state.ticketNumber(place) + drawn(place, state) + " has " + ahead
                        + (ahead == 1 ? " visitor" : " visitors")
                        + " ahead; "
                        + outcome.reason + ".",
                outcome.remedy, place, ahead, gates.latest(), history, gates.unreachable());
    }

    /** What a draw has made of a place; empty for a place outside of one. */
    private static String drawn(long place, RoomState state) {
        return state.draws().drawOf(state.epoch(), place).stream().flatMap(draw -> draw.lobby().stream())
                .filter(line -> line.has(place)).findFirst()
                .map(line -> ", drawn as number " + (place - line.base()) + " of " + line.count()
                        + (line.tier().isEmpty() ? "," : " in tier " + line.tier() + ","))
                .orElse("");
    }

    private record Outcome(Cause cause, String reason, String remedy) {}

    private static Outcome outcome(long place, RoomState state, GateSightings gates, Instant now) {
        RoomMode mode = state.mode();
        Instant seen = gates.latest().until();
        if (mode.letsAllPass()) {
            return new Outcome(Cause.OPEN,
                    "the room is in mode " + mode.name().toLowerCase(Locale.ROOT) + ", so every request enters", "");
        }
        if (mode == RoomMode.REJECT) {
            return new Outcome(Cause.REJECTED, "the room is in mode reject and admits nobody; the place is kept",
                    "orderly room auto " + state.room());
        }
        OpeningStatus closed = gates.closed();
        if (closed != null) {
            Opening next = closed.opening();
            if (closed.phase() == OpeningStatus.Phase.DRAWING) {
                return new Outcome(Cause.OPENING, "the lobby is over, and its places are not drawn yet",
                        state.draws().pending().filter(Draw::awaitsValue).isPresent()
                                ? "orderly room draw-value " + state.room()
                                        + " VALUE gives the value that the draw waits for; a server fetches that of"
                                        + " drand by itself."
                                : "Places are drawn by themselves.");
            }
            return new Outcome(Cause.OPENING, next == null
                    ? "the last opening of the room is over"
                    : "the room opens at " + Opening.text(next.opens()) + "; the place is kept until then",
                    next == null
                            ? "Add an opening to rooms." + state.room() + ".openings."
                            : "orderly room open-at " + state.room() + " TIME opens it at another time.");
        }
        if (gates.paused()) {
            return new Outcome(Cause.STORE, "the store is out of reach, so no new visitor enters; the place is kept",
                    "Bring the store back: visitors enter again by themselves.");
        }
        if (seen == null || !now.isBefore(seen)) {
            return new Outcome(Cause.NOT_PRESENT, seen == null
                    ? "the visitor has not asked any " + gates.gates()
                    : "the visitor was present until " + seen + " and has not asked any " + gates.gates() + " since",
                    "The visitor has to open the page again; if it is open, look at the proxy in front.");
        }
        if (gates.settling()) {
            return new Outcome(Cause.RESTART, "after a restart the room first waits to learn who is present",
                    "It takes some seconds.");
        }
        if (mode == RoomMode.HOLD && state.load().granted() == 0) {
            return new Outcome(Cause.HELD, "an operator holds the line",
                    "orderly room auto " + state.room() + ", or orderly room admit " + state.room() + " N");
        }
        return limited(place, state);
    }

    private static String text(Limits limits) {
        return limits.mostPasses().map(most -> "a capacity of " + most).orElse("no capacity")
                + limits.mostAdmissions().map(rate -> " and a rate of " + rate).orElse("");
    }

    private static Outcome limited(long place, RoomState state) {
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
        long cursor = state.lineOf(place).cursor();
        if (place > cursor) {
            return new Outcome(Cause.PLACE, "places up to " + Tiers.number(cursor) + " are called", "");
        }
        return new Outcome(Cause.READY, "nothing keeps the visitor, the next request enters", "");
    }
}
