package dev.orderly.testkit.contract.room;

import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomState.Line;
import dev.orderly.room.RoomState.Load;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.UserJoin;
import dev.orderly.text.LocalizedText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The model of a room, written to be obviously right from the port's description: a list of all visitors by place,
 * which every question walks from end to end.
 */
final class RoomModel {
    final Map<VisitorId, Instant> voided = new HashMap<>();
    /** Former visitors of moved places, with the visitors who got them. */
    final Map<VisitorId, VisitorId> moved = new HashMap<>();
    long epoch = 1;
    RoomMode mode = RoomMode.AUTO;
    @Nullable
    LocalizedText message;
    @Nullable
    Limits override;
    List<OpeningChange> openings = List.of();
    Limits limits = Limits.CLOSED;
    int admitted;
    private final List<ModelVisitor> people = new ArrayList<>();
    private final List<Instant> admissions = new ArrayList<>();
    private final Map<GateId, Gate> gates = new HashMap<>();
    private Instant now = Instant.EPOCH;
    /** The lines; the first one is that of visitors without a tier. */
    private final List<ModelLine> lines = new ArrayList<>(List.of(new ModelLine(0, "")));
    private final Map<VisitorId, UserHold> users = new HashMap<>();
    private boolean crowded;
    /** After a crash with visitors in line nobody enters for five seconds from the first step on. */
    private boolean settling;
    private @Nullable Instant settled;
    private int granted;
    private int rounds;
    private @Nullable GateId governor;
    private Instant leaseUntil = Instant.EPOCH;
    private final Map<GateId, GateLease> leases = new HashMap<>();
    private boolean shared;

    /** @param until end of the ticket */
    private record UserHold(ModelVisitor person, Instant until) {}

    private record Gate(List<Long> covered, int round) {
        long covered(int line) {
            return line < covered.size() ? covered.get(line) : Tiers.start(line);
        }
    }

    /** @param shared whether gates may have had leases that the store lost in a crash */
    RoomModel(boolean shared) {
        this.shared = shared;
    }

    RoomModel at(Instant moment) {
        now = moment;
        leases.values().removeIf(lease -> !lease.until().isAfter(now));
        for (ModelVisitor person : people) {
            person.inside &= isIn(person)
                    || leases.values().stream().anyMatch(lease -> person.passUntil.isAfter(lease.from()));
        }
        return this;
    }

    /** Drops the state that another process does not find. */
    void crash() {
        leases.clear();
        if (shared) {
            leases.put(new GateId("any"), new GateLease(Instant.EPOCH, now.plus(GateLease.LONGEST)));
        }
        settling = crowded;
        settled = null;
        people.forEach(this::endPresence);
        gates.clear();
        limits = Limits.CLOSED;
        governor = null;
        lines.forEach(line -> line.horizon = line.cursor);
        rounds = 0;
        admitted = 0;
    }

    /** Drops the state that is not copied: also ended passes that a lease kept. */
    void copied(boolean toShared) {
        shared = toShared;
        crash();
        people.forEach(person -> person.inside = isIn(person));
    }

    // ---- questions

    private boolean isIn(ModelVisitor person) {
        return person.passUntil.isAfter(now);
    }

    private boolean isPresent(ModelVisitor person) {
        return person.presentUntil.isAfter(now) && !person.usedUp && !isIn(person);
    }

    private boolean hasGoodTicket(ModelVisitor person) {
        return !person.usedUp && !isIn(person) && !voided.containsKey(person.id);
    }

    private Stream<ModelVisitor> present() {
        return people.stream().filter(this::isPresent);
    }

    /** Present visitors of the line of a place with lower places. */
    private int presentBefore(long place) {
        return (int) present().filter(person -> Tiers.line(person.place) == Tiers.line(place) && person.place < place)
                .count();
    }

    private ModelLine lineOf(long place) {
        return lines.get(Tiers.line(place));
    }

    private int[] doors() {
        return lines.stream().mapToInt(line -> presentBefore(line.cursor + 1)).toArray();
    }

