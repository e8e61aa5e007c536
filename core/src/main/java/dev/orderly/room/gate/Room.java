package dev.orderly.room.gate;

import dev.orderly.room.Beacon;
import dev.orderly.room.BeaconRound;
import dev.orderly.room.Draw;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.Openings;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.govern.SignalHealth;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.IssuedInvitations;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.RoomChange;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A room at one gate: its options, its state, and what operators change. Thread-safe; answers from memory, and never
 * blocks.
 */
public final class Room {
    /** The longest life of an invitation. */
    public static final Duration INVITATION_LIFE = Duration.ofDays(90);

    private final RoomCache cache;
    private final RoomSync sync;
    private final Time time;
    private final RoomVisits visits;
    private final RoomRounds rounds;
    /** The state after the last change at this gate, until a round knows it too. */
    private volatile @Nullable RoomState changed;
    private volatile @Nullable String beaconFailure;

    Room(GateContext context, RoomCache cache, RoomSync sync, Executor executor) {
        this.cache = cache;
        this.sync = sync;
        this.time = context.time();
        this.visits = new RoomVisits(context, cache, sync, executor);
        this.rounds = new RoomRounds(context, cache, sync, visits.listeners(), visits.renewals());
    }

    public RoomName name() {
        return cache.name();
    }

    public RoomOptions options() {
        return cache.options();
    }

    /**
     * Replaces limits, openings, tiers, bounds of addresses, the behaviour during an outage, whether places may move
     * and users have one place each, and the work before a place, while visitors wait and visit. Limits, openings and
     * tiers take effect with the next round of the gate that governs the room, the rest at once. Called by one thread
     * at a time.
     *
     * @throws IllegalArgumentException if anything else differs: that needs a new engine
     */
    public void change(RoomOptions value) {
        Objects.requireNonNull(value, "value");
        RoomOptions now = options();
        if (!isChangeable(now, value)) {
            throw new IllegalArgumentException("Room " + name() + " can change its limits, its openings, the bounds of"
                    + " addresses, on-failure, move, one-per, tiers and proof-of-work while it runs: restart for"
                    + " anything else");
        }
        cache.change(value);
    }

    /** Whether a running room can change from one to the other, see {@link #change}. */
    public static boolean isChangeable(RoomOptions from, RoomOptions to) {
        return from.equals(to.withLimits(from.limits()).withTimetable(from.timetable()).withOpenings(from.openings())
                .withAddresses(from.addresses()).withOnFailure(from.onFailure())
                .withMove(from.move()).withOnePerUser(from.onePerUser()).withTiers(from.tiers())
                .withProofOfWork(from.proofOfWork()));
    }

    /** The names of the tiers that the room has, by its configuration or in its line. */
    public List<String> tiers() {
        return Stream.concat(options().tiers().all().stream().map(Tiers.Tier::name),
                state().tiers().stream().map(RoomState.TierLine::name)).distinct().toList();
    }

    /** The state of at most about a second ago. */
    public RoomState state() {
        return cache.state();
    }

    /** Records the state after a change at this gate, from which the next change is made. */
    void changed(RoomState after) {
        changed = after;
    }

    private List<OpeningChange> knownOpenings() {
        RoomState after = changed;
        return after != null && after.at().isAfter(state().at()) ? after.openings() : state().openings();
    }

    /** What the openings of the room mean now, if nobody may enter by it; otherwise null. */
    @Nullable
    OpeningStatus closed() {
        return cache.closed(time.now());
    }

    /**
     * The change that moves the next opening, see {@link dev.orderly.room.Openings#move}.
     *
     * @param closes the new end; null to leave it
     * @throws IllegalArgumentException if the openings do not allow it
     */
    public RoomChange movedOpening(ZonedDateTime opens, @Nullable ZonedDateTime closes) {
        Instant now = time.now();
        List<OpeningChange> known = knownOpenings();
        Openings openings = options().openings();
        List<OpeningChange> moved = openings.move(known, opens, closes, now);
        Instant begins = openings.begins(known, now);
        return new RoomChange.Openings(known, moved, begins.isBefore(opens.toInstant()) ? begins : opens.toInstant());
    }

    /**
     * The change that cancels the next opening.
     *
     * @throws IllegalArgumentException if no opening is to come
     */
    public RoomChange cancelledOpening() {
        Instant now = time.now();
        List<OpeningChange> known = knownOpenings();
        Openings openings = options().openings();
        return new RoomChange.Openings(known, openings.cancel(known, now), openings.begins(known, now));
    }

