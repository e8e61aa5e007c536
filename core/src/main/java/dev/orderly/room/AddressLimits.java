package dev.orderly.room;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one address may have of a room at one gate. An address is a text that the edge chooses: an IPv4 address, or the
 * /64 of an IPv6 one.
 *
 * @param joins how many places it may take in a span, so that a client without cookies cannot fill the line; null for no
 *     such bound
 * @param untaken how many passes it may have at once that nobody has shown yet, so that a client without cookies cannot
 *     fill the room: beyond that its visitors enter only when they show their tickets. 1 or more; null for no such bound
 * @param perPass from how many addresses one pass may be shown; 1 or more; null for no such bound
 */
public record AddressLimits(@Nullable Rate joins, @Nullable Integer untaken, @Nullable Integer perPass) {
    /** 100 places a minute, 5 passes that nobody has shown, each pass from anywhere. */
    public static final AddressLimits DEFAULT = new AddressLimits(new Rate(100, Duration.ofMinutes(1)), 5, null);

    /** Nothing is bounded. */
    public static final AddressLimits NONE = new AddressLimits(null, null, null);

    /** @throws IllegalArgumentException naming the number that is not 1 or more */
    public AddressLimits {
        check("untaken-per-address", untaken);
        check("addresses-per-pass", perPass);
    }

    private static void check(String name, @Nullable Integer value) {
        if (value != null && value < 1) {
            throw new IllegalArgumentException(name + " is " + value + ": use 1 or more");
        }
    }
}
