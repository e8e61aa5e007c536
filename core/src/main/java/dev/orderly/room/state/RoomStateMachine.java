package dev.orderly.room.state;

import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.Load;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.state.LivePasses.Live;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.AdmissionResult.Entered;
import dev.orderly.room.store.AdmissionResult.Spent;
import dev.orderly.room.store.AdmissionResult.Waits;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.InvitationUse.Former;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.LobbyRecords.NewLeaf;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.PlaceUse;
import dev.orderly.room.store.PresentPlaces;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.store.UserJoin;
import dev.orderly.room.store.UserPlace;
import dev.orderly.room.store.VisitorRecord;
import dev.orderly.text.LocalizedText;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One room: the rules of {@link RoomStore} as a state machine in memory, for stores that one process owns. The owner
 * makes the {@link #drain drained} changes durable before it returns answers; if that fails, it continues with a
 * machine restored from the last {@link Snapshot}. Not thread-safe; does no I/O and reads no clock.
 *
 * <p>States of a visitor; <i>free</i>: an admission is free beyond those reserved for lower, present places.
 *
 * <pre>
 *              join     admit UNTAKEN  admit TAKEN  admit RECORDED  renew  revive     pass ends  depart
 * unknown      WAITING  -              -            -               -      -          -          void
 *    and free  UNTAKEN
 * WAITING               WAITING        WAITING      TAKEN           -      TAKEN (2)  -          GONE
 *    and free           UNTAKEN        TAKEN
 * UNTAKEN               UNTAKEN        TAKEN        TAKEN           TAKEN  TAKEN      WAITING    GONE, void
 * TAKEN                 TAKEN          TAKEN        TAKEN           TAKEN  TAKEN      ENDED      GONE, void
 * ENDED                 -              -            - (1)           -      TAKEN (2)  -          GONE, void
 * void                  -              -            - (1)           -      -          -          void
 *
 * UNTAKEN, TAKEN   a pass is live; a taken pass was shown by its visitor, which used up the ticket
 * ENDED, GONE      the ticket is used up
 * void             neither ticket nor pass counts, whatever their expiry
 * -                refused, nothing changes
 * (1)              refused, but RECORDED counts as an admission: the visitor was inside
 * move             WAITING and UNTAKEN stay as they are, with another visitor id; the former id is void; else -
 * (2)              if the place was issued, and the place inside is still kept or another is free
 * </pre>
 */
public final class RoomStateMachine {
    private static final int COUNT_MOST = 1_000;

    private final RoomName name;
    private final Lines lines = new Lines();
    /** The line of visitors without a tier. */
    private final VisitorLine line = lines.first();
    private final LivePasses live = new LivePasses();
    private final Allowance allowance = new Allowance(live);
    private final KnownGates gates = new KnownGates();
    private final GovernorLease governor = new GovernorLease();
    private final PaceCounter pace = new PaceCounter();
    private final PendingChanges pending = new PendingChanges();
    private final VisitorTokens tokens = new VisitorTokens(live, pending);
    /** The latest moment given by a caller; callers on several threads may arrive out of order. */
    private Instant latest = Instant.EPOCH;
    private long epoch = 1;
    private @Nullable LocalizedText message;
    private @Nullable Limits override;
    private List<OpeningChange> openings = List.of();
    private DrawLedger draws = DrawLedger.NONE;
    private final LobbyLeaves leaves;
    private SlowdownReason slowed = SlowdownReason.NO;
    private boolean leasesUnknown;

    /**
     * The stored state of a room.
     *
     * @param usedUp places whose tickets are used up, as far as {@code places} does not say so
     * @param places places of the room's epoch. Places whose passes had ended by {@link RoomRecord#at} may be left out,
     *     and have to be in {@code usedUp} if their tickets are used up
     * @param revoked visitors whose tokens are void
     * @param admissions admissions by moment, of all epochs; those older than {@link Rate#LONGEST} may be left out
     * @param leaves of the tickets of lobbies in the room's epoch
     * @param users the places of users with one place each, by the hash of the user
     */
    public record Snapshot(RoomRecord room, PlaceSet usedUp, List<PlaceRecord> places,
            Map<VisitorId, Revocation> revoked, Map<Instant, Integer> admissions, LobbyLeaves leaves,
            Map<VisitorId, UserPlace> users) {}

    /**
     * Changes that have to become durable before answers are given.
     *
     * @param room the room's own record; null if it did not change
     * @param newEpoch whether all stored places, leaves, revoked visitors and users are deleted first; admissions stay
     * @param places replace the stored records of these places
     * @param revoked replace the stored records of these visitors
     * @param admissions further admissions by moment that count towards the rate; to be added to the stored numbers
     * @param leaves replace the stored leaves of these tickets
     * @param users replace the stored places of these users; empty for a user who has none any more
     */
    public record Delta(@Nullable RoomRecord room, boolean newEpoch, Collection<PlaceRecord> places,
            Map<VisitorId, Revocation> revoked, Map<Instant, Integer> admissions, Map<Long, byte[]> leaves,
            Map<VisitorId, Optional<UserPlace>> users) {
        public Delta {
            users = Map.copyOf(users);
            leaves = Map.copyOf(leaves);
            places = List.copyOf(places);
            revoked = Map.copyOf(revoked);
            admissions = Map.copyOf(admissions);
        }

        public boolean isEmpty() {
            return room == null && !newEpoch && places.isEmpty() && revoked.isEmpty() && admissions.isEmpty()
                    && leaves.isEmpty() && users.isEmpty();
        }
    }

    /** A room that does not exist yet. */
    public RoomStateMachine(RoomName name) {
        this.name = name;
        leaves = new LobbyLeaves();
        pending.room();
    }

    /** A stored room, as a new process finds it: no visitor is known to be present. */
    public RoomStateMachine(Snapshot snapshot) {
        RoomRecord room = snapshot.room();
        name = room.room();
        epoch = room.epoch();
        message = room.message();
        override = room.override();
        openings = room.openings();
        draws = room.draws();
        leaves = snapshot.leaves();
        line.restore(room.length(), room.cursor(), room.crowded());
        lines.restore(room.tiers());
        tokens.restore(snapshot);
        allowance.restore(room.mode(), room.granted(), room.crowded(), snapshot.admissions());
    }

    /** For a restored store that several processes share: keeps places inside until all unknown leases have ended. */
    public void leasesUnknown() {
        leasesUnknown = true;
    }

    /** The moment by which an ended pass has ended for good, so that its place inside is free. */
    public Instant endedBy() {
        Instant free = gates.leasedFrom(latest);
        return free.isBefore(latest) ? free : latest;
    }

    /** The current epoch. */
    public long epoch() {
        return epoch;
    }

    /** As {@link RoomStore#join}. */
    public List<JoinResult> join(List<JoinRequest> joins, Instant asked) {
        Instant now = advance(asked);
        return joins.stream().map(join -> join(join, now)).toList();
    }

    private JoinResult join(JoinRequest join, Instant now) {
        UserJoin user = join.user();
        UserPlace known = user == null ? null : tokens.placeOf(user, now);
        InvitationUse use = join.invitation();
        if (use != null) {
            return redeem(join, use, known, now);
        }
        return known == null ? given(join, place(join, now)) : shared(known);
    }

    private JoinResult shared(UserPlace known) {
        return new JoinResult.Shared(epoch, known.place(), known.visitor(), known.ahead(), known.until());
    }

    private JoinResult given(JoinRequest join, JoinResult placed) {
        UserJoin user = join.user();
        if (user != null) {
            long ahead = placed instanceof JoinResult.Placed waits ? waits.ahead() : 0;
            tokens.give(user, new UserPlace(join.visitor(), placed.place(), ahead, user.until(), false));
        }
        return placed;
    }

    /** @param known the place that the user of the request has; null for none */
    private JoinResult redeem(JoinRequest join, InvitationUse use, @Nullable UserPlace known, Instant now) {
        VisitorId kept = tokens.movedTo(use.invitation().use());
        if (use.epoch() == epoch && kept != null && kept.high() == join.visitor().high()) {
            if (join.user() != null) { // the place of the first request may be over, and another one the user's
                return known != null && known.visitor().equals(join.visitor())
                        ? shared(known)
                        : new JoinResult.Uninvited(epoch, InvitationRefusal.SPENT);
            }
            return new JoinResult.Placed(epoch, kept.low(),
                    Math.max(0, kept.low() - lines.of(kept.low()).state().cursor() - 1));
        }
        Former former = use.former();
        InvitationRefusal why = refusal(use, now);
        if (why != null || (known != null && known.taken() && tokens.pass(known.visitor()) == null)) {
            return new JoinResult.Uninvited(epoch, why);
        }
        if (known != null && (former == null || !former.visitor().equals(known.visitor()))) {
            return shared(known);
        }
        if (former != null && isSooner(former, lines.number(join.tier()))) {
            return new JoinResult.Uninvited(epoch, InvitationRefusal.SOONER);
        }
        if (lines.number(join.tier()) == 0 || !tokens.remembersMoves()
                || (former != null && (former.lobby() != null) != draws.isInLobby(former.place()))) {
            return new JoinResult.Uninvited(epoch, null);
        }
        if (former != null && waits(former)) {
            giveUp(former, now);
        }
        JoinResult placed = given(join, place(join, now));
        tokens.use(use, InvitationUse.kept(join.visitor(), placed.place()));
        return placed;
    }

    private void giveUp(Former former, Instant now) {
        Instant lobby = former.lobby();
        if (lobby == null) {
            tokens.departed(former.visitor(), now, now);
            leave(former.visitor(), former.place());
        } else {
            depart(new Departure(former.visitor(), epoch, 0, lobby));
        }
    }

    private @Nullable InvitationRefusal refusal(InvitationUse use, Instant now) {
        InvitationId invitation = use.invitation();
        if (use.epoch() != epoch || !use.until().isAfter(now)) {
            return InvitationRefusal.ENDED;
        }
        if (tokens.isRevoked(InvitationId.revocation(invitation.series()))) {
            return InvitationRefusal.REVOKED;
        }
        if (tokens.isRevoked(invitation.use())) {
            return tokens.isMoved(invitation.use()) ? InvitationRefusal.USED : InvitationRefusal.REVOKED;
        }
        return null;
    }

    /** Whether the former place is not to be given up for one at the end of a line. */
    private boolean isSooner(Former former, int number) {
        boolean enters = tokens.pass(former.visitor()) != null && !tokens.isRevoked(former.visitor());
        return enters || (waits(former) && (Tiers.line(former.place()) == number
                || (former.lobby() == null && lines.of(former.place()).isCalled(former.place()))));
    }

    private boolean waits(Former former) {
        return former.lobby() == null
                ? isIssued(former.place()) && tokens.waits(former.visitor(), former.place())
                : !tokens.isRevoked(former.visitor()) && tokens.pass(former.visitor()) == null;
    }

    private JoinResult place(JoinRequest join, Instant now) {
        int number = lines.number(join.tier());
        VisitorLine own = lines.get(number);
        long ahead = own.ahead(millis(now));
        boolean lobby = draws.open() && (join.leaf() != null || draws.hasLobby());
        draws = lobby ? draws.begun(lines.lengths()) : draws;
        long place = own.issue();
        long covered = gates.covered(number);
        pending.room();
        if (lobby) {
            putLeaf(place, join.leaf() == null ? JoinRequest.NO_LEAF : join.leaf());
            return new JoinResult.Placed(epoch, place, ahead);
        }
        if (join.passUntil().isAfter(now) && place <= covered && lines.present() < allowance.free(millis(now))) {
            call(place, now);
            enter(place, now);
            extend(new Live(join.visitor(), place, 0, false), join.passUntil(), false);
            return new JoinResult.Entered(epoch, place, join.passUntil());
        }
        if (place <= Math.max(own.horizon(), covered) && join.presentUntil().isAfter(now)) {
            own.seen(place, millis(join.presentUntil()), null);
        }
        return new JoinResult.Placed(epoch, place, ahead);
    }

    private void putLeaf(long place, String leaf) {
        byte[] bytes = LobbyLeaves.of(leaf);
        leaves.put(place, bytes);
        pending.leaf(place, bytes);
    }

    /** As {@link RoomStore#replaceLeaves}. */
    public List<Boolean> replaceLeaves(List<NewLeaf> wanted, Instant asked) {
        advance(asked);
        return wanted.stream().map(each -> {
            boolean open = each.epoch() == epoch && draws.open() && isIssued(each.place())
                    && draws.isInLobby(each.place());
            if (open) {
                putLeaf(each.place(), each.leaf());
            }
            return open;
        }).toList();
    }

    /** As {@link RoomStore#leaves}. */
    public byte[] leaves(long from, int most) {
        return leaves.of(from, isIssued(from) ? Math.clamp(lines.of(from).state().length() - from + 1, 0, most) : 0);
    }

    /** As {@link RoomStore#admit}. */
    public List<AdmissionResult> admit(List<AdmissionRequest> requests, Instant asked) {
        Instant now = advance(asked);
        for (AdmissionRequest request : requests) {
            if (waits(request) && request.presentUntil().isAfter(now)) {
                lines.of(request.place()).seen(request.place(), millis(request.presentUntil()), null);
            }
        }
        AdmissionResult[] results = new AdmissionResult[requests.size()];
        IntStream.range(0, requests.size()).boxed()
                .sorted(Comparator.comparingLong((Integer i) -> requests.get(i).place()))
                .forEach(i -> results[i] = admit(requests.get(i), now));
        return List.of(results);
    }

    private AdmissionResult admit(AdmissionRequest request, Instant now) {
        boolean recorded = request.kind() == AdmissionRequest.Kind.RECORDED;
        boolean taken = request.kind() != AdmissionRequest.Kind.UNTAKEN;
        Live pass = request.epoch() == epoch ? tokens.pass(request.visitor()) : null;
        if (pass != null && !tokens.isRevoked(request.visitor())) {
            boolean longer = recorded || (taken && !pass.taken());
            return new Entered(longer ? extend(pass, request.passUntil(), true) : Instant.ofEpochMilli(pass.until()));
        }
        if (!waits(request)) {
            if (recorded && request.epoch() == epoch) {
                admit(request.place(), now); // the visitor entered and left again before the gate reported it
            }
            return new Spent();
        }
        if (recorded) {
            call(request.place(), now);
            admit(request.place(), now);
            return new Entered(extend(Allowance.passOf(request), request.passUntil(), true));
        }
        VisitorLine own = lines.of(request.place());
        boolean called = own.isCalled(request.place());
        int free = called ? allowance.free(millis(now)) : 0;
        if (free > 0 && lines.before(request.place(), free, millis(now)) < free) {
            enter(request.place(), now);
            return new Entered(extend(Allowance.passOf(request), request.passUntil(), taken));
        }
        return new Waits(called, own.before(request.place(), COUNT_MOST));
    }

    /** As {@link RoomStore#renew}. */
    public List<Boolean> renew(List<RenewalRequest> renewals, Instant asked) {
        advance(asked);
        return renewals.stream().map(this::renew).toList();
    }

    private boolean renew(RenewalRequest renewal) {
        if (renewal.epoch() != epoch || tokens.isRevoked(renewal.visitor())) {
            return false;
        }
        Live pass = tokens.pass(renewal.visitor());
        if (pass == null && !canRevive(renewal)) {
            return false;
        }
        extend(pass == null ? new Live(renewal.visitor(), renewal.place(), 0, false) : pass, renewal.until(), true);
        return true;
    }

    private boolean canRevive(RenewalRequest renewal) {
        return renewal.revive() && isIssued(renewal.place()) && allowance.canRevive(renewal.visitor());
    }

    /** As {@link RoomStore#move}. */
    public List<Boolean> move(List<MoveRequest> moves, Instant asked) {
        advance(asked);
        return moves.stream().map(move -> move.epoch() == epoch && isIssued(move.place()) && tokens.move(move))
                .toList();
    }

    /** As {@link RoomStore#depart}. */
    public void depart(List<Departure> departures, Instant asked) {
        advance(asked);
        departures.stream().filter(departure -> departure.epoch() == epoch).forEach(this::depart);
    }

    private void depart(Departure departure) {
        Live pass = tokens.pass(departure.visitor());
        long place = pass == null ? departure.place() : pass.place();
        // The number of a ticket is no place before the draw, also for a gate that does not know of the lobby yet.
        boolean known = isIssued(place) && !draws.isInLobby(place) && !tokens.isMoved(departure.visitor());
        if (pass != null || !known || tokens.isUsedUp(place)) {
            tokens.revoke(departure.visitor(), departure.voidUntil(), pass);
        }
        tokens.departed(departure.visitor(), departure.voidUntil(), latest);
        if (known) {
            leave(departure.visitor(), place);
        }
    }

    private void leave(VisitorId visitor, long place) {
        lines.of(place).gone(place);
        tokens.end(visitor, place, endedBy());
    }

    /** As {@link RoomStore#sync}. */
    public RoomState sync(GateReport report, Instant asked) {
        Instant now = advance(asked);
        boolean current = report.epoch() == epoch && report.drawn() == draws.drawn();
        gates.report(report.gate(), current ? report.covered() : 0, current ? report.tiers() : List.of(),
                report.lease());
        advance(now);
        if (current) {
            for (GateReport.Presence each : report.presences()) {
                if (!each.until().isAfter(now)) {
                    lines.of(each.place()).left(each.place(), report.gate());
                } else if (isIssued(each.place()) && tokens.waits(each.place())) {
                    lines.of(each.place()).seen(each.place(), millis(each.until()), report.gate());
                }
            }
        }
        return state(now);
    }

    /** As {@link RoomStore#govern}. */
    public Optional<RoomState> govern(GovernorStep step, Instant asked) {
        Instant now = advance(asked);
        if (!governor.take(step.governor(), step.leaseUntil(), now)) {
            return Optional.empty();
        }
        gates.round();
        allowance.apply(step.limits(), now);
        slowed = step.slowed();
        int door = allowance.mode().calls() ? step.door() : Math.min(step.door(), allowance.admits());
        callPresent(door, step, now);
        if (lines.updateCrowded()) {
            pending.room();
        }
        tokens.expire(now);
        return Optional.of(state(now));
    }

    private void callPresent(int door, GovernorStep step, Instant now) {
        if (lines.hasTiers() || !step.tiers().lines().isEmpty()) {
            lines.apply(step.tiers());
            lines.settle();
            pending.room();
        }
        List<Integer> doors = lines.doors(door, gates::covered);
        for (int number = 0; number < lines.size(); number++) {
            VisitorLine each = lines.get(number);
            long horizon = number == 0 ? step.horizon() : each.state().cursor() + step.tiers().reach();
            call(each.toCall(doors.get(number), horizon, gates.covered(number)), now);
        }
    }

    /** As {@link RoomStore#change}. */
    public RoomState change(RoomChange change, Instant asked) {
        Instant now = advance(asked);
        pending.room();
        switch (change) {
            case RoomChange.Mode to -> allowance.setMode(to.mode());
            case RoomChange.Message to -> message = to.text();
            case RoomChange.Settings to -> override = to.limits();
            case RoomChange.Openings to -> openings = to.appliesTo(openings, now) ? to.changes() : openings;
            case RoomChange.Draw(DrawStep step) -> draw(step);
            case RoomChange.Admit more -> allowance.grant(more.visitors());
            case RoomChange.NewEpoch _ -> beginEpoch();
        }
        return state(now);
    }

    private void draw(DrawStep step) {
        DrawLedger before = draws;
        draws = step.applyTo(draws, name, epoch, lines.lengths());
        if (draws.drawn() > before.drawn()) {
            gates.resetCovered();
            IntStream.range(0, lines.size()).forEach(number -> lines.get(number).drawn(before.base(number)));
        }
    }

    private void beginEpoch() {
        draws = draws.ofNewEpoch();
        leaves.clear();
        epoch++;
        lines.beginEpoch();
        allowance.beginEpoch();
        tokens.beginEpoch();
        pending.beginEpoch();
        pace.beginEpoch();
        gates.resetCovered();
    }

    /** As {@link RoomStore#find}. */
    public VisitorRecord find(VisitorId visitor, Instant asked) {
        advance(asked);
        return tokens.find(visitor);
    }

    /** As {@link RoomStore#use}. */
    public PlaceUse use(long place, Instant asked) {
        advance(asked);
        return new PlaceUse(live.holder(place), tokens.isUsedUp(place));
    }

    /** As {@link RoomStore#present}. */
    public PresentPlaces present(int number, int most, Instant asked) {
        advance(asked);
        return PresentPlaces.of(epoch, lines.horizon(number), lines.presences(number, most), most);
    }

    public RoomState state(Instant asked) {
        Instant now = advance(asked);
        Load load = new Load(live.count(), allowance.free(millis(now)), lines.atDoor(), lines.present(),
                allowance.granted(), gates.count());
        return new RoomState(name, epoch, allowance.mode(), message, line.state(), load, pace.pace(millis(now)),
                allowance.limits(), slowed, override, tokens.revoked(), tokens.moved(), openings,
                draws.published(), lines.tiers(), now);
    }

    /** Removes and returns the changes since the last call, which have to become durable. */
    public Delta drain() {
        RoomState.Line current = line.state();
        return pending.drain(() -> new RoomRecord(name, epoch, current.length(), current.cursor(), current.crowded(),
                allowance.mode(), message, allowance.granted(), override, openings, draws, lines.stored(), endedBy()));
    }

    /** Whether the visitor has a good ticket and no pass. */
    private boolean waits(AdmissionRequest request) {
        return request.epoch() == epoch && isIssued(request.place())
                && tokens.waits(request.visitor(), request.place());
    }

    private void call(long place, Instant now) {
        long places = lines.of(place).call(place);
        if (places > 0) {
            pace.called(places, millis(now));
            pending.room();
        }
    }

    /** Spends an admission: of the limits if possible, otherwise of an operator's grant. */
    private void enter(long place, Instant now) {
        if (allowance.regular(millis(now)) > 0) {
            admit(place, now);
        } else {
            allowance.spendGrant();
            pending.room();
            pace.admitted(millis(now));
            lines.admitted(place, millis(now));
        }
    }

    /** Counts an admission towards the rate. */
    private void admit(long place, Instant now) {
        allowance.count(millis(now));
        pending.admission(Instant.ofEpochMilli(millis(now)));
        pace.admitted(millis(now));
        if (lines.hasTiers()) {
            lines.admitted(place, millis(now));
            pending.room();
        }
    }

    private boolean isIssued(long place) {
        return lines.of(place).isIssued(place);
    }

    /** Extends a pass until then at least; its visitor no longer waits. */
    private Instant extend(Live pass, Instant until, boolean taken) {
        lines.of(pass.place()).gone(pass.place());
        return tokens.extend(pass, until, taken);
    }

    /** Advances the time, which never goes back, and ends what has ended by then. */
    private Instant advance(Instant now) {
        latest = now.isAfter(latest) ? now : latest;
        if (leasesUnknown) {
            leasesUnknown = false;
            gates.leasesUnknown(latest);
        }
        live.expire(millis(latest), millis(endedBy()));
        lines.expire(millis(latest));
        return latest;
    }

    private static long millis(Instant moment) {
        return moment.toEpochMilli();
    }

    /** The lease of the gate that governs a room. Not thread-safe. */
    private static final class GovernorLease {
        private @Nullable GateId holder;
        private Instant until = Instant.EPOCH;

        /** Takes or extends the lease; false if another gate holds it. */
        boolean take(GateId gate, Instant newUntil, Instant now) {
            if (holder != null && !holder.equals(gate) && until.isAfter(now)) {
                return false;
            }
            holder = gate;
            until = newUntil;
            return true;
        }
    }
}
