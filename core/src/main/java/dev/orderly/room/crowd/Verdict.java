package dev.orderly.room.crowd;

import java.time.Duration;
import java.util.Objects;

/** What the check of a visitor who asks for a place says. */
public sealed interface Verdict {
    /** The visitor gets a place. */
    record Allow() implements Verdict {}

    /**
     * The visitor gets a place after a wait, without another check.
     *
     * @param delay positive; ten minutes at most
     */
    record Slow(Duration delay) implements Verdict {
        /** The longest wait. */
        public static final Duration LONGEST = Duration.ofMinutes(10);

        /** @throws IllegalArgumentException if the wait is out of its bounds */
        public Slow {
            Objects.requireNonNull(delay, "delay");
            if (!delay.isPositive() || delay.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("A wait before a place is " + delay + ": use up to " + LONGEST);
            }
        }
    }

    /** The visitor gets no place. */
    record Refuse() implements Verdict {}

    /**
     * The check gave no verdict.
     *
     * @param admits whether the visitor gets a place all the same
     */
    record Failed(boolean admits) implements Verdict {}
}
