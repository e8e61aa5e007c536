package dev.orderly.room;

import dev.orderly.room.ClaimResult.Entered;
import dev.orderly.room.ClaimResult.Waits;
import dev.orderly.room.LivePasses.Live;
import dev.orderly.room.RoomState.Line;
import dev.orderly.room.RoomState.Load;
import dev.orderly.room.RoomUpdates.PlaceRecord;
import dev.orderly.room.RoomUpdates.RoomRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One room as its single writer keeps it: the rules of {@link RoomStore} as a state machine in memory, for stores that
 * one process owns. After each call or batch of calls the owner makes {@link #drain} durable, and only then gives the
 * answers; if that fails it restores a book from what was kept. Not thread-safe; does no I/O and knows no clock.
 */
public final class RoomBook {
    private static final int COUNT_MOST = 1_000;
    /** So long after it was restored a crowded room lets nobody in: those who wait have to be told of first. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private final RoomName name;
    private final Allowance allowance = new Allowance();
    private final LivePasses live = allowance.live;
    private final PlaceSet usedUp = new PlaceSet();
    private final Presences presences = new Presences();
    private final PaceCounter pace = new PaceCounter();
    private final Gates gates = new Gates();
    private final Voided voided = new Voided();
    private final Unkept unkept = new Unkept();
    /** The latest moment a caller named: callers on several threads may come in another order than they read the clock. */
    private Instant latest = Instant.EPOCH;
    private long epoch = 1;
    private long length;
    private long cursor;
    private long horizon;
    private boolean crowded;
    private boolean settling;
    private @Nullable Instant settled;
    private RoomMode mode = RoomMode.AUTO;
    private @Nullable String message;
    private @Nullable Limits override;
    private Slowed slowed = Slowed.NO;
    private @Nullable GateId governor;
    private Instant leaseUntil = Instant.EPOCH;
    private boolean changed;
    private boolean leasesUnknown;
    private int doorLately;
    private long doorCountedAt;

    public RoomBook(RoomName name) {
        this.name = name;
        changed = true;
    }

    /** The book of a room that was kept: as a new process finds it, so nobody is known to be present. */
    public RoomBook(RoomKept kept) {
        this(kept.room().room());
        RoomRecord room = kept.room();
        changed = false;
        epoch = room.epoch();
        length = room.length();
        cursor = room.cursor();
        horizon = room.cursor();
        crowded = room.crowded();
        settling = crowded;
        mode = room.mode();
        message = room.message();
        override = room.override();
        kept.voided().forEach(voided::add);
        usedUp.addAll(kept.usedUp());
        for (PlaceRecord place : kept.places()) {
            if (place.until().isAfter(room.at())) {
                live.put(new Live(place.visitor(), place.place(), millis(place.until()), place.usedUp()));
            }
            if (place.usedUp()) {
                usedUp.add(place.place());
            }
        }
        allowance.restore(room.granted(), kept.admissions());
    }

    /**
     * For a store that gates of several processes share, restored after it died: they may hold leases that it does not
     * know of, so no place inside is given to another before all of these have ended.
     */
    public void leasesUnknown() {
        leasesUnknown = true;
    }

    /** Passes that had ended by then have ended for good, and their places are free. */
    public Instant endedBy() {
        Instant free = gates.letsGoOnFrom(latest);
        return free.isBefore(latest) ? free : latest;
    }

    RoomName name() {
        return name;
    }

    /** Of the line that is kept now. */
    public long epoch() {
        return epoch;
    }

    // ---- what visitors and gates do

    public JoinResult join(Join join, Instant asked) {
        Instant now = advance(asked);
        long ahead = length - cursor + Math.min(presences.count(), doorLately(now));
        long place = ++length;
        changed = true;
        if (join.passUntil().isAfter(now) && place <= gates.covered() && presences.count() < free(now)) {
            call(place, now);
            enter(now);
            extend(new Live(join.visitor(), place, 0, false), join.passUntil(), false);
            return new JoinResult.Entered(epoch, place, join.passUntil());
        }
        if (place <= Math.max(horizon, gates.covered()) && join.presentUntil().isAfter(now)) {
            presences.seen(place, millis(join.presentUntil()), null);
        }
        return new JoinResult.Placed(epoch, place, ahead);
    }

    /** As {@link RoomStore#claim}, of claims for this room. */
    public List<ClaimResult> claim(List<Claim> claims, Instant asked) {
        Instant now = advance(asked);
        for (Claim claim : claims) {
            if (waits(claim) && claim.presentUntil().isAfter(now)) {
                presences.seen(claim.place(), millis(claim.presentUntil()), null);
            }
        }
        ClaimResult[] results = new ClaimResult[claims.size()];
        IntStream.range(0, claims.size()).boxed()
                .sorted(Comparator.comparingLong((Integer i) -> claims.get(i).place()))
                .forEach(i -> results[i] = claim(claims.get(i), now));
        return List.of(results);
    }

    /** As {@link RoomStore#renew}. */
    public boolean renew(Renewal renewal, Instant now) {
        advance(now);
        if (renewal.epoch() != epoch || voided.contains(renewal.visitor())) {
            return false;
        }
        Live pass = live.find(renewal.visitor());
        if (pass == null) {
            if (!renewal.revive() || !isIssued(renewal.place()) || !allowance.canRevive(renewal.visitor())) {
                return false;
            }
            pass = new Live(renewal.visitor(), renewal.place(), 0, false);
        }
        extend(pass, renewal.until(), true);
        return true;
    }

    /** As {@link RoomStore#depart}. */
    public void depart(Departure departure, Instant asked) {
        advance(asked);
        if (departure.epoch() != epoch) {
            return;
        }
        Live pass = live.find(departure.visitor());
        long place = pass == null ? departure.place() : pass.place();
        boolean known = isIssued(place);
        if (pass != null || !known || usedUp.contains(place)) {
            // Never shorter than what it voids.
            Instant until = pass == null ? departure.voidUntil() : later(departure.voidUntil(), instant(pass.until()));
            unkept.voided(departure.visitor(), voided.add(departure.visitor(), until));
        }
        if (known) {
            live.remove(departure.visitor());
            presences.remove(place);
            usedUp.add(place);
            unkept.place(new PlaceRecord(place, departure.visitor(), endedBy(), true));
        }
    }

    public RoomState sync(GateReport report, Instant asked) {
        Instant now = advance(asked);
        boolean current = report.epoch() == epoch;
        gates.heard(report.gate(), current ? report.covered() : 0, report.lease());
        advance(now);
        if (current) {
            for (GateReport.Presence each : report.presences()) {
                if (!each.until().isAfter(now)) {
                    presences.left(each.place(), report.gate());
                } else if (isIssued(each.place()) && !usedUp.contains(each.place()) && !live.holds(each.place())) {
                    presences.seen(each.place(), millis(each.until()), report.gate());
                }
            }
        }
        return state(now);
    }

    // ---- what the governor and operators do

    /** As {@link RoomStore#govern}; false if another one holds the lease. */
    public boolean govern(Governance step, Instant asked) {
        Instant now = advance(asked);
        if (governor != null && !governor.equals(step.governor()) && leaseUntil.isAfter(now)) {
            return false;
        }
        governor = step.governor();
        leaseUntil = step.leaseUntil();
        gates.round();
        allowance.keepTo(step.limits());
        slowed = step.slowed();
        settle(now);
        horizon = Math.max(horizon, step.horizon());
        int wanted = mode.calls() ? step.door() : Math.min(step.door(), allowance.admits(mode));
        int missing = wanted - presences.upTo(cursor);
        if (missing > 0) {
            long last = Math.min(length, gates.covered());
            long place = presences.nthBehind(cursor, missing, last);
            call(place == 0 ? last : place, now);
        }
        boolean waiting = presences.count() > 0;
        changed |= waiting != crowded;
        crowded = waiting;
        voided.expire(now);
        return true;
    }

    private void settle(Instant now) {
        settled = settled == null ? now.plus(SETTLING) : settled;
        settling &= now.isBefore(settled);
    }

    public void change(RoomChange change) {
        changed = true;
        switch (change) {
            case RoomChange.Mode to -> mode = to.mode();
            case RoomChange.Message to -> message = to.text();
            case RoomChange.Settings to -> override = to.limits();
            case RoomChange.Admit more -> allowance.grant(more.visitors());
            case RoomChange.NewEpoch _ -> beginAnew();
        }
    }

    public RoomState state(Instant asked) {
        Instant now = advance(asked);
        Load load = new Load(live.count(), free(now), presences.upTo(cursor), presences.count(),
                allowance.granted(), gates.count());
        return new RoomState(name, epoch, mode, message, new Line(length, cursor, horizon, crowded), load,
                pace.pace(millis(now)), allowance.limits(), slowed, override, voided.all(), now);
    }

    /** What has to be kept since the last call. */
    public RoomUpdates drain() {
        RoomRecord record = changed
                ? new RoomRecord(name, epoch, length, cursor, crowded, mode, message, allowance.granted(), override,
                        endedBy())
                : null;
        changed = false;
        return unkept.drain(record);
    }

    // ---- rules

    /** Whether the claim is of a visitor who has a good ticket and no pass. */
    private boolean waits(Claim claim) {
        return claim.epoch() == epoch && isIssued(claim.place()) && live.find(claim.visitor()) == null
                && !usedUp.contains(claim.place()) && !voided.contains(claim.visitor());
    }

    /** A place that was not issued yet, or was lost in a failover, is going to be somebody else's. */
    private boolean isIssued(long place) {
        return place >= 1 && place <= length;
    }

    private ClaimResult claim(Claim claim, Instant now) {
        boolean taken = claim.kind() != Claim.Kind.KEPT;
        Live pass = claim.epoch() == epoch ? live.find(claim.visitor()) : null;
        if (pass != null && !voided.contains(claim.visitor())) {
            boolean first = claim.kind() == Claim.Kind.LET_IN || (taken && !pass.taken());
            return new Entered(first ? extend(pass, claim.passUntil(), true) : instant(pass.until()));
        }
        if (!waits(claim)) {
            if (claim.kind() == Claim.Kind.LET_IN && claim.epoch() == epoch) {
                admit(now); // and left again before it was recorded
            }
            return new ClaimResult.Spent();
        }
        if (claim.kind() == Claim.Kind.LET_IN) {
            call(claim.place(), now);
            admit(now);
            return new Entered(extend(Allowance.passOf(claim), claim.passUntil(), true));
        }
        if (claim.place() > cursor) {
            return new Waits(false, presences.before(claim.place(), COUNT_MOST));
        }
        int free = free(now);
        if (presences.before(claim.place(), free) < free) {
            enter(now);
            return new Entered(extend(Allowance.passOf(claim), claim.passUntil(), taken));
        }
        return new Waits(true, presences.before(claim.place(), COUNT_MOST));
    }

    /** How many stand at the door, as of the last tenth of a second: counted too often it would slow down joining. */
    private int doorLately(Instant now) {
        if (millis(now) - doorCountedAt >= 100) {
            doorCountedAt = millis(now);
            doorLately = presences.upTo(cursor);
        }
        return doorLately;
    }

    /** Admissions that could be given now. */
    private int free(Instant now) {
        return settling ? 0 : allowance.free(mode, millis(now));
    }

    private void call(long place, Instant now) {
        if (place > cursor) {
            pace.called(place - cursor, millis(now));
            cursor = place;
            changed = true;
        }
    }

    /** Spends an admission, one of the limits' own first. */
    private void enter(Instant now) {
        if (allowance.regular(mode, millis(now)) > 0) {
            admit(now);
            return;
        }
        allowance.spendGrant();
        changed = true;
        pace.admitted(millis(now));
    }

    /** Counts an admission towards the rate. */
    private void admit(Instant now) {
        allowance.count(millis(now));
        unkept.admission(instant(millis(now)));
        pace.admitted(millis(now));
    }

    /** Lets a pass live until then at least. */
    private Instant extend(Live pass, Instant until, boolean taken) {
        Live longer = new Live(pass.visitor(), pass.place(), Math.max(pass.until(), millis(until)),
                pass.taken() || taken);
        live.put(longer);
        presences.remove(longer.place());
        if (longer.taken()) {
            usedUp.add(longer.place());
        }
        unkept.place(new PlaceRecord(longer.place(), longer.visitor(), instant(longer.until()), longer.taken()));
        return instant(longer.until());
    }

    private void beginAnew() {
        epoch++;
        length = 0;
        cursor = 0;
        horizon = 0;
        crowded = false;
        settling = false;
        allowance.beginAnew();
        usedUp.clear();
        presences.clear();
        voided.clear();
        unkept.beginAnew();
        pace.beginAnew();
        gates.forget();
    }

    /** Lets time go on, and what has ended by then end; it never goes back. */
    private Instant advance(Instant now) {
        latest = now.isAfter(latest) ? now : latest;
        if (leasesUnknown) {
            leasesUnknown = false;
            gates.leasesUnknown(latest);
        }
        Instant free = endedBy();
        live.expire(millis(latest), millis(free));
        presences.expire(millis(latest));
        return latest;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static long millis(Instant moment) {
        return moment.toEpochMilli();
    }

    private static Instant instant(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