    private int[] presentUpTo(LongUnaryOperator last) {
        return lines.stream().mapToInt(line -> presentBefore(last.applyAsLong(line.number) + 1)).toArray();
    }

    private int turnsBefore(ModelVisitor person) {
        int ahead = presentBefore(person.place);
        return lines.size() == 1
                ? ahead
                : ModelLine.before(lines, Tiers.line(person.place), ahead, doors(), now.toEpochMilli());
    }

    private int active() {
        return (int) people.stream().filter(person -> person.inside).count();
    }

    private long covered(int line) {
        return gates.values().stream().mapToLong(gate -> gate.covered(line)).min().orElse(Tiers.start(line));
    }

    private long capacityLeft() {
        return limits.mostPasses().map(most -> Math.max(0L, most - active())).orElse((long) Integer.MAX_VALUE);
    }

    private long rateLeft() {
        return limits.mostAdmissions().map(rate -> rate.admissions()
                - admissions.stream().filter(at -> at.isAfter(now.minus(rate.period()))).count())
                .map(left -> Math.max(0L, left)).orElse((long) Integer.MAX_VALUE);
    }

    private boolean calls() {
        return mode == RoomMode.AUTO || mode == RoomMode.SHADOW || mode == RoomMode.DRAIN;
    }

    private long byLimits() {
        return calls() ? Math.min(capacityLeft(), rateLeft()) : 0;
    }

    private long byOperator() {
        return calls() || mode == RoomMode.HOLD ? granted : 0;
    }

    private long free() {
        return settling ? 0 : Math.min(capacityLeft(), byLimits() + byOperator());
    }

    private @Nullable ModelVisitor at(long place) {
        return people.stream().filter(person -> person.place == place).findFirst().orElse(null);
    }

    /** Number of admissions that count towards the rate. */
    int admissions() {
        return admissions.size();
    }

    Line line() {
        ModelLine line = lines.getFirst();
        return new Line(line.length, line.cursor, line.horizon, crowded);
    }

    List<TierLine> tiers() {
        int[] present = presentUpTo(number -> lines.get((int) number).length);
        return lines.stream().skip(1).map(line -> line.state(doors()[line.number], present[line.number],
                lines.getFirst())).toList();
    }

    /** The place that the next visitor of a tier gets. */
    long next(@Nullable String tier) {
        return line(tier).length + 1;
    }

    /** The places of the line of a tier that are not called. */
    long waiting(@Nullable String tier) {
        return line(tier).length - line(tier).cursor;
    }

    private ModelLine line(@Nullable String tier) {
        return lines.stream().skip(1).filter(line -> line.name.equals(tier)).findFirst().orElse(lines.getFirst());
    }

    Load load() {
        return new Load(active(), (int) free(), IntStream.of(doors()).sum(), (int) present().count(), granted,
                gates.size());
    }

    // ---- requests

    /** Joins a visitor; whether the visitor enters at once. */
    boolean join(JoinRequest join) {
        ModelLine line = line(join.tier());
        ModelVisitor person = new ModelVisitor(join.visitor(), ++line.length);
        boolean in = join.passUntil().isAfter(now) && person.place <= covered(line.number)
                && present().count() < free();
        people.add(person);
        if (join.user() != null) {
            give(join.user(), person);
        }
        if (in) {
            call(person.place);
            spendAdmission(person.place);
            issuePass(person, join.passUntil(), false);
        } else if (person.place <= Math.max(line.horizon, covered(line.number))) {
            person.presentUntil = join.presentUntil();
        }
        return in;
    }

    /** The user's place before has ended: nobody goes on with it. */
    private void give(UserJoin user, ModelVisitor person) {
        UserHold before = users.put(user.user(), new UserHold(person, user.until()));
        if (before != null) {
            voidAtLeast(before.person.id, user.voidUntil());
        }
    }

    private void voidAtLeast(VisitorId visitor, Instant until) {
        voided.merge(visitor, until, (one, other) -> one.isAfter(other) ? one : other);
    }

    private @Nullable ModelVisitor holder(@Nullable UserJoin user) {
        UserHold hold = user == null ? null : users.get(user.user());
        return hold != null && holds(hold) ? hold.person : null;
    }

