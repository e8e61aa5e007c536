package dev.orderly.room;

import dev.orderly.text.DurationText;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lifetimes of tickets and passes. Applications change the {@link #DEFAULT}: the constructor may get more parameters.
 *
 * @param passIdle lifetime of a pass without a request; it is renewed when less than half is left. 10 s to 24 h
 * @param passMax longest stay of a visitor, at least {@code passIdle} and at most 7 days; null for as long as there are
 *     requests
 * @param ticket lifetime of a ticket, and so of its place; 1 min to 7 days
 */
public record TokenLifetimes(Duration passIdle, @Nullable Duration passMax, Duration ticket) {
    // Before the default, whose constructor checks against it.
    private static final Duration DAY = Duration.ofDays(1);

    /** 5 min, 4 h, 24 h. */
    public static final TokenLifetimes DEFAULT = new TokenLifetimes(Duration.ofMinutes(5), Duration.ofHours(4),
            Duration.ofHours(24));

    /** Longest lifetime of a pass that its visitor has not shown yet. */
    public static final Duration UNTAKEN = Duration.ofMinutes(1);

    /** How long after its end a pass may be renewed that ran out while the store was out of reach. */
    public static final Duration REVIVABLE = Duration.ofHours(1);

    /** @throws IllegalArgumentException naming the span that is out of its bounds */
    public TokenLifetimes {
        Objects.requireNonNull(passIdle, "passIdle");
        Objects.requireNonNull(ticket, "ticket");
        check("pass-idle", passIdle, Duration.ofSeconds(10), DAY);
        if (passMax != null) {
            check("pass-max", passMax, passIdle, DAY.multipliedBy(7));
        }
        check("ticket-ttl", ticket, Duration.ofMinutes(1), DAY.multipliedBy(7));
    }

    public TokenLifetimes withPassIdle(Duration value) {
        Objects.requireNonNull(value, "value");
        return new TokenLifetimes(value, passMax, ticket);
    }

    public TokenLifetimes withPassMax(@Nullable Duration value) {
        return new TokenLifetimes(passIdle, value, ticket);
    }

    public TokenLifetimes withTicket(Duration value) {
        Objects.requireNonNull(value, "value");
        return new TokenLifetimes(passIdle, passMax, value);
    }

    /** Time after which a pass issued by now is worthless, unless it was renewed meanwhile. */
    public Duration longestPass() {
        return passIdle.plus(REVIVABLE);
    }

    /** Time after which a ticket or pass issued by now is worthless. A revocation has to be known for this long. */
    public Duration longestToken() {
        Duration pass = longestPass();
        return pass.compareTo(ticket) < 0 ? ticket : pass;
    }

    private static void check(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    name + " is " + DurationText.of(value) + ": use " + DurationText.of(least) + " to "
                            + DurationText.of(most));
        }
    }
}