    /**
     * The change that records the value of a beacon.
     *
     * @throws IllegalArgumentException if no draw waits for one, it is no value, or that of a round of drand is no
     *     random number or comes before its moment
     */
    public RoomChange drawValue(String value) {
        Objects.requireNonNull(value, "value");
        Draw draw = state().draws().pending().filter(Draw::awaitsValue).orElseThrow(() -> new IllegalArgumentException(
                "Room " + name()
                        + " has no draw that waits for the value of its beacon: a draw does from the end of its"
                        + " lobby on, if its opening has a beacon"));
        Beacon beacon = Objects.requireNonNull(draw.beacon());
        String known = Beacon.value(value);
        if (beacon.round().isPresent()) {
            if (now().isBefore(beacon.at())) {
                throw new IllegalArgumentException("The beacon of room " + name() + " is known at " + beacon.at()
                        + ": wait until then");
            }
            known = BeaconRound.randomness(known);
        }
        return new RoomChange.Draw(new DrawStep.Value(draw.opening(), known));
    }

    /** The beacon whose value the draw of this room waits for. */
    public Optional<Beacon> awaitedBeacon() {
        return state().draws().pending().filter(Draw::awaitsValue).map(Draw::beacon);
    }

    /** Why this process could not fetch the value that the draw waits for; null for no failure. */
    public @Nullable String beaconFailure() {
        return awaitedBeacon().isEmpty() ? null : beaconFailure;
    }

    /** Records the last failure to fetch the value that the draw waits for; null for none. */
    public void beaconFailed(@Nullable String why) {
        beaconFailure = why;
    }

    /** The moment by the clock that the gates of the store share. */
    public Instant now() {
        return time.now();
    }

    /** What the openings of the room mean now; null for a room without openings. Answers from memory. */
    public @Nullable OpeningStatus opening() {
        return options().openings().isEmpty() ? null : cache.opening(time.now());
    }

    /** How fresh this gate's value of the backlog signal is. */
    public SignalHealth backlogSignal() {
        return sync.backlogSignal();
    }

    /** The wait of a visitor who would join now. */
    public WaitEstimate forNewcomer() {
        return cache.forNewcomer();
    }

    /**
     * Of ten visitors who entered at this gate in the last hour, the number who waited no longer than announced first;
     * empty while fewer than twenty are known.
     */
    public OptionalInt estimatesKept() {
        return cache.estimatesKept();
    }

    /** The measured share of visitors who come back after taking a place; empty while nobody waits. */
    public OptionalDouble showShare() {
        return cache.showShare();
    }

    /**
     * Issues invitations to a tier, which nothing stores.
     *
     * @param count 1 to {@value dev.orderly.room.invitation.InvitationId#MOST}
     * @param life a minute to {@link #INVITATION_LIFE}
     * @param user the only user who may redeem them; null for everybody
     * @throws IllegalArgumentException if a value is out of its bounds, or the tier has no invitations
     */
    public IssuedInvitations invite(String tier, int count, Duration life, @Nullable String user) {
        Objects.requireNonNull(tier, "tier");
        Objects.requireNonNull(life, "life");
        return visits.invitations().issue(tier, count, life, user);
    }

    /** How many invitations of a series gave a place in this epoch, as this gate knows. */
    public int invited(long series) {
        return (int) state().voided().keySet().stream()
                .filter(id -> InvitationId.of(id).filter(each -> each.series() == series).isPresent()).count();
    }

    /** Whether the invitations of a series were revoked, as this gate knows. */
    public boolean isRevoked(long series) {
        return cache.isVoid(InvitationId.revocation(series));
    }

    /** Whether this gate admits nobody because the store is out of reach. */
    boolean isPaused() {
        Outage outage = cache.outage();
        return outage.isOn() && outage.budget(time.now()) <= 0;
    }

    /** Whether this gate waits, after a restart, for reports of present visitors. */
    boolean isSettling() {
        return sync.isSettling();
    }

    /** Whether this gate governed the room at its last round. Answers from memory. */
    public boolean governs() {
        return sync.governs();
    }

    /** What visitors ask of this room at this gate. */
    public RoomVisits visits() {
        return visits;
    }

    RoomRounds rounds() {
        return rounds;
    }

    /** Records that the store revoked the visitor. */
    void ended(VisitorId visitor) {
        cache.ended(visitor);
    }

    /** Reports to the store that the gate stops. Blocks. */
    void leaveStore() {
        sync.leave();
    }
}
