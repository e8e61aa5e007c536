package dev.orderly.room;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long what a visitor holds is good for.
 *
 * @param passIdle how long a pass lives without a request; it is renewed when less than half is left. 10 s to 24 h
 * @param passMax how long a visitor may stay at most; null for as long as there are requests. At least {@code passIdle}
 * @param ticket how long a ticket keeps its place; 1 min to 7 days
 */
public record TokenLifetimes(Duration passIdle, @Nullable Duration passMax, Duration ticket) {
    // Before the default, whose constructor checks against it.
    private static final Duration DAY = Duration.ofDays(1);

    /** 5 min, 4 h, 24 h. */
    public static final TokenLifetimes DEFAULT = new TokenLifetimes(Duration.ofMinutes(5), Duration.ofHours(4),
            Duration.ofHours(24));

    /** A pass that its visitor has not shown yet lives no longer than this. */
    public static final Duration UNTAKEN = Duration.ofMinutes(1);

    /** A pass that ran out while the store was out of reach may be renewed for this long after its end. */
    public static final Duration REVIVABLE = Duration.ofHours(1);

    /** @throws IllegalArgumentException naming the span that is out of its bounds */
    public TokenLifetimes {
        check("pass-idle", passIdle, Duration.ofSeconds(10), DAY);
        if (passMax != null) {
            check("pass-max", passMax, passIdle, DAY.multipliedBy(7));
        }
        check("ticket-ttl", ticket, Duration.ofMinutes(1), DAY.multipliedBy(7));
    }

    /** A pass that was given out by now is worth nothing after this, whatever happens. */
    public Duration longestPass() {
        return passIdle.plus(REVIVABLE);
    }

    /** A ticket or pass that was given out by now is worth nothing after this: so long a revocation has to be known. */
    public Duration longestToken() {
        Duration pass = longestPass();
        return pass.compareTo(ticket) < 0 ? ticket : pass;
    }

    private static void check(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " is " + value + ": use " + least + " to " + most);
        }
    }
}
