package dev.orderly.room;

import dev.orderly.text.DurationText;
import java.time.Duration;
import java.util.Objects;

/**
 * The interval between two requests of a waiting visitor: a tenth of the remaining wait, between two bounds, plus up to
 * 30 %, so that visitors who came together do not ask together. A called visitor asks every second: an admission is
 * reserved for each, and lies idle until the visitor asks.
 *
 * @param least 1 s or more
 * @param most 5 min at most
 */
public record PollPolicy(Duration least, Duration most) {
    /** Interval at the door, whatever the bounds: few visitors are there. */
    public static final Duration AT_THE_DOOR = Duration.ofSeconds(1);

    // Before the default, whose constructor checks against them.
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    /** Last requests of an opening's visitors in a millisecond. */
    private static final int TOGETHER = 2;

    /** 2 to 30 seconds. */
    public static final PollPolicy DEFAULT = new PollPolicy(Duration.ofSeconds(2), Duration.ofSeconds(30));

    private static final Duration PRESENT_LEAST = Duration.ofSeconds(3);
    private static final int JITTER_STEPS = 31;

    /** @throws IllegalArgumentException if the bounds are out of order, below 1 s or above 5 min */
    public PollPolicy {
        if (least.compareTo(SHORTEST) < 0 || most.compareTo(least) < 0 || most.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("Polling every " + DurationText.of(least) + " to "
                    + DurationText.of(most)
                    + ": use 1 s or more, in order, and at most 5 min");
        }
    }

    public PollPolicy withLeast(Duration value) {
        Objects.requireNonNull(value, "value");
        return new PollPolicy(value, most);
    }

    public PollPolicy withMost(Duration value) {
        Objects.requireNonNull(value, "value");
        return new PollPolicy(least, value);
    }

    /** The interval of a visitor who is not called yet and may have to wait this long; the same for equal arguments. */
    public Duration interval(Duration wait, VisitorId visitor) {
        Objects.requireNonNull(wait, "wait");
        Duration tenth = part(wait, 10);
        Duration base = tenth.compareTo(least) < 0 ? least : tenth.compareTo(most) > 0 ? most : tenth;
        long percent = Math.floorMod(visitor.low(), (long) JITTER_STEPS);
        return base.plusMillis(base.toMillis() * percent / 100);
    }

    /**
     * The interval of a visitor who waits for an opening: half of the time until then, but {@code most} at least and
     * five minutes at most, so that a new time is heard of and nobody counts as present for long who has left. The last
     * interval ends after the opening. Last requests are spread over the time in which 2,000 visitors a second make
     * one, {@code least} at least and {@code most} at most: a crowd is no herd, and a small one loses no time.
     *
     * @param until the time until the opening; zero or less if it has begun
     * @param spread a number of the visitor: others ask at other times
     * @param crowd visitors who wait for the same moment; 0 for one who enters first
     */
    public Duration untilOpening(Duration until, long spread, long crowd) {
        Duration left = Objects.requireNonNull(until, "until").isNegative() ? Duration.ZERO : until;
        long range = Math.clamp(Math.max(0, crowd) / TOGETHER, least.toMillis(), most.toMillis());
        Duration after = left.plusMillis(Math.floorMod(spread, range)).plusMillis(1);
        Duration half = part(left, 2);
        Duration usual = half.compareTo(most) < 0 ? most : half.compareTo(LONGEST) > 0 ? LONGEST : half;
        return usual.compareTo(left) < 0 ? usual : after;
    }

    /**
     * The longest interval until the first request of a visitor who just took a place: a visitor who never asks is soon
     * known to be absent.
     */
    public Duration first() {
        return least.plus(least.multipliedBy(JITTER_STEPS - 1L).dividedBy(100));
    }

    /** As {@link Duration#dividedBy}, which computes in decimals: too slow for every request. */
    private static Duration part(Duration whole, int divisor) {
        long rest = whole.getSeconds() % divisor * 1_000_000_000L + whole.getNano();
        return Duration.ofSeconds(whole.getSeconds() / divisor, rest / divisor);
    }

    /** How long a visitor with this interval counts as present after a request. */
    public static Duration presence(Duration interval) {
        Objects.requireNonNull(interval, "interval");
        Duration half = interval.plus(part(interval, 2));
        return half.compareTo(PRESENT_LEAST) < 0 ? PRESENT_LEAST : half;
    }
}
