package dev.orderly.testkit.sim;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the promises of a room by the answers to visitors and gates alone. Milliseconds since the start. Throws
 * {@link IllegalStateException} at once when a promise is broken.
 */
final class Referee {
    /** The time for which a revoked visitor may still pass: one round, with delay. */
    private static final long VOID_KNOWN = 3_000;
    private static final long COASTING = 60_000;
    /** The maximum time of an answer on its way. */
    private static final long LATE = 500;
    /** The maximum time for which a gate without a shared store may let expired passes through. */
    private static final long LEASE = 60_000;

    final ExpectedLine present;
    final ExpectedHolders holders;
    private final Agenda agenda;
    private final long epochMillis;
    private final Map<VisitorId, Long> live = new HashMap<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>();
    private final Set<VisitorId> been = new HashSet<>();
    private final Set<VisitorId> usedUp = new HashSet<>();
    private final Map<VisitorId, Long> gone = new HashMap<>();
    private final AdmissionTimes admissions = new AdmissionTimes();
    /** Visitors whom a gate admitted by its outage budget, and of whom the store does not know yet. */
    private final Map<VisitorId, Own> own = new HashMap<>();
    /** The ends of passes that no gate and no store can count, see {@link #died}. */
    private final Map<VisitorId, Long> unheard = new HashMap<>();
    /** The limits set by operators, and the limits that the store applies. */
    private final Limits configured;
    private Limits set;
    private Limits limits;
    private RoomMode mode = RoomMode.AUTO;
    private final OutagePasses goingOn;
    private final boolean shared;
    private final Instant opens;
    private final boolean drawn;
    /** The visitor of each place that was let in: no two have one. */
    private final Map<Long, VisitorId> byPlace = new HashMap<>();
    /** The largest capacity so far: a lower capacity ends no stay. */
    private long highest;
    private long epoch = 1;
    /** The last place that was issued in each line. */
    private final Map<Integer, Long> last = new HashMap<>();
    private long granted;
    private long admitted;

