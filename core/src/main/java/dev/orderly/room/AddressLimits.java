package dev.orderly.room;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Bounds on what one address may take of a room at one gate. An address is a text that the edge chooses: an IPv4
 * address, or the /64 prefix of an IPv6 address. Applications change the {@link #DEFAULT}: the constructor may get
 * more parameters.
 *
 * @param joins most places it may take in a span, so that a client without cookies cannot fill the line; null for no
 *     bound
 * @param untaken most passes it may have at once that have not been shown yet, so that a client without cookies cannot
 *     fill the room: beyond this bound its visitors enter only by showing their tickets. 1 or more; null for no bound
 * @param perPass most addresses from which one pass may be shown; 1 or more; null for no bound
 */
public record AddressLimits(@Nullable Rate joins, @Nullable Integer untaken, @Nullable Integer perPass) {
    /** 100 places a minute, 5 passes not shown yet, each pass from any number of addresses. */
    public static final AddressLimits DEFAULT = new AddressLimits(new Rate(100, Duration.ofMinutes(1)), 5, null);

    /** No bounds. */
    public static final AddressLimits NONE = new AddressLimits(null, null, null);

    /** @throws IllegalArgumentException naming the number that is not 1 or more */
    public AddressLimits {
        check("untaken-per-address", untaken);
        check("addresses-per-pass", perPass);
    }

    public AddressLimits withJoins(@Nullable Rate value) {
        return new AddressLimits(value, untaken, perPass);
    }

    public AddressLimits withUntaken(@Nullable Integer value) {
        return new AddressLimits(joins, value, perPass);
    }

    public AddressLimits withPerPass(@Nullable Integer value) {
        return new AddressLimits(joins, untaken, value);
    }

    private static void check(String name, @Nullable Integer value) {
        if (value != null && value < 1) {
            throw new IllegalArgumentException(name + " is " + value + ": use 1 or more");
        }
    }
}
