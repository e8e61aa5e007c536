package dev.orderly.room;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is set for a room.
 *
 * @param limits the capacity, the rate, or both; {@link Limits#NONE} only together with {@code health}
 * @param joinsPerAddress how many places one address may take in a span, so that a client without cookies cannot fill
 *     the line; null for no such bound
 * @param health whether the room keeps to what its origin can bear; null for not
 */
public record RoomOptions(Limits limits, Stay stay, PollPolicy poll, @Nullable Rate joinsPerAddress,
        OnFailure onFailure, @Nullable HealthPolicy health) {
    /** 100 a minute. */
    public static final Rate JOINS_PER_ADDRESS = new Rate(100, Duration.ofMinutes(1));

    /** @throws IllegalArgumentException if nothing limits the room */
    public RoomOptions {
        if (limits.capacity() == null && limits.rate() == null && health == null) {
            throw new IllegalArgumentException("Nothing limits the room: set capacity, rate or health");
        }
    }

    /** Everything but the limits as by default. */
    public static RoomOptions of(Limits limits) {
        return new RoomOptions(limits, Stay.DEFAULT, PollPolicy.DEFAULT, JOINS_PER_ADDRESS, OnFailure.CLOSED,
                limits.equals(Limits.NONE) ? HealthPolicy.DEFAULT : null);
    }

    public RoomOptions withLimits(Limits value) {
        return new RoomOptions(value, stay, poll, joinsPerAddress, onFailure, health);
    }

    public RoomOptions withStay(Stay value) {
        return new RoomOptions(limits, value, poll, joinsPerAddress, onFailure, health);
    }

    public RoomOptions withPoll(PollPolicy value) {
        return new RoomOptions(limits, stay, value, joinsPerAddress, onFailure, health);
    }

    public RoomOptions withJoinsPerAddress(@Nullable Rate value) {
        return new RoomOptions(limits, stay, poll, value, onFailure, health);
    }

    public RoomOptions withOnFailure(OnFailure value) {
        return new RoomOptions(limits, stay, poll, joinsPerAddress, value, health);
    }

    public RoomOptions withHealth(@Nullable HealthPolicy value) {
        return new RoomOptions(limits, stay, poll, joinsPerAddress, onFailure, value);
    }
}