    private boolean holds(UserHold hold) {
        return hold.person.inside || (!hold.person.usedUp && hold.until.isAfter(now));
    }

    /** The answer to a user who has a place, without the visitors ahead; empty for a user without one. */
    Optional<JoinResult> shared(UserJoin user) {
        ModelVisitor person = holder(user);
        UserHold hold = users.get(user.user());
        return person == null || hold == null
                ? Optional.empty()
                : Optional.of(new JoinResult.Shared(epoch, person.place, person.id, 0, hold.until));
    }

    /** A user whose visitor departs has no place, and the tickets of all devices are void until they end. */
    private void forgetUser(VisitorId visitor, Instant voidUntil) {
        users.values().removeIf(hold -> {
            boolean departs = holds(hold) && hold.person.id.equals(visitor);
            if (departs) {
                voidAtLeast(visitor, hold.until.isAfter(voidUntil) ? hold.until : voidUntil);
            }
            return departs;
        });
    }

    /** Why an invitation gives no place; empty if it does. */
    Optional<JoinResult> refusal(JoinRequest join, InvitationUse use) {
        ModelVisitor own = holder(join.user());
        ModelVisitor former = former(use);
        InvitationRefusal why = null;
        if (use.epoch() != epoch || !use.until().isAfter(now)) {
            why = InvitationRefusal.ENDED;
        } else if (voided.containsKey(InvitationId.revocation(use.invitation().series()))) {
            why = InvitationRefusal.REVOKED;
        } else if (moved.containsKey(use.invitation().use())) {
            why = InvitationRefusal.USED;
        } else if (own != null && own.usedUp && !isIn(own)) {
            return Optional.of(new JoinResult.Uninvited(epoch, null));
        } else if (own != null && (use.former() == null || !own.id.equals(use.former().visitor()))) {
            return shared(Objects.requireNonNull(join.user()));
        } else if (former != null && (isIn(former) || (!former.usedUp
                && (former.place <= lineOf(former.place).cursor || lineOf(former.place) == line(join.tier()))))) {
            why = InvitationRefusal.SOONER;
        }
        return why != null || line(join.tier()).number == 0
                ? Optional.of(new JoinResult.Uninvited(epoch, why))
                : Optional.empty();
    }

    /** The visitor of the former place, if it is still that visitor's. */
    private @Nullable ModelVisitor former(InvitationUse use) {
        InvitationUse.Former former = use.former();
        ModelVisitor person = former == null ? null : at(former.place());
        return person != null && former != null && person.id.equals(former.visitor())
                && !voided.containsKey(person.id) ? person : null;
    }

    /** Joins a visitor by an invitation that is not refused; whether the visitor enters at once. */
    boolean redeem(JoinRequest join, InvitationUse use) {
        ModelVisitor former = former(use);
        if (former != null) {
            forgetUser(former.id, now);
            former.usedUp = true;
            endPresence(former);
        }
        boolean in = join(join);
        voided.put(use.invitation().use(), use.until());
        moved.put(use.invitation().use(), join.visitor());
        return in;
    }

    List<AdmissionResult> admit(List<AdmissionRequest> requests) {
        for (AdmissionRequest request : requests) {
            ModelVisitor person = at(request.place());
            if (request.epoch() == epoch && person != null && hasGoodTicket(person)
                    && !voided.containsKey(request.visitor())) {
                recordPresence(person, request.presentUntil(), null);
            }
        }
        Map<Integer, AdmissionResult> results = new HashMap<>();
        IntStream.range(0, requests.size()).boxed()
                .sorted(Comparator.comparingLong((Integer n) -> requests.get(n).place()))
                .forEach(n -> results.put(n, admit(requests.get(n))));
        return IntStream.range(0, requests.size()).mapToObj(results::get).toList();
    }

