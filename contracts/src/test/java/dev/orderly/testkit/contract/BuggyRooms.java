package dev.orderly.testkit.contract;

import dev.orderly.room.Draw;
import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.Line;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.PlaceUse;
import dev.orderly.room.store.PresentPlaces;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.store.TierShares;
import dev.orderly.room.store.TierShares.Share;
import dev.orderly.room.store.VisitorRecord;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.text.LocalizedText;
import java.text.Normalizer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rooms of a memory store behind a decorator with a planted bug. */
final class BuggyRooms extends BuggedStore implements RoomStore {
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final RoomStore rooms;
    private final RoomBug bug;
    private final BuggyUsers users;
    private boolean restarted;
    private int granted;
    private int uses;
    private final Set<VisitorId> invited = new HashSet<>();
    private String seed = "";
    private @Nullable String value;
    private final Map<VisitorId, Instant> voidUntil = new HashMap<>();
    private final Map<VisitorId, VisitorId> heirs = new HashMap<>();
    private final Map<GateId, GateLease> firstLeases = new HashMap<>();

    BuggyRooms(MemoryStore store, RoomBug bug) {
        super(store, bug);
        rooms = store.rooms();
        this.bug = bug;
        users = new BuggyUsers(rooms, bug);
    }

    BuggyRooms crash() {
        BuggyRooms next = new BuggyRooms(bug == RoomBug.LOSES_EVERYTHING ? new MemoryStore() : store.crash(), bug);
        next.restarted = true;
        next.users.restarted();
        next.voidUntil.putAll(voidUntil);
        return next;
    }

    private boolean has(RoomBug planted) {
        return bug == planted;
    }

    @Override
    public boolean isShared() {
        return rooms.isShared();
    }

