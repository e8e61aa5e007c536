package dev.orderly.room;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a room. Immutable: each method returns a copy, and throws {@link IllegalArgumentException} if nothing
 * limits the room any more.
 */
public final class RoomOptions {
    private final Values values;

    private record Values(Limits limits, TokenLifetimes stay, PollPolicy poll, AddressLimits addresses,
            OnFailure onFailure, @Nullable HealthPolicy health, boolean move, LimitTimetable timetable,
            Openings openings, Tiers tiers, @Nullable ProofOfWork work, boolean onePerUser) {
        Values {
            if (limits.capacity() == null && limits.rate() == null && health == null) {
                throw new IllegalArgumentException("Nothing limits the room: set capacity, rate or health");
            }
        }
    }

    /** Settings that a method changes. */
    private static final class Draft {
        private Limits limits;
        private TokenLifetimes stay;
        private PollPolicy poll;
        private AddressLimits addresses;
        private OnFailure onFailure;
        private @Nullable HealthPolicy health;
        private boolean move;
        private LimitTimetable timetable;
        private Openings openings;
        private Tiers tiers;
        private @Nullable ProofOfWork work;
        private boolean onePerUser;

        private Draft(Values from) {
            limits = from.limits;
            stay = from.stay;
            poll = from.poll;
            addresses = from.addresses;
            onFailure = from.onFailure;
            health = from.health;
            move = from.move;
            timetable = from.timetable;
            openings = from.openings;
            tiers = from.tiers;
            work = from.work;
            onePerUser = from.onePerUser;
        }

        private Values values() {
            return new Values(limits, stay, poll, addresses, onFailure, health, move, timetable, openings, tiers, work,
                    onePerUser);
        }
    }

    private RoomOptions(Values values) {
        this.values = values;
    }

    private RoomOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(values);
        change.accept(draft);
        return new RoomOptions(draft.values());
    }

    /** The defaults with these limits; with {@link Limits#NONE}, the room is limited by its origin's health. */
    public static RoomOptions of(Limits limits) {
        Objects.requireNonNull(limits, "limits");
        return new RoomOptions(new Values(limits, TokenLifetimes.DEFAULT, PollPolicy.DEFAULT, AddressLimits.DEFAULT,
                OnFailure.CLOSED, limits.equals(Limits.NONE) ? HealthPolicy.DEFAULT : null, false,
                LimitTimetable.NONE, Openings.NONE, Tiers.NONE, null, false));
    }

    /** The capacity, the rate, or both; {@link Limits#NONE} only together with {@link #health}. */
    public Limits limits() {
        return values.limits;
    }

    /** Lifetimes of tickets and passes. */
    public TokenLifetimes stay() {
        return values.stay;
    }

    /** Intervals between the requests of waiting visitors. */
    public PollPolicy poll() {
        return values.poll;
    }

    /** Bounds on what one address may take of the room at one gate. */
    public AddressLimits addresses() {
        return values.addresses;
    }

    /** The visitors who may enter during a long outage of the store. */
    public OnFailure onFailure() {
        return values.onFailure;
    }

    /** The rule that limits the room to what its origin can bear; null for none. */
    public @Nullable HealthPolicy health() {
        return values.health;
    }

    /** Whether a visitor may move a place to another device by a one-time link. */
    public boolean move() {
        return values.move;
    }

    /** Limits by the time of the day; {@link LimitTimetable#NONE} by default. */
    public LimitTimetable timetable() {
        return values.timetable;
    }

    /** The scheduled openings; {@link Openings#NONE} by default. */
    public Openings openings() {
        return values.openings;
    }

    /** Work or a wait before a place for visitors of crowded networks; null for none, the default. */
    public @Nullable ProofOfWork proofOfWork() {
        return values.work;
    }

    /** Visitors with lines and shares of their own; {@link Tiers#NONE} by default. */
    public Tiers tiers() {
        return values.tiers;
    }

    /** Whether each user has one place, on all devices, and nobody else a place. */
    public boolean onePerUser() {
        return values.onePerUser;
    }

    /** Whether the room has to know who is signed in: for one place a user, or for the claim of a tier. */
    public boolean needsUsers() {
        return onePerUser() || tiers().haveClaims();
    }

    public RoomOptions withLimits(Limits value) {
        Objects.requireNonNull(value, "value");
        return with(draft -> draft.limits = value);
    }

    public RoomOptions withStay(TokenLifetimes value) {
        Objects.requireNonNull(value, "value");
        return with(draft -> draft.stay = value);
    }

    public RoomOptions withPoll(PollPolicy value) {
        Objects.requireNonNull(value, "value");
        return with(draft -> draft.poll = value);
    }

    public RoomOptions withAddresses(AddressLimits value) {
        Objects.requireNonNull(value, "value");
        return with(draft -> draft.addresses = value);
    }

    public RoomOptions withOnFailure(OnFailure value) {
        Objects.requireNonNull(value, "value");
        return with(draft -> draft.onFailure = value);
    }

    public RoomOptions withHealth(@Nullable HealthPolicy value) {
        return with(draft -> draft.health = value);
    }

    public RoomOptions withMove(boolean value) {
        return with(draft -> draft.move = value);
    }

    /** The room's own {@link #limits} apply where the timetable has no entry; limits of an operator precede both. */
    public RoomOptions withTimetable(LimitTimetable value) {
        Objects.requireNonNull(value, "value");
        return with(draft -> draft.timetable = value);
    }

    /** The room admits visitors in its openings; without any, at all times. */
    public RoomOptions withOpenings(Openings value) {
        Objects.requireNonNull(value, "value");
        return with(draft -> draft.openings = value);
    }

    public RoomOptions withProofOfWork(@Nullable ProofOfWork value) {
        return with(draft -> draft.work = value);
    }

    /** Who has a tier is decided when a place is taken; the place stays in its line, whatever changes. */
    public RoomOptions withTiers(Tiers value) {
        Objects.requireNonNull(value, "value");
        return with(draft -> draft.tiers = value);
    }

    /**
     * With {@code true}, the devices of a user share one place, and visitors without a verified user get none. Places
     * that were taken before are kept.
     */
    public RoomOptions withOnePerUser(boolean value) {
        return with(draft -> draft.onePerUser = value);
    }

    public RoomOptions withJoinsPerAddress(@Nullable Rate value) {
        return withAddresses(values.addresses.withJoins(value));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RoomOptions options && values.equals(options.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "RoomOptions" + values.toString().substring("Values".length());
    }
}
