package dev.orderly.room;

import dev.orderly.room.ClaimResult.Entered;
import dev.orderly.room.ClaimResult.Waits;
import dev.orderly.room.LivePasses.Live;
import dev.orderly.room.RoomState.Line;
import dev.orderly.room.RoomState.Load;
import dev.orderly.room.RoomUpdates.PlaceRecord;
import dev.orderly.room.RoomUpdates.RoomRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One room as its single writer keeps it: the rules of {@link RoomStore} as a state machine in memory, for stores that
 * one process owns. After each call or batch of calls the owner makes {@link #drain} durable, and only then gives the
 * answers; if that fails it restores a book from what was kept. Not thread-safe; does no I/O and knows no clock.
 */
public final class RoomBook {
    /** A gate counts until this many governor steps have passed without a word from it. */
    private static final int GATE_ROUNDS = 10;
    private static final int COUNT_MOST = 1_000;
    private static final int VOIDED_MOST = 100_000;

    private final RoomName name;
    private final LivePasses live = new LivePasses();
    private final PlaceSet usedUp = new PlaceSet();
    private final Presences presences = new Presences();
    private final RateWindow window = new RateWindow();
    private final PaceCounter pace = new PaceCounter();
    private final Map<GateId, Gate> gates = new HashMap<>();
    private final Map<VisitorId, Instant> voided = new LinkedHashMap<>();
    private final List<PlaceRecord> changedPlaces = new ArrayList<>();
    private final Map<VisitorId, Instant> changedVoided = new HashMap<>();
    private long epoch = 1;
    private long length;
    private long cursor;
    private long horizon;
    private boolean crowded;
    private RoomMode mode = RoomMode.AUTO;
    private @Nullable String message;
    private int granted;
    private @Nullable Limits override;
    private Limits limits = Limits.CLOSED;
    private Slowed slowed = Slowed.NO;
    private @Nullable GateId governor;
    private Instant leaseUntil = Instant.EPOCH;
    private long rounds;
    private boolean changed;
    private boolean newEpoch;
    private int doorLately;
    private long doorCountedAt;

    private record Gate(long covered, long round) {}

    public RoomBook(RoomName name) {
        this.name = name;
        changed = true;
    }

    /** The book of a room that was kept: as a new process finds it, so nobody is known to be present. */
    public RoomBook(RoomRecord kept, List<PlaceRecord> places, Map<VisitorId, Instant> voided) {
        this(kept.room());
        changed = false;
        epoch = kept.epoch();
        length = kept.length();
        cursor = kept.cursor();
        horizon = kept.cursor();
        crowded = kept.crowded();
        mode = kept.mode();
        message = kept.message();
        granted = kept.granted();
        override = kept.override();
        this.voided.putAll(voided);
        for (PlaceRecord place : places) {
            Instant at = place.admittedAt();
            live.put(new Live(place.visitor(), place.place(), at == null ? 0 : at.toEpochMilli(),
                    place.until().toEpochMilli(), place.usedUp()));
            if (place.usedUp()) {
                usedUp.add(place.place());
            }
        }
        places.stream().filter(place -> place.admittedAt() != null).map(PlaceRecord::admittedAt)
                .mapToLong(Instant::toEpochMilli).sorted().forEach(window::add);
    }

    // ---- what visitors and gates do

    public JoinResult join(Join join, Instant now) {
        expire(now);
        long ahead = length - cursor + Math.min(presences.count(), doorLately(now));
        long place = ++length;
        changed = true;
        if (place <= covered() && presences.count() < free(now)) {
            call(place, now);
            enter(join.visitor(), place, join.passUntil(), false, now);
            return new JoinResult.Entered(epoch, place, join.passUntil());
        }
        if (place <= horizon) {
            presences.seen(place, millis(join.presentUntil()), null);
        }
        return new JoinResult.Placed(epoch, place, ahead);
    }

    /** As {@link RoomStore#claim}, of claims for this room. */
    public List<ClaimResult> claim(List<Claim> claims, Instant now) {
        expire(now);
        for (Claim claim : claims) {
            if (waits(claim)) {
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
        expire(now);
        if (renewal.epoch() != epoch || voided.containsKey(renewal.visitor())) {
            return false;
        }
        Live pass = live.find(renewal.visitor());
        if (pass == null) {
            if (!renewal.revive() || capacityLeft() < 1) {
                return false;
            }
            pass = new Live(renewal.visitor(), renewal.place(), 0, 0, false);
        }
        extend(pass, renewal.until(), true);
        return true;
    }

    /** As {@link RoomStore#depart}. */
    public void depart(Departure departure, Instant now) {
        expire(now);
        if (departure.epoch() != epoch) {
            return;
        }
        Live pass = live.find(departure.visitor());
        long place = pass == null ? departure.place() : pass.place();
        if (place > 0) {
            live.remove(departure.visitor());
            presences.remove(place);
            usedUp.add(place);
            changedPlaces.add(new PlaceRecord(place, departure.visitor(), admittedAt(pass), now, true));
        }
        if (pass != null || place == 0) {
            makeVoid(departure.visitor(), departure.voidUntil());
        }
    }

    public RoomState sync(GateReport report, Instant now) {
        boolean current = report.epoch() == epoch;
        gates.put(report.gate(), new Gate(current ? report.covered() : 0, rounds));
        if (current) {
            for (GateReport.Presence each : report.presences()) {
                if (!each.until().isAfter(now)) {
                    presences.left(each.place(), report.gate());
                } else if (each.place() >= 1 && each.place() <= length && !usedUp.contains(each.place())) {
                    presences.seen(each.place(), millis(each.until()), report.gate());
                }
            }
        }
        return state(now);
    }

    // ---- what the governor and operators do

    /** As {@link RoomStore#govern}; false if another one holds the lease. */
    public boolean govern(Governance step, Instant now) {
        if (governor != null && !governor.equals(step.governor()) && leaseUntil.isAfter(now)) {
            return false;
        }
        governor = step.governor();
        leaseUntil = step.leaseUntil();
        rounds++;
        gates.values().removeIf(gate -> rounds - gate.round() > GATE_ROUNDS);
        limits = step.limits();
        slowed = step.slowed();
        window.keepTo(limits.rate());
        horizon = Math.max(horizon, step.horizon());
        expire(now);
        int wanted = mode.calls() ? step.door() : Math.min(step.door(), granted);
        int missing = wanted - presences.upTo(cursor);
        if (missing > 0) {
            long last = Math.min(length, covered());
            long place = presences.nthBehind(cursor, missing, last);
            call(place == 0 ? last : place, now);
        }
        boolean waiting = presences.count() > 0;
        changed |= waiting != crowded;
        crowded = waiting;
        voided.values().removeIf(until -> !until.isAfter(now));
        return true;
    }

    public void change(RoomChange change) {
        changed = true;
        switch (change) {
            case RoomChange.Mode to -> mode = to.mode();
            case RoomChange.Message to -> message = to.text();
            case RoomChange.Settings to -> override = to.limits();
            case RoomChange.Admit more -> granted = (int) Math.min(Integer.MAX_VALUE,
                    (long) granted + more.visitors());
            case RoomChange.NewEpoch _ -> beginAnew();
        }
    }

    public RoomState state(Instant now) {
        expire(now);
        Load load = new Load(live.count(), free(now), presences.upTo(cursor), presences.count(), granted, gates.size());
        return new RoomState(name, epoch, mode, message, new Line(length, cursor, horizon, crowded), load,
                pace.pace(millis(now)), limits, slowed, override, voided, now);
    }

    /** What has to be kept since the last call. */
    public RoomUpdates drain() {
        RoomRecord record = changed
                ? new RoomRecord(name, epoch, length, cursor, crowded, mode, message, granted, override)
                : null;
        RoomUpdates updates = new RoomUpdates(record, newEpoch, List.copyOf(changedPlaces), Map.copyOf(changedVoided));
        changed = false;
        newEpoch = false;
        changedPlaces.clear();
        changedVoided.clear();
        return updates;
    }

    // ---- rules

    /** Whether the claim is of a visitor who has a good ticket and no pass. */
    private boolean waits(Claim claim) {
        return claim.epoch() == epoch && claim.place() >= 1 && claim.place() <= length
                && live.find(claim.visitor()) == null && !usedUp.contains(claim.place())
                && !voided.containsKey(claim.visitor());
    }

    private ClaimResult claim(Claim claim, Instant now) {
        boolean taken = claim.kind() != Claim.Kind.KEPT;
        Live pass = claim.epoch() == epoch ? live.find(claim.visitor()) : null;
        if (pass != null && !voided.containsKey(claim.visitor())) {
            return taken ? new Entered(extend(pass, claim.passUntil(), true)) : new Entered(instant(pass.until()));
        }
        if (!waits(claim)) {
            return new ClaimResult.Spent();
        }
        if (claim.kind() == Claim.Kind.LET_IN) {
            call(claim.place(), now);
            enter(claim.visitor(), claim.place(), claim.passUntil(), true, now);
            return new Entered(claim.passUntil());
        }
        if (claim.place() > cursor) {
            return new Waits(false, presences.before(claim.place(), COUNT_MOST));
        }
        int free = free(now);
        if (presences.before(claim.place(), free) < free) {
            enter(claim.visitor(), claim.place(), claim.passUntil(), taken, now);
            return new Entered(claim.passUntil());
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
        return Math.max(regular(now), Math.min(granted, capacityLeft()));
    }

    /** Without those an operator granted. */
    private int regular(Instant now) {
        return mode.calls() ? Math.min(capacityLeft(), window.free(millis(now))) : 0;
    }

    private int capacityLeft() {
        return limits.mostPasses().map(most -> Math.max(0, most - live.count())).orElse(Integer.MAX_VALUE);
    }

    /** Up to where all gates have told who is present; 0 as long as there is none. */
    private long covered() {
        return gates.values().stream().mapToLong(Gate::covered).min().orElse(0);
    }

    private void call(long place, Instant now) {
        if (place > cursor) {
            pace.called(place - cursor, millis(now));
            cursor = place;
            changed = true;
        }
    }

    private void enter(VisitorId visitor, long place, Instant until, boolean taken, Instant now) {
        boolean regular = regular(now) > 0 || granted == 0;
        if (regular) {
            window.add(millis(now));
        } else {
            granted--;
            changed = true;
        }
        pace.admitted(millis(now));
        presences.remove(place);
        extend(new Live(visitor, place, regular ? millis(now) : 0, 0, false), until, taken);
    }

    /** Lets a pass live until then at least. */
    private Instant extend(Live pass, Instant until, boolean taken) {
        Live longer = new Live(pass.visitor(), pass.place(), pass.admittedAt(), Math.max(pass.until(), millis(until)),
                pass.taken() || taken);
        live.put(longer);
        if (longer.taken()) {
            usedUp.add(longer.place());
        }
        changedPlaces.add(new PlaceRecord(longer.place(), longer.visitor(), admittedAt(longer),
                instant(longer.until()), longer.taken()));
        return instant(longer.until());
    }

    private void makeVoid(VisitorId visitor, Instant until) {
        if (voided.size() >= VOIDED_MOST) {
            voided.remove(voided.keySet().iterator().next());
        }
        voided.put(visitor, until);
        changedVoided.put(visitor, until);
    }

    private void beginAnew() {
        epoch++;
        length = 0;
        cursor = 0;
        horizon = 0;
        crowded = false;
        granted = 0;
        newEpoch = true;
        live.clear();
        usedUp.clear();
        presences.clear();
        voided.clear();
        changedPlaces.clear();
        changedVoided.clear();
        gates.replaceAll((_, gate) -> new Gate(0, gate.round()));
    }

    private void expire(Instant now) {
        live.expire(millis(now));
        presences.expire(millis(now));
    }

    private static @Nullable Instant admittedAt(@Nullable Live pass) {
        return pass == null || pass.admittedAt() == 0 ? null : instant(pass.admittedAt());
    }

    private static long millis(Instant moment) {
        return moment.toEpochMilli();
    }

    private static Instant instant(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
