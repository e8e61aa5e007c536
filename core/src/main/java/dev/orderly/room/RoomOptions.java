package dev.orderly.room;

import java.util.Objects;
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

    private RoomOptions(Values values) {
        this.values = values;
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

    public RoomOptions withLimits(Limits value) {
        Objects.requireNonNull(value, "value");
        return new RoomOptions(new Values(value, values.stay, values.poll, values.addresses, values.onFailure,
                values.health, values.move, values.timetable, values.openings, values.tiers, values.work,
                values.onePerUser));
    }

    public RoomOptions withStay(TokenLifetimes value) {
        Objects.requireNonNull(value, "value");
        return new RoomOptions(new Values(values.limits, value, values.poll, values.addresses, values.onFailure,
                values.health, values.move, values.timetable, values.openings, values.tiers, values.work,
                values.onePerUser));
    }

    public RoomOptions withPoll(PollPolicy value) {
        Objects.requireNonNull(value, "value");
        return new RoomOptions(new Values(values.limits, values.stay, value, values.addresses, values.onFailure,
                values.health, values.move, values.timetable, values.openings, values.tiers, values.work,
                values.onePerUser));
    }

    public RoomOptions withAddresses(AddressLimits value) {
        Objects.requireNonNull(value, "value");
        return new RoomOptions(new Values(values.limits, values.stay, values.poll, value, values.onFailure,
                values.health, values.move, values.timetable, values.openings, values.tiers, values.work,
                values.onePerUser));
    }

    public RoomOptions withOnFailure(OnFailure value) {
        Objects.requireNonNull(value, "value");
        return new RoomOptions(new Values(values.limits, values.stay, values.poll, values.addresses, value,
                values.health, values.move, values.timetable, values.openings, values.tiers, values.work,
                values.onePerUser));
    }

    public RoomOptions withHealth(@Nullable HealthPolicy value) {
        return new RoomOptions(new Values(values.limits, values.stay, values.poll, values.addresses, values.onFailure,
                value, values.move, values.timetable, values.openings, values.tiers, values.work,
                values.onePerUser));
    }

    public RoomOptions withMove(boolean value) {
        return new RoomOptions(new Values(values.limits, values.stay, values.poll, values.addresses, values.onFailure,
                values.health, value, values.timetable, values.openings, values.tiers, values.work,
                values.onePerUser));
    }

    /** The room's own {@link #limits} apply where the timetable has no entry; limits of an operator precede both. */
    public RoomOptions withTimetable(LimitTimetable value) {
        Objects.requireNonNull(value, "value");
        return new RoomOptions(new Values(values.limits, values.stay, values.poll, values.addresses, values.onFailure,
                values.health, values.move, value, values.openings, values.tiers, values.work,
                values.onePerUser));
    }

    /** The room admits visitors in its openings; without any, at all times. */
    public RoomOptions withOpenings(Openings value) {
        Objects.requireNonNull(value, "value");
        return new RoomOptions(new Values(values.limits, values.stay, values.poll, values.addresses, values.onFailure,
                values.health, values.move, values.timetable, value, values.tiers, values.work,
                values.onePerUser));
    }

    public RoomOptions withProofOfWork(@Nullable ProofOfWork value) {
        return new RoomOptions(new Values(values.limits, values.stay, values.poll, values.addresses, values.onFailure,
                values.health, values.move, values.timetable, values.openings, values.tiers, value, values.onePerUser));
    }

    /**
     * Who has a tier is decided when a place is taken; the place stays in its line, whatever changes.
     *
     * @throws IllegalArgumentException if an opening of the room has a draw
     */
    public RoomOptions withTiers(Tiers value) {
        Objects.requireNonNull(value, "value");
        return new RoomOptions(new Values(values.limits, values.stay, values.poll, values.addresses, values.onFailure,
                values.health, values.move, values.timetable, values.openings, value, values.work, values.onePerUser));
    }

    /**
     * With {@code true}, the devices of a user share one place, and visitors without a verified user get none. Places
     * that were taken before are kept.
     */
    public RoomOptions withOnePerUser(boolean value) {
        return new RoomOptions(new Values(values.limits, values.stay, values.poll, values.addresses, values.onFailure,
                values.health, values.move, values.timetable, values.openings, values.tiers, values.work, value));
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