    @Override
    public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
        if (joins.stream().anyMatch(join -> join.user() != null)) {
            return users.join(room, joins, now);
        }
        List<JoinResult> results = rooms.join(room, has(RoomBug.FORGETS_TIERS)
                ? joins.stream().map(join -> new JoinRequest(join.visitor(), join.presentUntil(), join.passUntil()))
                        .toList()
                : has(RoomBug.ADMITS_VISITORS_WHO_ONLY_JOIN)
                        ? joins.stream().map(join -> entering(join, now)).toList()
                        : joins.stream().map(join -> invited(room, join, now)).toList(),
                now);
        if (has(RoomBug.ISSUES_PLACES_TWICE_AFTER_A_RESTART) && restarted) {
            return results.stream().map(BuggyRooms::issuedBefore).toList();
        }
        return has(RoomBug.REVERSES_CALLS) ? results.reversed() : results;
    }

    private JoinRequest invited(RoomName room, JoinRequest join, Instant now) {
        InvitationUse use = join.invitation();
        if (use == null) {
            return join;
        }
        InvitationId id = use.invitation();
        boolean another = has(RoomBug.GIVES_TWO_PLACES_BY_AN_INVITATION)
                || (has(RoomBug.FORGETS_INVITATIONS_AT_A_RESTART) && restarted);
        InvitationUse.Former former = use.former();
        if (former != null && (has(RoomBug.MOVES_INVITED_VISITORS_BACKWARDS)
                || (has(RoomBug.USES_UP_NUMBERS_OF_A_LOBBY) && former.lobby() != null))) {
            depart(room, List.of(new Departure(former.visitor(), use.epoch(), former.place(), now)), now);
        }
        InvitationUse changed = new InvitationUse(
                another
                        ? new InvitationId(id.series(), 1_000 + uses++)
                        : has(RoomBug.ACCEPTS_REVOKED_INVITATIONS)
                                ? new InvitationId(id.series() + 1, id.number())
                                : id,
                use.epoch(), use.until(), has(RoomBug.KEEPS_FORMER_PLACES_OF_INVITED_VISITORS) ? null : former);
        boolean lost = has(RoomBug.USES_INVITATIONS_WITHOUT_A_PLACE) && !invited.add(join.visitor());
        return new JoinRequest(lost ? new VisitorId(uses, 0) : join.visitor(), join.presentUntil(), join.passUntil(),
                join.leaf(), join.tier(),
                has(RoomBug.GIVES_PLACES_WITHOUT_THE_USE) ? null : changed);
    }

    private static JoinRequest entering(JoinRequest join, Instant now) {
        return new JoinRequest(join.visitor(), join.presentUntil(), now.plus(Duration.ofMinutes(1)));
    }

    private static JoinResult issuedBefore(JoinResult result) {
        return switch (result) {
            case JoinResult.Placed placed ->
                new JoinResult.Placed(placed.epoch(), placed.place() - 1, placed.ahead());
            case JoinResult.Entered entered ->
                new JoinResult.Entered(entered.epoch(), entered.place() - 1, entered.until());
            case JoinResult.Uninvited refused -> refused;
            case JoinResult.Shared shared -> shared;
        };
    }

    @Override
    public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests, Instant now) {
        if (has(RoomBug.STOPS_BEFORE_THE_CURSOR) && requests.size() == 1
                && requests.getFirst().place() == cursor(room, now)) {
            return List.of(new AdmissionResult.Waits(true, 0));
        }
        Instant taken = switch (bug) {
            case WINDOW_ENDS_EARLY -> isFull(now) ? now.plus(MOMENT) : now;
            case PASSES_END_LATE -> now.minus(MOMENT);
            default -> now;
        };
        List<AdmissionResult> results = new ArrayList<>(
                rooms.admit(room, requests.stream().map(request -> distorted(room, request, now)).toList(), taken));
        for (int n = 0; n < results.size(); n++) {
            if (exceeds(results.get(n))) {
                results.set(n, rooms.admit(room, List.of(recorded(requests.get(n))), taken).getFirst());
            }
            if (has(RoomBug.FORGETS_USED_UP_TICKETS_AT_A_RESTART) && restarted
                    && results.get(n) instanceof AdmissionResult.Spent) {
                results.set(n, new AdmissionResult.Entered(requests.get(n).passUntil()));
            }
        }
        return results;
    }

    private boolean isFull(Instant now) {
        return rooms.rooms(now).stream().allMatch(state -> state.load().free() == 0);
    }

    private boolean exceeds(AdmissionResult result) {
        return has(RoomBug.ADMITS_BEYOND_CAPACITY) && result instanceof AdmissionResult.Waits && granted-- > 0;
    }

    private long cursor(RoomName room, Instant now) {
        return known(room, now).map(state -> state.line().cursor()).orElse(0L);
    }

    private AdmissionRequest distorted(RoomName room, AdmissionRequest request, Instant now) {
        return switch (bug) {
            case IGNORES_PRESENCE -> with(request, request.epoch(), now, request.kind());
            case IGNORES_THE_EPOCH -> with(request, epoch(room, now), request.presentUntil(), request.kind());
            case TAKES_KEPT_PASSES ->
                with(request, request.epoch(), request.presentUntil(), AdmissionRequest.Kind.TAKEN);
            default -> request;
        };
    }

    private static AdmissionRequest recorded(AdmissionRequest request) {
        return with(request, request.epoch(), request.presentUntil(), AdmissionRequest.Kind.RECORDED);
    }

    private static AdmissionRequest with(AdmissionRequest request, long epoch, Instant presentUntil,
            AdmissionRequest.Kind kind) {
        return new AdmissionRequest(request.visitor(), epoch, request.place(), presentUntil, request.passUntil(), kind);
    }

    private long epoch(RoomName room, Instant now) {
        return known(room, now).map(RoomState::epoch).orElse(1L);
    }

    @Override
    public List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now) {
        List<Boolean> lives = rooms.renew(room, has(RoomBug.REVIVES_NOTHING)
                ? renewals.stream().map(BuggyRooms::withoutRevival).toList()
                : renewals, now);
        return has(RoomBug.REVIVES_UNISSUED_PLACES)
                ? renewals.stream().map(RenewalRequest::revive).toList()
                : lives;
    }

    private static RenewalRequest withoutRevival(RenewalRequest renewal) {
        return new RenewalRequest(renewal.visitor(), renewal.epoch(), renewal.place(), renewal.until(), false);
    }

    @Override
    public List<Boolean> move(RoomName room, List<MoveRequest> moves, Instant now) {
        if (has(RoomBug.MOVES_WITHOUT_VOIDING)) {
            return moves.stream().map(_ -> true).toList();
        }
        if (has(RoomBug.REFUSES_REPEATED_MOVES) && moves.stream().anyMatch(move -> heirs.containsKey(move.visitor()))) {
            return moves.stream().map(_ -> false).toList();
        }
        List<Boolean> moved = rooms.move(room, moves, now);
        users.moved(moves, moved);
        moves.forEach(move -> heirs.putIfAbsent(move.visitor(), move.to()));
        return has(RoomBug.MOVES_TO_EVERYBODY) ? moves.stream().map(_ -> true).toList() : moved;
    }

    private Departure withThePlace(Departure departure) {
        VisitorId visitor = heirs.getOrDefault(departure.visitor(), departure.visitor());
        return new Departure(visitor, departure.epoch(), departure.place(), departure.voidUntil());
    }

    @Override
    public void depart(RoomName room, List<Departure> departures, Instant now) {
        if (has(RoomBug.FORMER_VISITORS_TAKE_THE_PLACE_ALONG)) {
            rooms.depart(room, departures.stream().map(this::withThePlace).toList(), now);
            return;
        }
        if (has(RoomBug.USES_UP_NUMBERS_OF_A_LOBBY)) {
            rooms.admit(room, departures.stream().map(each -> new AdmissionRequest(each.visitor(), each.epoch(),
                    each.place(), now, now.plusSeconds(1), AdmissionRequest.Kind.RECORDED)).toList(), now);
        }
        if (!has(RoomBug.IGNORES_DEPARTURES)) {
            departures.forEach(departure -> voidUntil.put(departure.visitor(), departure.voidUntil()));
            rooms.depart(room, departures, now);
        }
    }

    @Override
    public RoomState sync(RoomName room, GateReport report, Instant now) {
        return distorted(rooms.sync(room, switch (bug) {
            case IGNORES_PRESENCE ->
                new GateReport(report.gate(), report.epoch(), report.drawn(), report.covered(), List.of(),
                        report.lease(), report.tiers());
            case MERGES_ALL_GATES -> new GateReport(new GateId("any"), report.epoch(), report.drawn(),
                    report.covered(), report.presences(), report.lease(), report.tiers());
            case COVERS_ALL_OF_EACH_TIER -> new GateReport(report.gate(), report.epoch(), report.drawn(),
                    report.covered(), report.presences(), report.lease(), report.tiers().stream()
                            .map(place -> Tiers.start(Tiers.line(place) + 1) - 1).toList());
            case IGNORES_LEASES -> leased(report, GateLease.NONE);
            case KEEPS_THE_FIRST_LEASE ->
                leased(report, firstLeases.computeIfAbsent(report.gate(), _ -> report.lease()));
            case COUNTS_ALL_ENDED_PASSES_AS_INSIDE ->
                leased(report, new GateLease(Instant.EPOCH, report.lease().until()));
            case COUNTS_REPORTS_OF_BEFORE_A_DRAW -> new GateReport(report.gate(), report.epoch(),
                    known(room, now).map(state -> state.draws().drawn()).orElse(0), report.covered(),
                    report.presences(), report.lease(), report.tiers());
            case COUNTS_NO_TIER_AFTER_A_DRAW -> new GateReport(report.gate(), report.epoch(), report.drawn(),
                    report.covered(), report.presences(), report.lease(),
                    report.drawn() > 0 ? List.of() : report.tiers());
            case FORGETS_LEASES_IN_A_CRASH -> new GateReport(restarted ? new GateId("forgotten") : report.gate(),
                    report.epoch(), report.drawn(), report.covered(), report.presences(), report.lease(),
                    report.tiers());
            default -> report;
        }, now));
    }

    private static GateReport leased(GateReport report, GateLease lease) {
        return new GateReport(report.gate(), report.epoch(), report.drawn(), report.covered(), report.presences(),
                lease, report.tiers());
    }

    @Override
    public Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now) {
        GateId governor = has(RoomBug.IGNORES_THE_LEASE) ? new GateId("any") : step.governor();
        Limits limits = has(RoomBug.FORGETS_THE_WINDOW_AT_A_RESTART) && restarted
                ? new Limits(step.limits().capacity(), null)
                : step.limits();
        return rooms.govern(room, new GovernorStep(governor, step.leaseUntil(), limits, step.slowed(),
                step.door(), step.horizon(), step.forgetBefore(), tiers(step.tiers())), now).map(this::distorted);
    }

    private TierShares tiers(TierShares shares) {
        return has(RoomBug.IGNORES_SHARES)
                ? new TierShares(50, shares.reach(),
                        shares.lines().stream().map(each -> new Share(each.name(), 50)).toList())
                : shares;
    }

    private RoomState distorted(RoomState state) {
        if (has(RoomBug.REVOCATIONS_END_EARLY)) {
            Map<VisitorId, Instant> voided = new HashMap<>(state.voided());
            voided.keySet().removeIf(visitor -> !voidUntil.getOrDefault(visitor, Instant.MAX).isAfter(state.at()));
            return new RoomState(state.room(), state.epoch(), state.mode(), state.message(), state.line(),
                    state.load(), state.pace(), state.limits(), state.slowed(), state.override(), voided, state.moved(),
                    state.at());
        }
        if (has(RoomBug.HIDES_MOVES_FROM_GATES) || (has(RoomBug.FORGETS_MOVES_AT_A_RESTART) && restarted)) {
            return new RoomState(state.room(), state.epoch(), state.mode(), state.message(), state.line(),
                    state.load(), state.pace(), state.limits(), state.slowed(), state.override(), state.voided(),
                    Set.of(), state.at());
        }
        if (has(RoomBug.HIDES_CHANGED_OPENINGS_FROM_GATES)
                || (has(RoomBug.FORGETS_CHANGED_OPENINGS_AT_A_RESTART) && restarted)) {
            return withoutOpenings(state);
        }
        if (!state.draws().equals(DrawLedger.NONE)) {
            return withDraws(state);
        }
        Line line = state.line();
        boolean past = has(RoomBug.CURSOR_PASSES_THE_LENGTH) && state.load().free() > 0;
        return past
                ? new RoomState(state.room(), state.epoch(), state.mode(), state.message(),
                        new Line(line.length(), line.cursor() + state.load().free(), line.horizon(), line.crowded()),
                        state.load(), state.pace(), state.limits(), state.slowed(), state.override(),
                        state.voided(), state.moved(), state.at())
                : state;
    }

    private RoomState withDraws(RoomState state) {
        DrawLedger known = state.draws();
        List<Draw> draws = known.draws().stream().map(draw -> new Draw(draw.opening(), draw.beacon(), draw.commitment(),
                has(RoomBug.TELLS_THE_SEED_BEFORE_THE_DRAW) ? seed : draw.seed(), draw.epoch(), draw.base(),
                draw.count(), draw.root(), has(RoomBug.RECORDS_ANOTHER_VALUE) ? value : draw.value(), draw.drawn(),
                draw.tiers()))
                .toList();
        boolean late = has(RoomBug.LETS_LATE_VISITORS_INTO_THE_LOBBY) && known.end() >= 0;
        return new RoomState(state.room(), state.epoch(), state.mode(), state.message(), state.line(), state.load(),
                state.pace(), state.limits(), state.slowed(), state.override(), state.voided(), state.moved(),
                state.openings(), new DrawLedger(draws, known.open(),
                        has(RoomBug.FORGETS_TIERS_OF_A_LOBBY)
                                ? known.bases().stream().limit(1).toList()
                                : known.bases(),
                        late ? state.lines().map(Line::length).toList() : known.ends(), known.drawn()),
                state.tiers(), state.at());
    }

    private static RoomState withoutOpenings(RoomState state) {
        return new RoomState(state.room(), state.epoch(), state.mode(), state.message(), state.line(), state.load(),
                state.pace(), state.limits(), state.slowed(), state.override(), state.voided(), state.moved(),
                state.at());
    }

    @Override
    public RoomState change(RoomName room, RoomChange change, Instant now) {
        granted += change instanceof RoomChange.Admit more ? more.visitors() : 0;
        if (change instanceof RoomChange.Draw(DrawStep.Commit step)) {
            seed = step.seed();
        }
        if (change instanceof RoomChange.Draw(DrawStep.Value step)) {
            value = step.value();
        }
        return distorted(rooms.change(room, distorted(room, change, now), now));
    }

    private RoomChange distorted(RoomName room, RoomChange change, Instant now) {
        if (change instanceof RoomChange.Openings(List<OpeningChange> from, List<OpeningChange> to, Instant before)) {
            return new RoomChange.Openings(
                    has(RoomBug.OVERWRITES_CHANGED_OPENINGS) ? stored(room, now) : from, to,
                    has(RoomBug.CHANGES_OPENINGS_TOO_LATE) ? Instant.MAX : before);
        }
        if (!(change instanceof RoomChange.Message(LocalizedText text)) || text == null) {
            return change;
        }
        if (has(RoomBug.KEEPS_ONE_LANGUAGE)) {
            return RoomChange.Message.of(text.choose(List.of()).text());
        }
        return has(RoomBug.NORMALIZES_MESSAGES) && text.fallback() != null
                ? RoomChange.Message.of(Normalizer.normalize(text.fallback(), Normalizer.Form.NFC))
                : change;
    }

    private Optional<RoomState> known(RoomName room, Instant now) {
        return rooms.rooms(now).stream().filter(state -> state.room().equals(room)).findFirst();
    }

    private List<OpeningChange> stored(RoomName room, Instant now) {
        return known(room, now).map(RoomState::openings).orElse(List.of());
    }

    @Override
    public List<Boolean> replaceLeaves(RoomName room, List<NewLeaf> leaves, Instant now) {
        List<Boolean> stored = rooms.replaceLeaves(room, leaves, now);
        boolean closed = known(room, now).filter(state -> !state.draws().open()).isPresent();
        return has(RoomBug.REPLACES_LEAVES_OF_A_CLOSED_LOBBY) && closed
                ? leaves.stream().map(_ -> true).toList()
                : stored;
    }

    @Override
    public byte[] leaves(RoomName room, long from, int most, Instant now) {
        byte[] leaves = rooms.leaves(room, from, most, now);
        return has(RoomBug.FORGETS_LEAVES_AT_A_RESTART) && restarted ? new byte[leaves.length] : leaves;
    }

    @Override
    public VisitorRecord find(RoomName room, VisitorId visitor, Instant now) {
        return has(RoomBug.KNOWS_NO_VISITOR) ? VisitorRecord.NONE : rooms.find(room, visitor, now);
    }

    @Override
    public PlaceUse use(RoomName room, long place, Instant now) {
        return has(RoomBug.KNOWS_NO_PLACE) ? PlaceUse.NONE : rooms.use(room, place, now);
    }

    @Override
    public PresentPlaces present(RoomName room, int line, int most, Instant now) {
        PresentPlaces all = rooms.present(room, line, most, now);
        return has(RoomBug.HIDES_VISITORS_OF_OTHER_GATES)
                ? new PresentPlaces(all.epoch(), all.upTo(), all.presences().stream().limit(1).toList())
                : all;
    }

    @Override
    public List<RoomState> rooms(Instant now) {
        return rooms.rooms(now).stream().map(this::distorted).toList();
    }

    @Override
    public RoomStore rooms() {
        return this;
    }
}