    private AdmissionResult admit(AdmissionRequest request) {
        ModelVisitor person = at(request.place());
        boolean taken = request.kind() != AdmissionRequest.Kind.UNTAKEN;
        if (request.epoch() != epoch) {
            return new AdmissionResult.Spent();
        }
        if (person == null || voided.containsKey(request.visitor())) {
            return spent(request);
        }
        if (isIn(person)) {
            if (request.kind() == AdmissionRequest.Kind.RECORDED || (taken && !person.usedUp)) {
                issuePass(person, request.passUntil(), true);
            }
            return new AdmissionResult.Entered(person.passUntil);
        }
        if (person.usedUp) {
            return spent(request);
        }
        if (request.kind() == AdmissionRequest.Kind.RECORDED) {
            call(person.place);
            admissions.add(now);
            countAdmission(person.place);
        } else if (person.place > lineOf(person.place).cursor || turnsBefore(person) >= free()) {
            return new AdmissionResult.Waits(person.place <= lineOf(person.place).cursor, presentBefore(person.place));
        } else {
            spendAdmission(person.place);
        }
        issuePass(person, request.passUntil(), taken);
        return new AdmissionResult.Entered(person.passUntil);
    }

    /**
     * The answer for a spent ticket. An admission by a gate counts towards the rate even if the visitor has left again.
     */
    private AdmissionResult spent(AdmissionRequest request) {
        if (request.kind() == AdmissionRequest.Kind.RECORDED) {
            admissions.add(now);
            countAdmission(request.place());
        }
        return new AdmissionResult.Spent();
    }

    boolean renew(RenewalRequest renewal) {
        ModelVisitor person = at(renewal.place());
        if (renewal.epoch() != epoch || person == null || voided.containsKey(renewal.visitor())
                || (!isIn(person) && !(renewal.revive() && (capacityLeft() > 0
                        || (person.inside && limits.mostPasses().filter(most -> active() > most).isEmpty()))))) {
            return false;
        }
        issuePass(person, renewal.until(), true);
        return true;
    }

    boolean move(MoveRequest move) {
        ModelVisitor person = at(move.place());
        if (move.epoch() != epoch || person == null) {
            return false;
        }
        if (voided.containsKey(move.visitor())) {
            return move.to().equals(moved.get(move.visitor()));
        }
        if (person.usedUp || people.stream().anyMatch(other -> other.id.equals(move.to()))) {
            return false;
        }
        person.id = move.to();
        voided.put(move.visitor(), person.inside && person.passUntil.isAfter(move.voidUntil())
                ? person.passUntil
                : move.voidUntil());
        moved.put(move.visitor(), move.to());
        return true;
    }

    void depart(Departure departure) {
        if (departure.epoch() != epoch) {
            return;
        }
        if (moved.containsKey(departure.visitor())) {
            voided.merge(departure.visitor(), departure.voidUntil(), (one, other) -> one.isAfter(other) ? one : other);
            return;
        }
        forgetUser(departure.visitor(), departure.voidUntil());
        ModelVisitor holder = people.stream().filter(each -> each.id.equals(departure.visitor())).filter(this::isIn)
                .findFirst().orElse(null);
        ModelVisitor person = holder == null ? at(departure.place()) : holder;
        if (person == null || isIn(person) || person.usedUp) {
            Instant end = person != null && isIn(person) ? person.passUntil : Instant.MIN;
            voided.merge(departure.visitor(), end.isAfter(departure.voidUntil()) ? end : departure.voidUntil(),
                    (one, other) -> one.isAfter(other) ? one : other);
        }
        if (person != null) {
            person.passUntil = Instant.MIN;
            person.inside = false;
            person.usedUp = true;
            endPresence(person);
        }
    }

    void sync(GateReport report) {
        boolean current = report.epoch() == epoch;
        gates.put(report.gate(), new Gate(current
                ? Stream.concat(Stream.of(report.covered()), report.tiers().stream()).toList()
                : List.of(), rounds));
        leases.put(report.gate(), report.lease());
        at(now);
        for (GateReport.Presence each : current ? report.presences() : List.<GateReport.Presence>of()) {
            ModelVisitor person = at(each.place());
            if (person != null && each.until().isAfter(now) && !person.usedUp && !isIn(person)) {
                recordPresence(person, each.until(), report.gate());
            } else if (person != null && !each.until().isAfter(now) && isPresent(person)
                    && (person.reportedBy == null || person.reportedBy.equals(report.gate()))) {
                endPresence(person);
            }
        }
    }