    private record End(long until, VisitorId visitor) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            return Long.compare(until, other.until);
        }
    }

    private record Own(Gate gate, long at) {}

    /**
     * @param shared whether several gates use the store
     * @param opens the time from now until the room opens
     * @param drawn whether places are drawn: then nobody knows before who is whose follower
     */
    Referee(Agenda agenda, Limits limits, boolean shared, Duration opens, boolean drawn) {
        this.agenda = agenda;
        this.opens = agenda.time.now().plus(opens);
        this.shared = shared;
        this.drawn = drawn;
        this.goingOn = new OutagePasses(agenda, shared ? LEASE + LATE : Long.MAX_VALUE);
        this.highest = limits.mostPasses().orElse(0);
        this.configured = limits;
        this.set = limits;
        this.limits = limits;
        this.epochMillis = agenda.time.now().toEpochMilli();
        this.present = new ExpectedLine(agenda);
        this.holders = new ExpectedHolders(this, drawn);
    }

    /** The simulated time of a moment of the gates' steady clocks. */
    long millis(Instant moment) {
        return moment.toEpochMilli() - epochMillis;
    }

    private long last(long place) {
        int line = Tiers.line(place);
        return last.getOrDefault(line, Tiers.start(line));
    }

    // ---- what the store answered

    void joined(long ofEpoch, long place) {
        check(ofEpoch == epoch, "A place of epoch " + ofEpoch + " in epoch " + epoch);
        long before = last(place);
        check(place == before + 1, "Place " + place + " was issued after " + before);
        last.put(Tiers.line(place), place);
    }

    /** The store admitted a visitor, or confirmed an admission. */
    void entered(VisitorId visitor, long place, long until) {
        if (until <= agenda.now()) {
            return;
        }
        if (!lives(visitor)) {
            agenda.note("enters", place, until);
            check(!usedUp.contains(visitor), "Place " + place + " was let in, and its ticket is used up");
            admit(visitor, place, null);
        }
        holders.called(place);
        lasts(visitor, until);
    }

    /** The store was told of a visitor whom a gate had admitted. */
    void recorded(VisitorId visitor) {
        own.remove(visitor);
    }

    /**
     * A gate died that had admitted visitors by its outage budget without reporting them to the store. No gate and no
     * store can know of them any more, so the limits hold without them. Their passes are valid until they end.
     */
    void died(Gate gate) {
        own.forEach((visitor, let) -> {
            Long until = let.gate() == gate ? live.remove(visitor) : null;
            if (until != null) {
                admissions.forget(let.at());
                unheard.put(visitor, until);
            }
        });
        own.values().removeIf(let -> let.gate() == gate);
    }

    /** The store extended a pass; an expired pass takes capacity anew. */
    void renewed(VisitorId visitor, long until) {
        if (!lives(visitor)) {
            Integer most = limits.capacity();
            check(most == null || active() < most, "A pass was revived where " + active() + " of " + most + " live");
        }
        lasts(visitor, until);
        usedUp.add(visitor);
    }

    /** The visitor's ticket is not valid any more, whether or not the visitor received the pass. */
    void usedUp(VisitorId visitor) {
        usedUp.add(visitor);
    }

    /** The visitor has another place by now, and the ticket and passes are void. */
    void movedOn(VisitorId visitor, long place) {
        usedUp.add(visitor);
        present.gone(place);
    }

    void lasts(VisitorId visitor, long until) {
        goingOn.gone(visitor);
        live.merge(visitor, until, Math::max);
        ends.add(new End(until, visitor));
    }

    void departed(VisitorId visitor, long place) {
        live.remove(visitor);
        goingOn.gone(visitor);
        present.gone(place);
        gone.putIfAbsent(visitor, agenda.now());
        holders.departed(visitor);
    }

    void stands(long length, long cursor) {
        check(cursor <= length, "The cursor is at " + cursor + " of " + length);
        holders.called(cursor);
        check(length <= last(length), "The line has " + length + " places, " + last(length) + " were issued");
    }

    /** The limits that admission applies from now on. */
    void governed(Limits to) {
        check(isWithin(to), "A gate keeps to " + to + " where " + set + " is set");
        limits = to;
        highest = Math.max(highest, to.mostPasses().orElse(0));
    }

    private boolean isWithin(Limits to) {
        if (to.equals(Limits.CLOSED)) {
            return true;
        }
        boolean capacity = set.capacity() == null || (to.capacity() != null && to.capacity() <= set.capacity());
        return capacity && (set.rate() == null || (to.rate() != null && to.rate().equals(set.rate())));
    }

    // ---- what visitors did

    /**
     * A visitor told a gate about leaving, and is not present from then on, whatever becomes of the message to the
     * store: a visitor who has left cannot be overtaken. A visitor who shows the ticket again is present again.
     */
    void givenBack(Ticket ticket) {
        if (ticket.epoch() == epoch) {
            present.gone(ticket.place());
        }
    }

    // ---- what operators did

    void changed(RoomChange change) {
        agenda.note("sees " + change, 0, 0);
        switch (change) {
            case RoomChange.Mode to -> mode = to.mode();
            case RoomChange.Settings to -> set = to.limits() == null ? configured : to.limits();
            case RoomChange.Admit more -> granted += more.visitors();
            case RoomChange.NewEpoch _ -> newEpoch();
            case RoomChange.Message _,RoomChange.Openings _,RoomChange.Draw _ -> {
            }
        }
    }

    private void newEpoch() {
        epoch++;
        last.clear();
        granted = 0;
        live.clear();
        own.clear();
        ends.clear();
        byPlace.clear();
        goingOn.clear();
        present.beginEpoch(epoch);
        holders.beginEpoch();
    }

    long epoch() {
        return epoch;
    }

    /** Whether the visitor was admitted before, left, or has another place by now. */
    boolean isSpent(VisitorId visitor) {
        return been.contains(visitor) || usedUp.contains(visitor) || isGone(visitor);
    }

    /** Whether a visitor with this ticket is in line, if present. */
    boolean mayStand(VisitorId visitor) {
        return !lives(visitor) && !isGone(visitor) && !usedUp.contains(visitor);
    }

    boolean isGone(VisitorId visitor) {
        return gone.containsKey(visitor);
    }

    // ---- what visitors were handed

    void handed(Pass pass, Visitor.Decision decided) {
        long until = millis(pass.expiresAt());
        if (pass.epoch() != epoch) {
            return; // of an old epoch, whose end the gate does not know yet
        }
        Long end = gone.get(pass.visitor());
        if (end != null) {
            check(!decided.reachable() || decided.at() - end <= VOID_KNOWN,
                    "The pass of place " + pass.place() + " works " + (decided.at() - end) + " ms after it was void");
            return;
        }
        if (until <= decided.at()) {
            check(!decided.reachable() || decided.at() - until < LATE, "The pass of place " + pass.place()
                    + " ended " + (decided.at() - until) + " ms ago, and works");
            goesOn(pass.visitor(), pass.place(), decided);
            return;
        }
        if (until <= agenda.now()) {
            return; // ended while the answer was on its way
        }
        Long known = live.get(pass.visitor());
        if ((known == null || known < until) && until > unheard.getOrDefault(pass.visitor(), 0L)) {
            check(!decided.reachable(), "A gate gave a pass to place " + pass.place() + " on its own account");
            check(decided.outageTime() <= COASTING + LATE,
                    "A gate lets in by itself since " + decided.outageTime() + " ms");
            if (known == null || known <= agenda.now()) {
                agenda.note("is let in by " + decided.gate(), pass.place(), until);
                admit(pass.visitor(), pass.place(), decided.gate());
                own.put(pass.visitor(), new Own(decided.gate(), agenda.now()));
            }
            lasts(pass.visitor(), until);
        }
        present.gone(pass.place());
    }

    /** A gate without its store accepts an expired pass: it counts as long as the visitor is there. */
    private void goesOn(VisitorId visitor, long place, Visitor.Decision decided) {
        if (decided.reachable() || lives(visitor)) { // by the pass of another device
            return;
        }
        check(!shared || decided.outageTime() <= LEASE + LATE,
                "A gate lets ended passes go on since " + decided.outageTime() + " ms");
        goingOn.seen(visitor, decided.gate());
        checkInside("Place " + place + " goes on and");
    }

    private void checkInside(String who) {
        long inside = (long) active() + goingOn.count();
        check(limits.capacity() == null || inside <= highest, who + " makes " + inside + " passes of " + highest);
    }

    // ---- rules

    /** @param own the gate that admitted by its outage budget; null for the store */
    private void admit(VisitorId visitor, long place, @Nullable Gate own) {
        check(!gone.containsKey(visitor), "Place " + place + " was let in after it had left");
        check(!agenda.latest().isBefore(opens), "Place " + place + " was let in before the opening");
        expire();
        admitted++;
        been.add(visitor);
        VisitorId before = byPlace.putIfAbsent(place, visitor);
        check(!drawn || before == null || before.equals(visitor), "Place " + place + " was drawn by two visitors");
        present.gone(place);
        Integer most = limits.capacity();
        long active = live.size() + 1L;
        check(most == null || active <= most, "Place " + place + " makes " + active + " passes of " + most);
        check(most == null || active + goingOn.count() <= highest, "Place " + place + " makes "
                + (active + goingOn.count()) + " passes of " + highest + " with those who go on");
        long kept = most == null ? Long.MAX_VALUE : most - active;
        Rate rate = limits.rate();
        // A change made while the store was away has not reached a gate that admits by its outage budget.
        boolean calls = own != null || mode.calls();
        long left = calls
                ? rate == null
                        ? Long.MAX_VALUE
                        : left(rate)
                : 0;
        if (left > 0) {
            admissions.add(agenda.now());
            left -= left == Long.MAX_VALUE ? 0 : 1;
        } else {
            check(granted > 0, "Place " + place + " is beyond the rate of " + rate + " in mode " + mode);
            granted--;
        }
        long free = Math.min(kept, left == Long.MAX_VALUE ? left : own == null ? left + granted : left);
        long overtaken = present.before(place, free, own);
        if (overtaken > free && !drawn) { // computed only now, since it takes long
            check(false, "Place " + place + " entered with " + free + " admissions kept for those before: "
                    + present.describe(place, own));
        }
    }

    /** The number of further admissions in the period that ends now. */
    int left(Rate rate) {
        return Math.max(0, rate.admissions() - admissions.in(rate.period().toMillis(), agenda.now()));
    }

    boolean lives(VisitorId visitor) {
        Long until = live.get(visitor);
        return until != null && until > agenda.now();
    }

    /** Whether the visitor has a pass that the store knows of. */
    boolean isInside(VisitorId visitor) {
        return lives(visitor) && !own.containsKey(visitor);
    }

    int active() {
        expire();
        return live.size();
    }

    long admitted() {
        return admitted;
    }

    Limits limits() {
        return limits;
    }

    private void expire() {
        for (End first = ends.peek(); first != null && first.until() <= agenda.now(); first = ends.peek()) {
            ends.remove();
            Long until = live.get(first.visitor());
            if (until != null && until <= agenda.now()) {
                live.remove(first.visitor());
            }
        }
    }

    void check(boolean kept, String broken) {
        if (!kept) {
            IllegalStateException failure = new IllegalStateException(broken);
            agenda.fail(failure);
            throw failure;
        }
    }
}
