package dev.orderly.room;

import java.time.Duration;

/**
 * How soon who waits asks again: a tenth of the wait that is left, between two bounds, and up to 30 % later, so that
 * those who came together do not ask together. Who is called asks every second: an admission is kept for each, and lies
 * idle until then.
 *
 * @param least 1 s or more
 * @param most 5 min at most
 */
public record PollPolicy(Duration least, Duration most) {
    /** At the door, whatever the bounds: few stand there. */
    public static final Duration AT_THE_DOOR = Duration.ofSeconds(1);

    // Before the default, whose constructor checks against them.
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** 2 to 30 seconds. */
    public static final PollPolicy DEFAULT = new PollPolicy(Duration.ofSeconds(2), Duration.ofSeconds(30));

    private static final Duration PRESENT_LEAST = Duration.ofSeconds(3);
    private static final int JITTER_STEPS = 31;

    /** @throws IllegalArgumentException if the bounds are out of order or out of theirs */
    public PollPolicy {
        if (least.compareTo(SHORTEST) < 0 || most.compareTo(least) < 0 || most.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("Polling every " + least + " to " + most
                    + ": use 1 s or more, in order, and at most 5 min");
        }
    }

    /** When this visitor, not called yet, should ask again who may have to wait so long; the same for equal arguments. */
    public Duration interval(Duration wait, VisitorId visitor) {
        Duration tenth = wait.dividedBy(10);
        Duration base = tenth.compareTo(least) < 0 ? least : tenth.compareTo(most) > 0 ? most : tenth;
        long percent = Math.floorMod(visitor.low(), (long) JITTER_STEPS);
        return base.plusMillis(base.toMillis() * percent / 100);
    }

    /** After which a visitor who just took a place asks at the latest: who never does is known to be absent soon. */
    public Duration first() {
        return least.plus(least.multipliedBy(JITTER_STEPS - 1L).dividedBy(100));
    }

    /** How long one who was told to ask again after this counts as present. */
    public static Duration presence(Duration interval) {
        Duration half = interval.multipliedBy(3).dividedBy(2);
        return half.compareTo(PRESENT_LEAST) < 0 ? PRESENT_LEAST : half;
    }
}
