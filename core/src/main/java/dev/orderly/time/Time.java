package dev.orderly.time;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * A source of time: the wall clock, a monotonic clock, and a way to wait on the second.
 *
 * <p>Everything that needs a time takes it from here, so a test can hold both clocks still, move them apart or let
 * them jump. Wall time names moments that outlive the process; monotonic time measures and waits. The two are not
 * related: wall time may go backwards. Implementations are thread-safe.
 */
public interface Time {
    /** The machine's own clocks. */
    static Time system() {
        return SystemTime.INSTANCE;
    }

    /**
     * The same clocks, but the wall clock is looked at once, now, and then moves with the monotonic one: setting it later
     * changes nothing. For spans that outlive a call and must be as long as they say.
     *
     * @param notBefore where time goes on from if the wall clock was set back since then; {@link Instant#MIN} for none
     */
    static Time steady(Time time, Instant notBefore) {
        return new SteadyTime(time, notBefore);
    }

    /**
     * A steady clock that goes by another one, such as a server's, which is asked now, once a minute, and when the two
     * clocks of the machine drift apart: it was suspended, or set. Blocks as long as five answers take; later answers are
     * waited for elsewhere. Right about half of the quickest answer's time.
     *
     * @param other what the other clock says; what it throws, the first asking throws
     */
    static Time aligned(Time own, Supplier<Instant> other) {
        return new AlignedTime(own, other);
    }

    /** The moment by the wall clock. May be earlier than an answer given before. */
    Instant now();

    /**
     * The machine's own wall clock, whatever {@link #now} goes by. Moves on while the machine is suspended, which the
     * monotonic clock of some systems does not.
     */
    default Instant wall() {
        return now();
    }

    /** Lets a clock that goes by another one ask that again soon, without waiting for the answer. */
    default void realign() {}

    /** Monotonic nanoseconds from an arbitrary origin; only differences mean anything. */
    long nanos();

    /**
     * Parks the calling thread until {@link #nanos()} reaches {@code deadline}, the thread is unparked or interrupted,
     * or for no reason at all. Callers therefore loop on their own condition. Never throws; leaves the interrupt flag.
     */
    void park(long deadline);

    /** The monotonic deadline {@code wait} from now; a negative wait counts as zero. Bounded to about 100 years. */
    default long deadline(Duration wait) {
        Duration longest = Duration.ofDays(36_500);
        Duration bounded = wait.isNegative() ? Duration.ZERO : wait.compareTo(longest) > 0 ? longest : wait;
        return nanos() + bounded.toNanos();
    }

    /** Whether the monotonic clock has reached {@code deadline}. */
    default boolean reached(long deadline) {
        return nanos() - deadline >= 0;
    }
}
