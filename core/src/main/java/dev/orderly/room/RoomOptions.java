package dev.orderly.room;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a room.
 *
 * @param limits the capacity, the rate, or both; {@link Limits#NONE} only together with {@code health}
 * @param stay lifetimes of tickets and passes
 * @param poll intervals between the requests of waiting visitors
 * @param addresses bounds on what one address may take of the room at one gate
 * @param onFailure the visitors who may enter during a long outage of the store
 * @param health the rule that limits the room to what its origin can bear; null for none
 * @param move whether a visitor may move a place to another device by a one-time link
 */
public record RoomOptions(Limits limits, TokenLifetimes stay, PollPolicy poll, AddressLimits addresses,
        OnFailure onFailure, @Nullable HealthPolicy health, boolean move) {
    /** @throws IllegalArgumentException if nothing limits the room */
    public RoomOptions {
        if (limits.capacity() == null && limits.rate() == null && health == null) {
            throw new IllegalArgumentException("Nothing limits the room: set capacity, rate or health");
        }
    }

    /** The defaults with these limits; with {@link Limits#NONE}, the room is limited by its origin's health. */
    public static RoomOptions of(Limits limits) {
        return new RoomOptions(limits, TokenLifetimes.DEFAULT, PollPolicy.DEFAULT, AddressLimits.DEFAULT,
                OnFailure.CLOSED,
                limits.equals(Limits.NONE) ? HealthPolicy.DEFAULT : null, false);
    }

    public RoomOptions withLimits(Limits value) {
        return new RoomOptions(value, stay, poll, addresses, onFailure, health, move);
    }

    public RoomOptions withStay(TokenLifetimes value) {
        return new RoomOptions(limits, value, poll, addresses, onFailure, health, move);
    }

    public RoomOptions withPoll(PollPolicy value) {
        return new RoomOptions(limits, stay, value, addresses, onFailure, health, move);
    }

    public RoomOptions withAddresses(AddressLimits value) {
        return new RoomOptions(limits, stay, poll, value, onFailure, health, move);
    }

    public RoomOptions withJoinsPerAddress(@Nullable Rate value) {
        return withAddresses(new AddressLimits(value, addresses.untaken(), addresses.perPass()));
    }

    public RoomOptions withOnFailure(OnFailure value) {
        return new RoomOptions(limits, stay, poll, addresses, value, health, move);
    }

    public RoomOptions withHealth(@Nullable HealthPolicy value) {
        return new RoomOptions(limits, stay, poll, addresses, onFailure, value, move);
    }

    public RoomOptions withMove(boolean value) {
        return new RoomOptions(limits, stay, poll, addresses, onFailure, health, value);
    }
}