    boolean govern(GovernorStep step) {
        if (governor != null && !governor.equals(step.governor()) && leaseUntil.isAfter(now)) {
            return false;
        }
        governor = step.governor();
        leaseUntil = step.leaseUntil();
        rounds++;
        gates.values().removeIf(gate -> gate.round() < rounds - 10);
        limits = step.limits();
        settled = settled == null ? now.plusSeconds(5) : settled;
        settling &= now.isBefore(settled);
        ModelLine.apply(lines, step.tiers());
        ModelLine.settle(lines, presentUpTo(number -> lines.get((int) number).length));
        lines.forEach(line -> line.horizon = Math.max(line.horizon,
                line.number == 0 ? step.horizon() : line.cursor + step.tiers().reach()));
        long door = calls() ? step.door() : Math.min(step.door(), byOperator());
        int[] wanted = ModelLine.doors(lines, (int) door,
                presentUpTo(number -> Math.min(lines.get((int) number).length, covered((int) number))));
        for (ModelLine line : lines) {
            long last = Math.min(line.length, covered(line.number));
            long most = lines.size() == 1 ? door : wanted[line.number];
            while (line.cursor < last && presentBefore(line.cursor + 1) < most) {
                line.cursor++;
            }
        }
        crowded = present().findAny().isPresent();
        return true;
    }

    void change(RoomChange change) {
        switch (change) {
            case RoomChange.Mode to -> mode = to.mode();
            case RoomChange.Message to -> message = to.text();
            case RoomChange.Settings to -> override = to.limits();
            case RoomChange.Openings to -> openings = to.appliesTo(openings, now) ? to.changes() : openings;
            case RoomChange.Draw _ -> {
                // places of lobbies have a contract of their own
            }
            case RoomChange.Admit more -> granted += more.visitors();
            case RoomChange.NewEpoch _ -> beginAnew();
        }
    }

    private void beginAnew() {
        epoch++;
        people.clear();
        users.clear();
        voided.clear();
        moved.clear();
        lines.forEach(ModelLine::beginAnew);
        granted = 0;
        admitted = 0;
        crowded = false;
        settling = false;
        gates.replaceAll((_, gate) -> new Gate(List.of(), gate.round()));
    }

    private void call(long place) {
        lineOf(place).cursor = Math.max(lineOf(place).cursor, place);
    }

    /** Spends an admission. An operator's grant counts towards no rate. */
    private void spendAdmission(long place) {
        if (byLimits() > 0) {
            admissions.add(now);
        } else {
            granted--;
        }
        countAdmission(place);
    }

    private void countAdmission(long place) {
        admitted++;
        if (Tiers.line(place) < lines.size()) {
            lineOf(place).enter(now.toEpochMilli());
        }
    }

    private void issuePass(ModelVisitor person, Instant until, boolean taken) {
        Instant before = isIn(person) ? person.passUntil : Instant.MIN;
        person.passUntil = until.isAfter(before) ? until : before;
        person.inside = true;
        person.usedUp |= taken;
        endPresence(person);
    }

    private void recordPresence(ModelVisitor person, Instant until, @Nullable GateId gate) {
        if (until.isAfter(now)) {
            person.presentUntil = until.isAfter(person.presentUntil) ? until : person.presentUntil;
            person.reportedBy = gate;
        }
    }

    private void endPresence(ModelVisitor person) {
        person.presentUntil = Instant.MIN;
        person.reportedBy = null;
    }

    /** A visitor of a {@link RoomModel}. */
    private static final class ModelVisitor {
        VisitorId id;
        final long place;
        boolean usedUp;
        /** Whether the visitor counts as inside, by a live pass or an ended one that a lease keeps. */
        boolean inside;
        Instant passUntil = Instant.MIN;
        Instant presentUntil = Instant.MIN;
        @Nullable
        GateId reportedBy;

        ModelVisitor(VisitorId id, long place) {
            this.id = id;
            this.place = place;
        }
    }
}
